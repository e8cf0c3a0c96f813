import { isObject, parseJson } from '../text/json';

/** What of where requests go, and of what they carry, nobody may see (S7). */
export function credentialsOf({
  baseUrl,
  headers,
}: {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}): readonly string[] {
  return [...credentialsIn(headers), ...credentialsInAddress(baseUrl)];
}

/** The whole value of a credential, and each part of it that says as much. */
function credentialsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isCredentialName(name) || looksSecret(value) ? partsOf(value) : secretsInJson(value),
  );
}

/** Who logs in there, and keys in its query. */
function credentialsInAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  const login = [username, password].filter(Boolean).map(decoded);
  const query = [...searchParams].filter(([name, value]) => isCredentialName(name) || looksSecret(value));
  return [...login, ...query.map(([, value]) => value)];
}

/** Not every word on -key: `x-portkey-provider` is none. */
const credentialWord =
  /^(?:(?:x?api|access|auth|client|private|secret|service|subscription)?key|.*(?:auth|authorization|authentication|token|secret|password|passphrase|passwd|cookie|credentials?|jwt|signature|assertion)|pwd)$/;

function isCredentialName(name: string): boolean {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => credentialWord.test(word));
}

const scheme = /^(?:apikey|basic|bearer|digest|negotiate|ntlm|token|aws4-hmac-sha256)\s+\S/i;
const knownKey = /^(?:sk|pk|rk)[-_]|^gh[opsu]_|^glpat-|^xox[a-z]-|^AKIA|^eyJ/;

/** A scheme, the beginning of a known kind of key, or a run of letters and digits that is no word. */
function looksSecret(value: string): boolean {
  if (scheme.test(value) || knownKey.test(value)) return true;
  return value.split(/[^a-z0-9]+/i).some((run) => run.length >= 16 && /[a-z]/i.test(run) && /\d/.test(run));
}

/** A shorter part of a list may be any word. */
const leastPartChars = 8;

function partsOf(value: string): readonly string[] {
  const [, name = '', rest] = /^([\w-]+)\s+(\S.*)$/.exec(value) ?? [];
  const login = name.toLowerCase() === 'basic' && rest !== undefined ? decodedLogin(rest) : [];
  // Cookies, and the parameters of schemes that have several.
  const listed = [...value.matchAll(/[^\s=;,]+=\s*"?([^";,]+)/g)].flatMap(([, part]) => part?.trim() ?? []);
  return [
    value,
    ...(rest === undefined ? [] : [rest]),
    ...login,
    ...listed.filter(({ length }) => length >= leastPartChars),
    ...secretsInJson(value),
  ];
}

function decodedLogin(base64: string): readonly string[] {
  try {
    const login = atob(base64.trim());
    return [login, login.slice(login.indexOf(':') + 1)];
  } catch {
    return [];
  }
}

/** Gateways take whole configurations in a header. */
function secretsInJson(value: string): readonly string[] {
  return /^\s*[{[]/.test(value) ? secretsIn(parseJson(value)) : [];
}

function secretsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return isCredentialName(name) || looksSecret(value) ? partsOf(value) : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, name));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => secretsIn(item, key)) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
