import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ToolError } from '../../src/core/errors';
import { checkAddress } from '../../src/core/tools/web/address';
import { isAllowedHost, isWebDomains, readableDomains } from '../../src/core/tools/web/domains';
import { hostileText, inShortTime, oddValue } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Addresses that Claude, or a page that it read, wants fetched. */
export function webAddressTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'web address',
    share: 6,
    input: fc.record({ address, local: localAddress, settings: fc.oneof(domains, oddValue) }),
    holds: async (given) => inShortTime(() => check(given)),
  });
}

const host = fc.oneof(
  fc.constantFrom(
    'example.com',
    'docs.Example.COM.',
    'evil.com',
    'example.com.evil.com',
    'xn--e1afmkfd.xn--p1ai',
    'EXÄMPLE.com',
  ),
  fc.domain(),
  hostileText,
);
const address = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'https://',
        'http://',
        'HTTPS:\\\\',
        'ftp://',
        'javascript:',
        'file:///',
        'https:',
        ' \n',
      ),
      host,
      hostileText,
    )
    .map(([scheme, name, rest]) => `${scheme}${name}/${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  hostileText,
);

/** The same few machines, in all spellings that a browser takes. */
const localAddress = fc
  .tuple(
    fc.constantFrom(
      [127, 0, 0, 1],
      [10, 1, 2, 3],
      [192, 168, 0, 1],
      [169, 254, 169, 254],
      [172, 20, 0, 9],
      [0, 0, 0, 0],
    ),
    fc.constantFrom('dotted', 'whole', 'hex', 'octal', 'mapped', 'wide', 'dot'),
    fc.constantFrom('http', 'https'),
  )
  .map(([numbers, spelling, scheme]) => `${scheme}://${spelled(numbers, spelling)}/latest/meta-data`);

function spelled(numbers: readonly number[], spelling: string): string {
  const dotted = numbers.join('.');
  const whole = numbers.reduce((sum, number) => sum * 256 + number, 0);
  if (spelling === 'whole') return String(whole);
  if (spelling === 'hex') return `0x${whole.toString(16)}`;
  if (spelling === 'octal') return numbers.map((number) => `0${number.toString(8)}`).join('.');
  if (spelling === 'mapped') return `[::ffff:${dotted}]`;
  if (spelling === 'wide')
    return dotted.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  return spelling === 'dot' ? `${dotted}.` : dotted;
}

const names = fc.array(fc.constantFrom('example.com', 'docs.example.com', 'com', 'evil.com', 'EXAMPLE.com'), {
  maxLength: 3,
});
const domains = fc.record({ allow: names, block: names }, { requiredKeys: [] });

function check({
  address: given,
  local,
  settings,
}: {
  address: string;
  local: string;
  settings: unknown;
}): void {
  const limits = isWebDomains(settings) ? settings : readableDomains(settings);
  const checked = (one: string) => {
    try {
      return checkAddress(one, limits);
    } catch (error) {
      assert.ok(error instanceof ToolError, `not a sentence for the model: ${String(error)}`);
      return undefined;
    }
  };
  assert.equal(checked(local), undefined, 'a machine nearby');
  const sent = checked(given);
  if (sent === undefined) return;
  const url = new URL(sent);
  assert.match(url.protocol, /^https?:$/);
  assert.deepEqual([url.username, url.password], ['', '']);
  assert.ok(isAllowedHost(url.hostname, limits) && url.hostname.includes('.'), url.hostname);
  for (const domain of limits.block ?? []) {
    const bare = url.hostname.replace(/\.$/, '');
    assert.ok(
      bare !== domain.toLowerCase() && !bare.endsWith(`.${domain.toLowerCase()}`),
      `${bare} is blocked`,
    );
  }
  assert.doesNotMatch(sent, /[\s\p{Cc}]/u);
  assert.equal(checked(sent), sent, 'what is sent is what was checked');
}
