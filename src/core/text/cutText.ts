/** Where to cut at or before an index, never inside a character: half of one is not text. */
export function characterStart(text: string, index: number): number {
  return isInsideCharacter(text, index) ? index - 1 : index;
}

/** Where to cut at or behind an index. */
export function characterEnd(text: string, index: number): number {
  return isInsideCharacter(text, index) ? index + 1 : index;
}

/** The beginning of a text, as long as that at most. */
export function cutText(text: string, length: number): string {
  return text.slice(0, characterStart(text, length));
}

/** A part of a text, with `…` where something was left out. */
export function cutOut(text: string, start: number, end: number): string {
  const piece = text.slice(characterEnd(text, start), characterStart(text, end));
  return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`;
}

/**
 * The beginning of a text for people, who count characters and not what they are made of. One character is not cut off:
 * the mark for it takes the same room.
 */
export function ellipsize(text: string, maxCharacters: number): string {
  const characters = Array.from(text);
  if (characters.length <= maxCharacters + 1) return text;
  return `${characters.slice(0, maxCharacters).join('')}…`;
}

export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function isInsideCharacter(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}
