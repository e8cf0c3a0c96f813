import { isObject } from '../core/json';
import { parseJson } from './parseJson';

/** More than any sentence, and less than what would fill a panel. */
const maxChars = 300;
/** A page may be as long as it likes; what is said stands at its beginning. */
const maxReadChars = 20_000;
const maxDepth = 5;

/**
 * What somebody other than Claude said with an error, as plain text in one line; empty where nothing can be read.
 * `clean` takes the secrets out of it, before anything is cut that might leave half of one.
 */
export function foreignWords(body: unknown, clean: (text: string) => string): string {
  const words = typeof body === 'string' ? wordsInText(body, clean) : wordsInJson(body, maxDepth);
  const line = clean(words)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length > maxChars
    ? `${Array.from(line)
        .slice(0, maxChars - 1)
        .join('')}…`
    : line;
}

/** The same as it came. */
export function rawWords(body: unknown): string {
  return typeof body === 'string' ? body.slice(0, maxReadChars) : wordsInJson(body, maxDepth);
}

function wordsInText(text: string, clean: (text: string) => string): string {
  const json = parseJson(text);
  if (json !== undefined) return wordsInJson(json, maxDepth);
  const beginning = clean(text.slice(0, maxReadChars)).slice(0, maxReadChars * 0.9);
  return /<(?:!doctype|html|head|body|title|h1|p)\b/i.test(beginning) ? wordsInPage(beginning) : beginning;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function wordsInPage(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[^]*?<\/\1\s*>|<!--[^]*?-->|<[^>]*>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ');
}

/** Where the forms that are common say what is wrong. */
const tellingNames = [
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

function wordsInJson(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth === 0) return '';
  if (Array.isArray(value)) {
    const each = value.slice(0, 5).map((item) => wordsInJson(item, depth - 1));
    return each.filter((words) => words !== '').join('; ');
  }
  if (!isObject(value)) return '';
  return tellingNames.map((name) => wordsInJson(value[name], depth - 1)).find((words) => words !== '') ?? '';
}
