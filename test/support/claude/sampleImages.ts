import { randomFillSync } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';

/** A real, decodable PNG of this size: grey, one bit a pixel. */
export function png(width: number, height: number): Buffer {
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return encoded(width, height, { depth: 1, colour: 0 }, rows);
}

function encoded(
  width: number,
  height: number,
  { depth, colour }: { readonly depth: number; readonly colour: number },
  rows: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(depth, 8);
  header.writeUInt8(colour, 9);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A real PNG that nothing can compress: three bytes a pixel. */
export function noise(width: number, height: number): Buffer {
  const rows = randomFillSync(Buffer.alloc((1 + width * 3) * height));
  // The first byte of each row names its filter; 0 is none.
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0;
  return encoded(width, height, { depth: 8, colour: 2 }, rows);
}

/** The frame of a JPEG of this size, as far as a reader of headers goes. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc00011080000000003012200021101031101', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const jfif = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    jfif,
    frame,
    Buffer.from('ffda0008010100003f00ffd9', 'hex'),
  ]);
}

export function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from('474946383961000000008000000000000000002c00000000010001000002024401003b', 'hex');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** A lossless WebP's header of this size. */
export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.from('5249464614000000574542505650384c070000002f00000000000000', 'hex');
  bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
