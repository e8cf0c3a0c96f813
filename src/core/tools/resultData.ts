import { checkImage, looksLikeImage, toImageBlock } from '../images';
import { isObject } from '../json';
import type { ImageBlock, TextBlock } from '../messages';
import { visibleLine } from './literalText';
import { looksBinary, showSize } from './readText';

/** VS Code puts a pointer in the place of what an MCP server embeds or links. This is its media type. */
export const resourceLinkType = 'application/vnd.code.resource-link';

export interface ResourceLink {
  readonly uri: {
    readonly scheme: string;
    readonly authority?: string;
    readonly path?: string;
    readonly query?: string;
    readonly fragment?: string;
  };
  readonly mimeType?: string;
}

/** Where such a pointer leads; undefined for one that is none. */
export function parseResourceLink(bytes: Uint8Array): ResourceLink | undefined {
  const pointer = parseJson(new TextDecoder().decode(bytes));
  if (!isObject(pointer) || !isObject(pointer['uri'])) return undefined;
  const { scheme, authority, path, query, fragment } = pointer['uri'];
  if (typeof scheme !== 'string') return undefined;
  const mimeType = pointer['underlyingMimeType'];
  return {
    uri: {
      scheme,
      ...(typeof authority === 'string' && { authority }),
      ...(typeof path === 'string' && { path }),
      ...(typeof query === 'string' && { query }),
      ...(typeof fragment === 'string' && { fragment }),
    },
    ...(typeof mimeType === 'string' && { mimeType }),
  };
}

/** Bytes that a tool returned, in the form that Claude takes: an image, a text, or a line that says what they are. */
export function dataBlock(bytes: Uint8Array, about: { readonly name?: string; readonly mimeType?: string }) {
  const { name, mimeType = 'unknown type' } = about;
  if (mimeType.startsWith('image/') || looksLikeImage(bytes)) {
    const check = checkImage(bytes);
    if (check.type === 'refused') return textBlock(`[Image left out: ${check.reason}]`);
    return toImageBlock(bytes, check.facts.type);
  }
  const label = name === undefined ? '' : `${visibleLine(name)}: `;
  if (isBinary(bytes)) {
    return textBlock(
      `[${label}${visibleLine(mimeType)}, ${showSize(bytes.length)}, not shown: it is no text]`,
    );
  }
  const text = new TextDecoder().decode(bytes);
  return textBlock(name === undefined ? text : `[${visibleLine(name)}]\n${text}`);
}

function textBlock(text: string): TextBlock | ImageBlock {
  return { type: 'text', text };
}

/** NUL in it, or no UTF-8 at all: sound, archives and the like. */
function isBinary(bytes: Uint8Array): boolean {
  if (looksBinary(bytes)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
