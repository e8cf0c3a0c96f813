import { toBase64 } from './base64';
import type { ImageBlock } from './messages';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

interface ImageFacts {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** What the bytes of an image say, or why Claude would not take it: one bad image would spoil every later request. */
export type ImageCheck =
  | { readonly type: 'accepted'; readonly facts: ImageFacts }
  | { readonly type: 'refused'; readonly reason: string };

const maxBase64Chars = 10 * 1024 * 1024;
const maxPixels = 8000;

export function checkImage(bytes: Uint8Array): ImageCheck {
  const base64Chars = Math.ceil(bytes.length / 3) * 4;
  if (base64Chars > maxBase64Chars) {
    return refused(`it is too large (${(bytes.length / 1024 / 1024).toFixed(1)} MB, at most 7.5 MB)`);
  }
  const facts = readFacts(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!facts) return refused('it is not a complete PNG, JPEG, GIF or WebP image');
  const { width, height } = facts;
  if (Math.max(width, height) > maxPixels) {
    return refused(`it has ${width} × ${height} pixels, at most ${maxPixels} are possible`);
  }
  return { type: 'accepted', facts };
}

/** By its first bytes, whatever its name says. */
export function looksLikeImage(head: Uint8Array): boolean {
  const start = String.fromCharCode(...head.subarray(0, 12));
  return /^(\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF.{4}WEBP)/s.test(start);
}

/** The block for an image of ours; its type comes from its bytes, whatever its name says. */
export function toImageBlock(bytes: Uint8Array, type: ImageType): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: type, data: toBase64(bytes) } };
}

/** The bytes of a base64 text; undefined when it is none, or too long for Claude anyway. */
export function fromBase64(data: string): Uint8Array | undefined {
  if (data.length > maxBase64Chars) return undefined;
  try {
    const binary = atob(data);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    // Not base64 at all: the caller treats it as no image.
    return undefined;
  }
}

function refused(reason: string): ImageCheck {
  return { type: 'refused', reason };
}

function readFacts(view: DataView): ImageFacts | undefined {
  try {
    const facts = readPng(view) ?? readJpeg(view) ?? readGif(view) ?? readWebp(view);
    return facts && facts.width > 0 && facts.height > 0 ? facts : undefined;
  } catch (error) {
    // Reading past the end: the image was cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(view: DataView): ImageFacts | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  if (latin1(view, 12, 4) !== 'IHDR') return undefined;
  let hasData = false;
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    const name = latin1(view, at + 4, 4);
    if (name === 'IDAT') hasData = true;
    if (name !== 'IEND') continue;
    if (!hasData) return undefined;
    return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  }
}

function readJpeg(view: DataView): ImageFacts | undefined {
  if (view.getUint16(0) !== 0xffd8 || !endsAsJpeg(view)) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Any marker may be preceded by fill bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Some cameras write data of their own after the end mark. */
function endsAsJpeg(view: DataView): boolean {
  for (let at = view.byteLength - 2; at >= 2; at--) if (view.getUint16(at) === 0xffd9) return true;
  return false;
}

function readGif(view: DataView): ImageFacts | undefined {
  if (!/^GIF8[79]a$/.test(latin1(view, 0, 6)) || view.getUint8(view.byteLength - 1) !== 0x3b)
    return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageFacts | undefined {
  if (latin1(view, 0, 4) !== 'RIFF' || latin1(view, 8, 4) !== 'WEBP') return undefined;
  if (view.getUint32(4, true) + 8 > view.byteLength + 1) return undefined;
  switch (latin1(view, 12, 4)) {
    case 'VP8 ':
      return webp(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return webp((view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1);
    default:
      return undefined;
  }
}

function webp(width: number, height: number): ImageFacts {
  return { type: 'image/webp', width, height };
}

function latin1(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));
}
