import assert from 'node:assert/strict';
import { credentialsOf } from '../../../../src/core/secrets/credentials';
import { redact } from '../../../../src/core/secrets/redact';

const credentialsIn = (headers: Readonly<Record<string, string>>): readonly string[] =>
  credentialsOf({ baseUrl: '', headers });
const credential = 'gw-7f3a9c21-SECRET-TOKEN';

describe('credentials in headers', () => {
  const hides = (headers: Readonly<Record<string, string>>, text: string, secret = credential): void => {
    const clean = redact(text, credentialsIn(headers));
    assert.ok(!clean.includes(secret), `${JSON.stringify(headers)}: ${clean}`);
  };

  it('S7, A34: are what follows the scheme, and not only the whole value', () => {
    for (const scheme of ['Bearer', 'bearer', 'Token', 'ApiKey']) {
      const headers = { authorization: `${scheme} ${credential}` };
      assert.equal(
        redact(`Received API Key = ${credential}`, credentialsIn(headers)),
        'Received API Key = [key]',
      );
    }
  });

  it('S7, A34: are known by the name of their header, however a gateway calls it', () => {
    for (const name of [
      ...[
        'Authorization',
        'Proxy-Authorization',
        'X-Api-Key',
        'api-key',
        'apikey',
        'Cookie',
        'Helicone-Auth',
      ],
      ...['x-portkey-api-key', 'x-portkey-virtual-key', 'cf-aig-authorization', 'CF-Access-Client-Secret'],
      ...[
        'Ocp-Apim-Subscription-Key',
        'X-Goog-Api-Key',
        'X-Amz-Security-Token',
        'x_vault_token',
        'X-Password',
      ],
    ]) {
      hides({ [name]: 'open sesame now' }, 'said: open sesame now', 'sesame');
    }
  });

  it('S7, A34: are known by their looks under a name that says nothing', () => {
    hides({ 'x-team': `Bearer ${credential}` }, `no access for ${credential}`);
    hides({ 'x-gateway': 'a81b0cde92ff4410' }, 'bad a81b0cde92ff4410', 'a81b0cde92ff4410');
    hides({ 'x-gateway': 'sk-live-house' }, 'bad sk-live-house', 'sk-live-house');
    const config = JSON.stringify({ provider: 'anthropic', api_key: credential, retry: { attempts: 3 } });
    hides({ 'x-portkey-config': config }, `bad ${credential}`);
    assert.equal(redact('anthropic error', credentialsIn({ 'x-portkey-config': config })), 'anthropic error');
  });

  it('S7, A34: are each cookie, and both sides of a basic login', () => {
    hides({ cookie: `theme=dark; session=${credential}` }, `session ${credential} has expired`);
    const login = btoa(`anna:${credential}`);
    hides({ 'proxy-authorization': `Basic ${login}` }, `no access for ${login}`, login);
    hides({ 'proxy-authorization': `Basic ${login}` }, `wrong password ${credential}`);
    hides({ authorization: `Digest username="anna", response="${credential}"` }, `bad ${credential}`);
  });

  it('S7, A34: are the login and the keys in an address', () => {
    const address = 'https://anna:open%20sesame@gateway.example.com/claude?team=blue&api_key=in-the-query';
    const clean = redact(
      `${address} for open sesame, blue`,
      credentialsOf({ baseUrl: address, headers: {} }),
    );
    assert.equal(
      clean,
      'https://[key]:[key]@gateway.example.com/claude?team=blue&api_key=[key] for [key], blue',
    );
  });

  it('D7: are not the values of other headers, which stay in what is said', () => {
    const headers = {
      ...{ 'x-portkey-provider': 'anthropic', 'x-team': 'blue', 'helicone-session-name': 'refactoring' },
      ...{ 'anthropic-beta': 'context-1m-2025-08-07', 'x-monitor': 'https://watch.example.com/claude' },
    };
    const said = 'anthropic error: blue is not allowed context-1m-2025-08-07 while refactoring';
    assert.equal(redact(said, credentialsIn(headers)), said);
  });
});

describe('redact', () => {
  it('S7, A34: finds a secret in whatever form it is repeated', () => {
    const secret = 'gw "7f3a"/9c+Ü&21';
    for (const form of [
      secret,
      secret.toLowerCase(),
      secret.replace(' ', '\n  '),
      JSON.stringify({ key: secret }),
      JSON.stringify(JSON.stringify({ key: secret })),
      JSON.stringify(secret)
        .replaceAll('Ü', String.raw`\u00dc`)
        .replaceAll('/', String.raw`\/`),
      `https://gateway/?key=${encodeURIComponent(secret)}`,
      `https://gateway/?key=${encodeURIComponent(secret).replaceAll('%20', '+')}`,
      'gw &quot;7f3a&quot;/9c+Ü&amp;21',
      Buffer.from(secret).toString('base64'),
      `prefix${secret}suffix`,
    ]) {
      const clean = redact(`before ${form} after`, [secret]);
      assert.match(clean, /^before .*\[key\].* after$/s, form);
      assert.doesNotMatch(clean, /7f3a|9c\+/i, clean);
    }
  });

  it('S7: leaves nothing of a longer secret because a shorter one is its beginning', () => {
    assert.equal(redact('it is abcd-efgh', ['abcd', 'abcd-efgh']), 'it is [key]');
  });

  it('does not tear words apart for a secret of a few letters', () => {
    assert.equal(redact('the latest test', ['test']), 'the latest [key]');
    assert.equal(redact('at testing, a test', ['test']), 'at testing, a [key]');
    assert.equal(redact('FOO-77 and O-77', ['O-77']), 'FOO-77 and [key]');
    assert.equal(redact('7-OOd and 7-OO', ['7-OO']), '7-OOd and [key]');
    assert.equal(redact('x7-OO and 17-OO', ['7-OO']), 'x[key] and 17-OO');
  });
});
