import { ellipsize } from '../core/text/cutText';
import { isObject, parseJson } from '../core/text/json';

/** More than any sentence, and less than what would fill a panel. */
const maxChars = 300;
/** Of a page only the beginning is read. */
const maxReadChars = 20_000;
const maxDepth = 5;

/**
 * What someone other than Claude said with an error, as plain text in one line; empty when nothing is readable. `clean`
 * removes secrets, before anything is cut: half of one would not be found.
 */
export function gatewayMessage(body: unknown, clean: (text: string) => string): string {
  const words = typeof body === 'string' ? messageInText(body, clean) : messageInJson(body, maxDepth);
  const line = clean(words)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length > maxChars ? ellipsize(line, maxChars - 1) : line;
}

/** The same, unchanged. */
export function rawMessage(body: unknown): string {
  return typeof body === 'string' ? body.slice(0, maxReadChars) : messageInJson(body, maxDepth);
}

function messageInText(text: string, clean: (text: string) => string): string {
  const json = parseJson(text);
  if (json !== undefined) return messageInJson(json, maxDepth);
  const beginning = clean(text.slice(0, maxReadChars)).slice(0, maxReadChars * 0.9);
  return /<(?:!doctype|html|head|body|title|h1|p)\b/i.test(beginning) ? messageInPage(beginning) : beginning;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function messageInPage(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[^]*?<\/\1\s*>|<!--[^]*?-->|<[^>]*>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ');
}

/** Where common error formats have their message. */
const messageKeys = [
  'message',
  'error',
  'errors',
  'detail',
  'details',
  'msg',
  'error_description',
  'title',
  'reason',
];

function messageInJson(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth === 0) return '';
  if (Array.isArray(value)) {
    const each = value.slice(0, 5).map((item) => messageInJson(item, depth - 1));
    return each.filter((words) => words !== '').join('; ');
  }
  if (!isObject(value)) return '';
  return messageKeys.map((name) => messageInJson(value[name], depth - 1)).find((words) => words !== '') ?? '';
}
