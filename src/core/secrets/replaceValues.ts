import { wellFormed } from '../text/json';

/** A shorter value is part of other words too easily: it counts only where it stands alone. */
const standsAloneBelow = 6;

/**
 * Puts something else in the place of these values, in whatever form they were written: in other letter case, with other
 * white space, or escaped for JSON, HTML or an address. The longest come first, all in one pass: what took the place of
 * one is not looked at again.
 */
export function replaceValues(
  values: Iterable<string>,
  replacementOf: (value: string) => string,
): (text: string) => string {
  const forms = [...values]
    .filter((value) => value.trim() !== '')
    .flatMap((value) =>
      // Blanks around it are no secret, and would be looked for from each of many.
      writtenForms(value.trim()).map((form) => ({ value, length: form.length, pieces: piecesOf(form) })),
    )
    .toSorted((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const anyHead = new RegExp(forms.flatMap(({ pieces: [head] }) => head?.source ?? []).join('|'), 'giu');
  return (text) => {
    const parts: string[] = [];
    let from = 0;
    anyHead.lastIndex = 0;
    for (let match = anyHead.exec(text); match; match = anyHead.exec(text)) {
      const { index } = match;
      let end: number | undefined;
      const found = forms.find(({ pieces }) => (end = endOf(pieces, text, index)) !== undefined);
      // A whole character further: from the middle of one it would find the same again.
      anyHead.lastIndex = end ?? index + String.fromCodePoint(text.codePointAt(index) ?? 0).length;
      if (!found) continue;
      parts.push(text.slice(from, index), replacementOf(found.value));
      from = anyHead.lastIndex;
    }
    return parts.join('') + text.slice(from);
  };
}

/** No expression could be as long as somebody's answer. None ends between blanks, which stand for any number of them. */
function piecesOf(form: string): readonly RegExp[] {
  const sources =
    form.length < standsAloneBelow
      ? [aloneSource(form)]
      : (form.match(/[^]{1,200}\s*\S?/gu) ?? []).map(toSource);
  return sources.map((source) => new RegExp(source, 'iuy'));
}

/** Where the last of them ends, if they all follow each other from there. */
function endOf(pieces: readonly RegExp[], text: string, start: number): number | undefined {
  let end = start;
  for (const piece of pieces) {
    piece.lastIndex = end;
    if (!piece.test(text)) return undefined;
    end = piece.lastIndex;
  }
  return end;
}

function writtenForms(value: string): readonly string[] {
  const json = jsonEscaped(value);
  const address = addressEscaped(value);
  return [
    ...new Set([
      value,
      value.normalize('NFC'),
      value.normalize('NFD'),
      json,
      jsonEscaped(json),
      asciiEscaped(json),
      address,
      address.replaceAll('%20', '+'),
      htmlEscaped(value),
    ]),
  ];
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiEscaped(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, unitEscaped);
}

function unitEscaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Half a character has no form in an address. */
function addressEscaped(text: string): string {
  return wellFormed(text) === text ? encodeURIComponent(text) : text;
}

function htmlEscaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
  };
  return text.replaceAll(/[&<>"']/g, (sign) => `&${names[sign]};`);
}

/** Scripts that are written without spaces: a value stands alone between their letters. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;

function toSource(form: string): string {
  return (
    form
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
      // Some write a slash in JSON with a backslash.
      .replaceAll('/', String.raw`\\?\/`)
      .replaceAll(/\s+/g, String.raw`\s+`)
  );
}

function aloneSource(form: string): string {
  const points = Array.from(form);
  return `(?<!${neighbour(points[0])})${toSource(form)}(?!${neighbour(points.at(-1))})`;
}

/** How much a text says: a sign of these scripts is as much as two letters. */
export function weightOf(text: string): number {
  return text.length + text.replaceAll(new RegExp(`(?!${unspaced}).`, 'gsu'), '').length;
}

/** What next to this character would make one word of the two. */
function neighbour(character = ''): string {
  if (/\p{N}/u.test(character)) return String.raw`\p{N}`;
  const isLetter = /\p{L}/u.test(character) && !new RegExp(unspaced, 'u').test(character);
  // Nothing at all stands next to the others.
  return isLetter ? String.raw`(?!${unspaced})\p{L}` : '[]';
}
