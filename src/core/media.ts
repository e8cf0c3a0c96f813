import * as l10n from '@vscode/l10n';
import type { DocumentBlock, ImageBlock } from './messages';
import { decimal } from './text/figures';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

interface ImageInfo {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** What the bytes of an image say, or why Claude would not accept it: one bad image would make every later request fail. */
export type ImageCheck =
  | { readonly type: 'accepted'; readonly image: ImageInfo }
  | ({ readonly type: 'refused' } & Refusal);

/** Why something is left out. What Claude gets does not depend on the language of the user, so it is said twice. */
export interface Refusal {
  /** For Claude. */
  readonly reason: string;
  /** For the user. */
  readonly shown: string;
}

const maxBase64Chars = 10 * 1024 * 1024;
const maxPixels = 8000;

export function checkImage(bytes: Uint8Array): ImageCheck {
  const base64Chars = Math.ceil(bytes.length / 3) * 4;
  if (base64Chars > maxBase64Chars) {
    return { type: 'refused', ...tooLarge(bytes, 7.5) };
  }
  const image = readInfo(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!image) {
    return {
      type: 'refused',
      reason: 'it is not a complete PNG, JPEG, GIF or WebP image',
      shown: l10n.t('it is not a complete PNG, JPEG, GIF or WebP image'),
    };
  }
  const { width, height } = image;
  if (Math.max(width, height) > maxPixels) {
    return {
      type: 'refused',
      reason: `it has ${width} × ${height} pixels, at most ${maxPixels} are possible`,
      shown: l10n.t('it has {0} × {1} pixels, at most {2} are possible', width, height, maxPixels),
    };
  }
  return { type: 'accepted', image };
}

/** By its first bytes, whatever its name says. */
export function looksLikeImage(head: Uint8Array): boolean {
  const start = String.fromCharCode(...head.subarray(0, 12));
  return /^(\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF.{4}WEBP)/s.test(start);
}

export function toImageBlock(bytes: Uint8Array, type: ImageType): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: type, data: toBase64(bytes) } };
}

/** The bytes of a base64 text; undefined when it is not base64, or too long for Claude anyway. */
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

function readInfo(view: DataView): ImageInfo | undefined {
  try {
    const image = readPng(view) ?? readJpeg(view) ?? readGif(view) ?? readWebp(view);
    return image && image.width > 0 && image.height > 0 ? image : undefined;
  } catch (error) {
    // Reading past the end: the image was cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(view: DataView): ImageInfo | undefined {
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

function readJpeg(view: DataView): ImageInfo | undefined {
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

function readGif(view: DataView): ImageInfo | undefined {
  if (!/^GIF8[79]a$/.test(latin1(view, 0, 6)) || view.getUint8(view.byteLength - 1) !== 0x3b)
    return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageInfo | undefined {
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

function webp(width: number, height: number): ImageInfo {
  return { type: 'image/webp', width, height };
}

function latin1(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));
}

/** As base64 it must leave room in a request of 32 MB. */
const maxPdfBytes = 16 * 1024 * 1024;

/** By its first bytes, whatever its name says. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return asLatin1(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** Why Claude would not accept a PDF; undefined when it would. */
export function checkPdf(bytes: Uint8Array): Refusal | undefined {
  if (bytes.length > maxPdfBytes) return tooLarge(bytes, 16);
  if (!looksLikePdf(bytes) || !asLatin1(bytes.subarray(-2048)).includes('%%EOF'))
    return { reason: 'it is not a complete PDF', shown: l10n.t('it is not a complete PDF') };
  if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(asLatin1(bytes)))
    return { reason: 'it is protected with a password', shown: l10n.t('it is protected with a password') };
  return undefined;
}

function tooLarge({ length }: Uint8Array, most: number): Refusal {
  const size = length / 1024 / 1024;
  return {
    reason: `it is too large (${size.toFixed(1)} MB, at most ${most} MB)`,
    shown: l10n.t(
      'it is too large ({0} MB, at most {1} MB)',
      decimal(size, 1),
      decimal(most, most % 1 === 0 ? 0 : 1),
    ),
  };
}

export function toPdfBlock(bytes: Uint8Array, name: string): DocumentBlock {
  return {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: toBase64(bytes) },
    title: name,
  };
}

function asLatin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // In pieces, because a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(''));
}
