import assert from 'node:assert/strict';
import { ToolError } from '../../../../../src/core/errors';
import { checkAddress } from '../../../../../src/core/tools/web/address';
import { isWebDomains, readableDomains, sentDomains } from '../../../../../src/core/tools/web/domains';

describe('addresses of the web', () => {
  it('L17: are http or https, of the open web, as they are sent', () => {
    assert.equal(
      checkAddress(' https://docs.example.com/a b?x=1 ', {}),
      'https://docs.example.com/a%20b?x=1',
    );
    assert.equal(checkAddress('http://93.184.216.34/', {}), 'http://93.184.216.34/');
  });

  for (const address of [
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com',
    'https://person:secret@example.com/',
    'http://localhost:3000/',
    'http://app.localhost/',
    'http://printer/',
    'http://nas.local/',
    'http://db.internal./',
    'http://localhost../',
    'http://127.0.0.1../',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.1.2.3/',
    'http://172.20.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    `https://example.com/${'x'.repeat(2000)}`,
    `https://example.com/ long as it is sent/${'é'.repeat(600)}`,
  ])
    it(`L17: refuses ${address.slice(0, 50)}`, () => {
      assert.throws(() => checkAddress(address, {}), ToolError);
    });

  it('L17: stay within the domains', () => {
    const domains = { allow: ['example.com'], block: ['ads.example.com'] };
    assert.ok(checkAddress('https://docs.example.com/', domains));
    for (const address of [
      'https://example.com.evil.net/',
      'https://notexample.com/',
      'https://x.ads.example.com/',
    ])
      assert.throws(() => checkAddress(address, domains), /webDomains does not allow/);
    assert.throws(() => checkAddress('https://EVIL.net./', { block: ['evil.net'] }), ToolError);
  });
});

describe('the domains of the web', () => {
  it('L17: are one list for the API, and what is blocked is not allowed', () => {
    assert.deepEqual(sentDomains({}), {});
    assert.deepEqual(sentDomains({ block: ['b.com'] }), { blocked_domains: ['b.com'] });
    assert.deepEqual(sentDomains({ allow: ['a.com', 'x.b.com'], block: ['b.com'] }), {
      allowed_domains: ['a.com'],
    });
    assert.equal(sentDomains({ allow: ['b.com'], block: ['b.com'] }), undefined);
  });

  it('L17: are domains, without schemes and paths', () => {
    assert.equal(isWebDomains({ allow: ['a.com'] }), true);
    for (const value of [
      [],
      { allow: 'a.com' },
      { allow: ['https://a.com'] },
      { deny: [] },
      { block: ['аpple.com'] },
    ])
      assert.equal(isWebDomains(value), false);
    assert.deepEqual(readableDomains({ block: ['a.com', 'https://b.com'], deny: [] }), {
      block: ['a.com'],
    });
  });

  it('L17: more dots at its end are no way round a blocked domain', () => {
    assert.throws(() => checkAddress('https://evil.example.com../', { block: ['example.com'] }), ToolError);
  });
});
