import assert from 'node:assert/strict';
import { dataBlock, parseResourceLink } from '../../../../src/core/tools/resultData';
import { png } from '../../../support/claude/sampleImages';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('what tools of others return', () => {
  it('is a text where it is one, under its name', () => {
    assert.deepEqual(dataBlock(bytes('{"a":1}'), { mimeType: 'application/json' }), {
      type: 'text',
      text: '{"a":1}',
    });
    assert.deepEqual(dataBlock(bytes('hello'), { name: 'demo://text/1', mimeType: 'text/plain' }), {
      type: 'text',
      text: '[demo://text/1]\nhello',
    });
  });

  it('is an image by its bytes, whatever its type says', () => {
    assert.equal(dataBlock(png(2, 2), { mimeType: 'application/octet-stream' }).type, 'image');
    assert.deepEqual(dataBlock(bytes('no image'), { mimeType: 'image/png' }), {
      type: 'text',
      text: '[Image left out: it is not a complete PNG, JPEG, GIF or WebP image]',
    });
  });

  it('is named, and not shown, when it is neither', () => {
    assert.deepEqual(
      dataBlock(new Uint8Array([0x1f, 0x8b, 8, 0]), { name: 'a\nb.gz', mimeType: 'application/gzip' }),
      {
        type: 'text',
        text: '[a⏎b.gz: application/gzip, 4 bytes, not shown: it is no text]',
      },
    );
    assert.match(
      JSON.stringify(dataBlock(new Uint8Array([0xff, 0xfb, 0x90]), { mimeType: 'audio/mpeg' })),
      /audio\/mpeg, 3 bytes/,
    );
  });

  it('leads to what VS Code keeps by a pointer, if it is one', () => {
    const uri = { $mid: 1, scheme: 'mcp-resource', authority: 'ab', path: '/demo/x/1', evil: 1 };
    assert.deepEqual(parseResourceLink(bytes(JSON.stringify({ uri, underlyingMimeType: 'text/plain' }))), {
      uri: { scheme: 'mcp-resource', authority: 'ab', path: '/demo/x/1', query: '', fragment: '' },
      mimeType: 'text/plain',
    });
    for (const text of ['', '{', 'null', '[]', '{"uri":"file:///etc/passwd"}', '{"uri":{"path":"/x"}}']) {
      assert.equal(parseResourceLink(bytes(text)), undefined, text);
    }
  });
});
