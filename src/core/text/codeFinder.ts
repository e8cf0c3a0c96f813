/**
 * What a line is: the edge of a fence, code in one, text whose code spans are beyond doubt, or text of which nobody
 * knows what in it is code.
 */
export type LineKind = 'edge' | 'code' | 'clear' | 'doubtful';

/**
 * Finds the code in Markdown, line by line. VS Code has several kinds of Markdown, which know tables, formulas and
 * titles of links over several lines: only what is code in all of them is called code.
 */
export class CodeFinder {
  /** The characters of the fence that is open. */
  fence: string | undefined;
  readonly #opening: RegExp;
  /** One in a list, perhaps: whatever is further to the left may end it. What is not is code where it `isSure`. */
  #inList: { readonly fence: string; readonly indent: number; readonly isSure: boolean } | undefined;
  /** Until the next empty line: a code span, a tag, a link or a formula may have begun. */
  #isDoubtful = false;
  /** A quotation goes on until the next empty line. */
  #isQuoted = false;
  /** The empty line behind such a one may be no end of a paragraph in a list. */
  #isIndented = false;
  /** Until the next empty line a fence may belong to HTML. */
  #isTag = false;
  /** For good: nobody knows any more where a fence begins and where one ends. */
  #isLost = false;
  #isFirst = true;

  constructor(opening: RegExp) {
    this.#opening = opening;
  }

