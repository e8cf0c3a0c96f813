export interface ImageHeader {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** What the bytes themselves say they are; nothing when they are no whole image. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  try {
    return readPng(bytes) ?? readJpeg(bytes) ?? readGif(bytes) ?? readWebp(bytes);
  } catch (error) {
    // Reading past the end means that the image was cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(bytes: Buffer): ImageHeader | undefined {
  if (!bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return undefined;
  const chunks: string[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    chunks.push(bytes.toString('latin1', at + 4, at + 8));
    bytes.readUInt32BE(at + 8 + bytes.readUInt32BE(at));
  }
  if (chunks[0] !== 'IHDR' || !chunks.includes('IDAT') || chunks.at(-1) !== 'IEND') return undefined;
  return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

function readJpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return undefined;
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sized('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    if (marker === 0xda) return undefined;
  }
  return undefined;
}

function readGif(bytes: Buffer): ImageHeader | undefined {
  if (!/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) || bytes.at(-1) !== 0x3b) return undefined;
  return sized('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
}

function readWebp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length + 1) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized('image/webp', bytes.readUInt16LE(26) & 0x3f_ff, bytes.readUInt16LE(28) & 0x3f_ff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized('image/webp', (bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1);
    }
    case 'VP8X':
      return sized('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

function sized(mediaType: ImageHeader['mediaType'], width: number, height: number): ImageHeader | undefined {
  return width > 0 && height > 0 ? { mediaType, width, height } : undefined;
}
