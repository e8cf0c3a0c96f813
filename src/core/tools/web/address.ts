import { ToolError } from '../../errors';
import { isAllowedHost, type WebDomains } from './domains';

const maxChars = 2_000;

/** An address that may be fetched, as it is sent. Throws ToolError for any other (L17). */
export function checkAddress(given: string, domains: WebDomains): string {
  const address = given.trim();
  // Signs of other scripts are sent in a longer form.
  if (!URL.canParse(address) || new URL(address).href.length > maxChars)
    throw new ToolError(
      `This is no address of a page, or too long: give a whole one, such as https://example.com/.`,
    );
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ToolError('Only addresses that begin with https: or http: can be fetched.');
  if (url.username !== '' || url.password !== '')
    throw new ToolError(
      'An address with a user name or a password in it is not fetched. Never send credentials.',
    );
  if (isLocal(url.hostname))
    throw new ToolError(
      'Addresses of this machine or of a local network are not fetched. Ask the person for what stands there.',
    );
  if (!isAllowedHost(url.hostname, domains))
    throw new ToolError(
      `The person's assistant.webDomains does not allow ${url.hostname}. Go on without it, or tell them.`,
    );
  return url.href;
}

/** Names that stand for no machine of the open web. */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|example|onion)$/;

/** `URL` has brought every spelling of a number into the usual form. */
function isLocal(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, '');
  // Numbers with colons can stand for local ones in many ways, and pages have names.
  if (host.startsWith('[')) return true;
  const numbers = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (!numbers) return !host.includes('.') || localNames.test(host);
  const [, first = 0, second = 0] = numbers.map(Number);
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    first >= 224 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && (second === 168 || second === 0)) ||
    (first === 198 && (second === 18 || second === 19))
  );
}