  read(lineWithEnd: string): LineKind {
    const line = lineWithEnd.replace(/[\r\n]+$/, '');
    if (this.fence !== undefined) return this.#readCode(line, this.fence);
    this.#isLost ||= this.#isFirst && /^-{3,}[ \t]*$/.test(line);
    this.#isFirst = false;
    if (/^[ \t]*$/.test(line)) {
      this.#isQuoted = false;
      this.#isDoubtful &&= this.#isIndented;
      this.#isTag = false;
      return 'clear';
    }
    // What follows a list right below a quotation may lose its first character.
    this.#isLost ||= this.#isQuoted && /^ *(?:[-*+]|\d+[.)])/.test(line);
    this.#isQuoted ||= /^ {0,3}>/.test(line);
    this.#isIndented = /^(?: {4}| {0,3}\t)/.test(line);
    const [, ...fences] = (!this.#inList && this.#opening.exec(line)) || [];
    const fence = fences.find(Boolean);
    // Such a line may be the head of a table.
    this.#isLost ||= fence !== undefined && (this.#isTag || line.includes('|'));
    if (fence !== undefined && !this.#isLost) {
      this.fence = fence;
      this.#isDoubtful = false;
      this.#isQuoted = false;
      return 'edge';
    }
    const before = this.#inList;
    this.#followList(line);
    const list = this.#inList ?? before;
    if (list?.isSure && !this.#isLost) {
      this.#isDoubtful = false;
      return before === this.#inList ? 'code' : 'edge';
    }
    // What was left open above ends there.
    if (!this.#isTag && startsItem.test(line)) this.#isDoubtful = false;
    const words = line.replace(markers, '');
    this.#isLost ||= takesFences.test(words);
    this.#isTag ||= words.startsWith('<');
    this.#isDoubtful ||= this.#inList !== undefined || !hasClearSpans(line);
    return this.#isDoubtful ? 'doubtful' : 'clear';
  }

  /** What follows may go on with what was read, or stand by itself. */
  cut(): void {
    this.#isLost ||= this.fence !== undefined || this.#inList !== undefined;
    this.fence = undefined;
    this.#isDoubtful = true;
  }

  /** A line of which only a part is known. */
  readPart(part: string): LineKind {
    this.#isLost ||= this.fence !== undefined || partOfBlock.test(part);
    this.#isDoubtful = true;
    this.#isIndented ||= /\S/.test(part);
    return this.kindOfPart;
  }

  /** … whatever its other part is. */
  get kindOfPart(): LineKind {
    return this.fence === undefined ? 'doubtful' : 'code';
  }

  #readCode(line: string, fence: string): LineKind {
    const end = endOfFence(line, fence);
    if (!end || !/^ {0,3}$/.test(end.before)) return 'code';
    this.fence = undefined;
    this.#isLost ||= !end.isSure;
    return 'edge';
  }

  #followList(line: string): void {
    const indent = line.search(/\S/);
    if (!this.#inList) {
      const [, before = '', fence] = innerFence.exec(line) ?? [];
      if (fence === undefined) return;
      if (/[\t>]/.test(before)) this.#isLost = true;
      else {
        const isSure = !this.#isLost && !this.#isTag && /^ {1,3}$/.test(before) && !line.includes('|');
        this.#inList = { fence, indent: before.length, isSure };
      }
      return;
    }
    const end = endOfFence(line, this.#inList.fence);
    if (end?.isSure && end.before === ' '.repeat(this.#inList.indent)) this.#inList = undefined;
    else if (end || indent < this.#inList.indent || line.slice(0, this.#inList.indent).includes('\t'))
      this.#isLost = true;
  }
}

/** What stands before a fence in a line that ends it, which not everywhere one does with more behind it. */
function endOfFence(line: string, fence: string) {
  const [, before = '', edge, rest = ''] = /^([ \t]*)(`+(?!`)|~+(?!~))([`~ \t]*)$/.exec(line) ?? [];
  return edge?.startsWith(fence) ? { before, isSure: /^ *$/.test(rest) } : undefined;
}

/** All lines at once: what is doubtful in a paragraph makes doubtful what stands before it in there, too. */
export function kindsOf(lines: readonly string[], code: CodeFinder): readonly LineKind[] {
  const kinds = lines.map((line) => code.read(line));
  for (let index = kinds.length - 2; index >= 0; index--) {
    const isApart = /^[ \t\r\n]*$/.test(lines[index] ?? '') || startsItem.test(lines[index + 1] ?? '');
    if (kinds[index] === 'clear' && kinds[index + 1] === 'doubtful' && !isApart) kinds[index] = 'doubtful';
  }
  return kinds;
}

/** Changes what is, or may be, anything but code. */
export function changeText(line: string, kind: LineKind, change: (text: string) => string): string {
  if (kind === 'code') return line;
  // A fence in the last line is none everywhere.
  if (kind !== 'clear') return change(line);
  return line.replaceAll(pieces, (piece: string, ticks: string | undefined) =>
    ticks === undefined && !/^\\./s.test(piece) ? change(piece) : piece,
  );
}

/** Each with its end, of which the last one may lack a part. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r(?=[^\n]))|[^\r\n]+\r?$|\r$/g) ?? [];
}

/** A fence that can belong to no list and to no quotation. */
export const fenceAtMargin = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** What, with more behind it, may begin anything. */
export const partOfBlock = /^\s*[^\p{L}\p{N}\s]/u;

const mark = String.raw`[ \t>]|[-*+](?=[ \t])|\d+[.)](?=[ \t])|\[[ xX]\](?=[ \t])`;

/** What may stand before the words of a line, in lists, quotations and tasks. */
const markers = new RegExp(`^(?:${mark})+`);

/** What gives a name to an address, or the end of that: another bracket before it makes it code or text. */
export const definition = new RegExp(`^(?:(?:${mark})*\\[)?[^[\\]]*\\]:`);

/** A fence behind such marks. */
const innerFence = new RegExp(`^((?:${mark})*)(\`{3,}(?=[^\`]*$)|~{3,}).*$`);

/** An item of a list that no paragraph goes on into, nor a heading of several lines. */
const startsItem = /^[-*+] +\S/;

/** What may take a fence for its own text: formulas, titles of links, comments and code of HTML. */
const takesFences = /^(?:\$(?:\$|\s*$)|\\begin\b|\[[^\]]*\]:|<(?:[!?]|pre\b|script\b|style\b|textarea\b))/i;

/** Pieces of a line: code spans, escaped characters, runs of backticks that open nothing, and the rest. */
const pieces = /(?<ticks>`+)(?:(?=[^`])(?:.*?[^`])\k<ticks>(?!`))?|\\.|[^`\\]+|\\/gs;

/** Tags, links that are not plain, formulas, and words that are struck out or, right before a backtick, addresses. */
function takesTicks(piece: string): boolean {
  return (
    /[<$~]|\]\((?![\w./:#-]+\))|\]\[/.test(piece) || /:\/\/|www\.|@/i.test(piece.split(/\s/).at(-1) ?? '')
  );
}

/** A `|` ends the cell of a table, and with it a code span; where there are several backticks, some emphasis reaches in. */
function hasClearSpans(line: string): boolean {
  /** A bracket, which may be that of a link that ends in a code span. */
  let isOpen = false;
  for (const [piece, ticks] of line.matchAll(pieces)) {
    if (ticks !== undefined) {
      if (!/^`[^`|$]+`$/.test(piece) || (isOpen && piece.includes(']'))) return false;
    } else {
      if (takesTicks(piece)) return false;
      if (/[[\]]/.test(piece)) isOpen = piece.lastIndexOf('[') > piece.lastIndexOf(']');
    }
  }
  return !isOpen;
}
