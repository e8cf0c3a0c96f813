import { checkImage, looksLikeImage, toImageBlock } from '../media';
import type { ImageBlock, TextBlock } from '../messages';
import { isObject, parseJson } from '../text/json';
import { visibleLine } from '../text/plainText';
import { looksBinary, showSize } from './readText';

/** VS Code puts a pointer in the place of what an MCP server embeds or links. This is its media type. */
export const resourceLinkType = 'application/vnd.code.resource-link';

/** What is missing is empty. */
export interface ResourceLink {
  readonly uri: Readonly<Record<'scheme' | 'authority' | 'path' | 'query' | 'fragment', string>>;
  readonly mimeType: string;
}

/** Where such a pointer leads; undefined for one that is none. */
export function parseResourceLink(bytes: Uint8Array): ResourceLink | undefined {
  const pointer = parseJson(new TextDecoder().decode(bytes));
  if (!isObject(pointer) || !isObject(pointer['uri'])) return undefined;
  const { scheme, authority, path, query, fragment } = pointer['uri'];
  if (typeof scheme !== 'string') return undefined;
  return {
    uri: {
      scheme,
      authority: textOrNothing(authority),
      path: textOrNothing(path),
      query: textOrNothing(query),
      fragment: textOrNothing(fragment),
    },
    mimeType: textOrNothing(pointer['underlyingMimeType']),
  };
}

function textOrNothing(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Bytes that a tool returned, in the form that Claude takes: an image, a text, or a line that says what they are. */
export function dataBlock(bytes: Uint8Array, about: { readonly name?: string; readonly mimeType: string }) {
  const { name } = about;
  const mimeType = about.mimeType === '' ? 'unknown type' : about.mimeType;
  if (mimeType.startsWith('image/') || looksLikeImage(bytes)) {
    const check = checkImage(bytes);
    if (check.type === 'refused') return textBlock(`[Image left out: ${check.reason}]`);
    return toImageBlock(bytes, check.image.type);
  }
  const label = name === undefined ? '' : `${visibleLine(name)}: `;
  if (isBinary(bytes)) {
    return textBlock(
      `[${label}${visibleLine(mimeType)}, ${showSize(bytes.length)}, not shown: it is no text]`,
    );
  }
  const content = new TextDecoder().decode(bytes);
  return textBlock(name === undefined ? content : `[${visibleLine(name)}]\n${content}`);
}

function textBlock(content: string): TextBlock | ImageBlock {
  return { type: 'text', text: content };
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
