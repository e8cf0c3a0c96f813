import type { ImageBlock } from '../messages';

type MediaType = Extract<ImageBlock['source'], { readonly type: 'base64' }>['media_type'];

/** The kind of image by its first bytes, whatever the name says; undefined for all else. */
export function imageTypeOf(bytes: Uint8Array): MediaType | undefined {
  const starts = (...expected: readonly number[]) => expected.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  const isRiff = starts(0x52, 0x49, 0x46, 0x46);
  const isWebp = [0x57, 0x45, 0x42, 0x50].every((byte, at) => bytes[at + 8] === byte);
  return isRiff && isWebp ? 'image/webp' : undefined;
}

export function toImageBlock(mediaType: MediaType, bytes: Uint8Array): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: toBase64(bytes) } };
}

function toBase64(bytes: Uint8Array): string {
  const slice = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += slice) {
    binary += String.fromCharCode(...bytes.subarray(at, at + slice));
  }
  return btoa(binary);
}
