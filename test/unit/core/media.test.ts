import assert from 'node:assert/strict';
import { ImageGate } from '../../../src/core/agent/imageGate';
import { checkImage, fromBase64, toImageBlock } from '../../../src/core/media';

/** In English the user reads what Claude does. */
const refusal = (reason: string) => ({ type: 'refused', reason, shown: reason });

describe('checkImage', () => {
  it('F15: tells the type and size of an image by its bytes', () => {
    assert.deepEqual(
      [
        png(30, 20),
        gif(30, 20),
        jpeg(30, 20),
        webpLossy(30, 20),
        webpLossless(30, 20),
        webpExtended(30, 20),
      ].map((bytes) => {
        const check = checkImage(bytes);
        return check.type === 'accepted' && `${check.image.type} ${check.image.width}x${check.image.height}`;
      }),
      [
        'image/png 30x20',
        'image/gif 30x20',
        'image/jpeg 30x20',
        'image/webp 30x20',
        'image/webp 30x20',
        'image/webp 30x20',
      ],
    );
  });

  it('F15: refuses what is broken, cut off, or no image', () => {
    for (const bytes of [
      new Uint8Array(),
      Buffer.from('<svg/>'),
      png(30, 20).subarray(0, 40),
      jpeg(30, 20).subarray(0, 20),
      gif(30, 20).subarray(0, 12),
      webpLossy(30, 20).subarray(0, 20),
      png(0, 20),
      Buffer.from(png(30, 20)).fill('x', 12, 16),
    ]) {
      assert.deepEqual(checkImage(bytes), refusal('it is not a complete PNG, JPEG, GIF or WebP image'));
    }
  });

  it('F15: refuses what is too large, in bytes or in pixels', () => {
    assert.deepEqual(
      checkImage(new Uint8Array(20 * 1024 * 1024)),
      refusal('it is too large (20.0 MB, at most 7.5 MB)'),
    );
    assert.deepEqual(
      checkImage(png(9000, 10)),
      refusal('it has 9000 × 10 pixels, at most 8000 are possible'),
    );
  });

  it('writes bytes as base64 and back', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
    const block = toImageBlock(bytes, 'image/png');
    assert.ok(block.source.type === 'base64');
    assert.equal(block.source.data, Buffer.from(bytes).toString('base64'));
    assert.deepEqual(fromBase64(block.source.data), bytes);
  });
});

describe('ImageGate', () => {
  it('F15: corrects a wrong media type', () => {
    const block = new ImageGate().admit(toImageBlock(gif(3, 2), 'image/png'));
    assert.ok(block.type === 'image' && block.source.type === 'base64');
    assert.equal(block.source.media_type, 'image/gif');
  });

  it('F15: lets twenty images into a turn', () => {
    const gate = new ImageGate();
    const { content, refused } = gate.admitAll(
      Array.from({ length: 21 }, () => toImageBlock(gif(3, 2), 'image/gif')),
    );
    assert.equal(refused, 1);
    assert.deepEqual(content.at(-1), {
      type: 'text',
      text: '[Image left out: at most 20 images fit into one turn]',
    });
  });

  it('F15: keeps the images of a turn below the size of a request', () => {
    const gate = new ImageGate();
    const large = toImageBlock(
      Buffer.concat([gif(3, 2).subarray(0, 13), Buffer.alloc(7_000_000), Buffer.from(';')]),
      'image/gif',
    );
    assert.deepEqual(
      [1, 2, 3].map(() => gate.admit(large).type),
      ['image', 'image', 'text'],
    );
  });
});

function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(9)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
}

function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from('GIF89a\0\0\0\0\0\0\0;', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const comment = Buffer.from('fffe00046869', 'hex');
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    comment,
    Buffer.from('ff', 'hex'),
    frame,
    Buffer.from('ffda0000ffd9', 'hex'),
  ]);
}

function riff(kind: string, body: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.from(kind), Buffer.alloc(4), body]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

function webpLossy(width: number, height: number): Buffer {
  const body = Buffer.alloc(10);
  body.writeUInt16LE(width, 6);
  body.writeUInt16LE(height, 8);
  return riff('VP8 ', body);
}

function webpLossless(width: number, height: number): Buffer {
  const body = Buffer.alloc(5, 0x2f);
  body.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return riff('VP8L', body);
}

function webpExtended(width: number, height: number): Buffer {
  const body = Buffer.alloc(10);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return riff('VP8X', body);
}
