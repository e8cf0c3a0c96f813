import { toBase64 } from './base64';
import type { DocumentBlock } from './messages';

/** As base64 it must leave room in a request of 32 MB. */
const maxBytes = 16 * 1024 * 1024;

/** By its first bytes, whatever its name says. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** Why Claude would not take a PDF; undefined when it would. */
export function checkPdf(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxBytes) {
    return `it is too large (${(bytes.length / 1024 / 1024).toFixed(1)} MB, at most 16 MB)`;
  }
  if (!looksLikePdf(bytes) || !latin1(bytes.subarray(-2048)).includes('%%EOF'))
    return 'it is not a complete PDF';
  if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(latin1(bytes))) return 'it is protected with a password';
  return undefined;
}

export function toPdfBlock(bytes: Uint8Array, name: string): DocumentBlock {
  return {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: toBase64(bytes) },
    title: name,
  };
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
