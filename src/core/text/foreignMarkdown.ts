import { normalized } from './markdown';

/**
 * Somebody else's Markdown as a quotation: it shows as it was meant, but what it opens ends with it, no HTML of it
 * counts, and no picture of it is fetched. Fences stand at the margin, so that there is no doubt where one begins.
 */
export function quoted(markdown: string): string {
  const quote: string[] = [];
  const code = new CodeFinder(/^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/);
  const lines = normalized(markdown).split('\n').map(withoutLeadingTabs);
  // No tag will be left that could take a backtick or a fence for its own.
  const kinds = kindsOf(
    lines.map((line) => line.replaceAll('<', ' ')),
    code,
  );
  for (const [index, line] of lines.entries()) {
    const kind = kinds[index] ?? 'doubtful';
    if (kind === 'edge') quote.push(line.trim());
    else
      quote.push(
        changeText(line, kind, (text) => text.replaceAll('<', '&lt;').replaceAll(/!(?=\[)/g, '&#33;')),
      );
  }
  if (code.fence !== undefined) quote.push(code.fence);
  return quote.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/**
 * The lines for which a preview fetches something from the web, or may: for a picture, or for a tag that has an
 * attribute or a style.
 */
export function fetchingLines(markdown: string): readonly string[] {
  const lines = linesOf(markdown);
  const kinds = kindsOf(lines, new CodeFinder(fenceAtMargin));
  const fetching = new Set<number>();
  /** The line of the tag that is open, if one is. */
  let tag: number | undefined;
  for (const [index, line] of lines.entries()) {
    changeText(line, kinds[index] ?? 'doubtful', (text) => {
      if (text.search(remotePicture) >= 0 || /<(?:[!?]|style\b)/i.test(text)) fetching.add(index);
      for (const [mark] of text.matchAll(/<[a-z]|[>=]/gi)) {
        if (mark === '=' && tag !== undefined) fetching.add(tag);
        tag = mark === '>' ? undefined : mark === '=' ? tag : (tag ?? index);
      }
      return text;
    });
  }
  return [...fetching].map((index) => lines[index]?.trim() ?? '');
}

/**
 * Makes links of the pictures in Markdown that arrives in pieces. Each piece is given back as soon as nothing that
 * follows can make a picture of it.
 */
export class PictureFilter {
  #code = new CodeFinder(fenceAtMargin);
  /** The line that is still open, and how many characters of it were given back. */
  #line = '';
  #given = 0;
  /** What was given back last ends in mid-line. */
  #isCut = false;
  /** … with the mark that makes a picture of the link behind it. */
  #endsInMark = false;
  /** Nothing is held back until more comes. */
  #hasEnded = false;

  add(piece: string): string {
    if (piece === '') return '';
    this.#hasEnded = false;
    const next = this.#endsInMark && piece.startsWith('[') ? `\\${piece}` : piece;
    this.#endsInMark = false;
    const lines = linesOf(this.#line + next);
    const open = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
    const ended = lines.map((line) => this.#end(line)).join('');
    this.#line = open;
    // Before the first of these nothing is changed, and in a fence nothing at all.
    const mark = this.#code.fence === undefined ? open.slice(this.#given).search(/!(?=\[|$)|\r/) : -1;
    const end = mark < 0 ? open.length : this.#given + mark;
    const begun = open.slice(this.#given, end);
    this.#given = end;
    return ended + begun;
  }

  /** What was held back, where something else comes. What follows may go on with it, or stand by itself. */
  end(): string {
    const line = this.#line;
    // What follows may make a fence or the like of its beginning, and more ticks of those at its end.
    this.#isCut ||= partOfBlock.test(line) || line.endsWith('`');
    const rest = line === '' ? '' : this.#end(line);
    this.#line = '';
    this.#isCut ||= line !== '';
    this.#endsInMark ||= line.endsWith('!');
    this.#code.cut();
    this.#hasEnded = true;
    return rest;
  }

  /** The rest of what was given back, where it begins another document: what was code before may be none there. */
  restart(rest: string): string {
    const held = this.#line.slice(this.#given);
    const hasEnded = this.#hasEnded;
    this.#code = new CodeFinder(fenceAtMargin);
    this.#line = '';
    this.#given = 0;
    this.#isCut = false;
    const begun = this.add(rest + held);
    return hasEnded ? begun + this.end() : begun;
  }

  /** What was given back, where a document ends with it: a line that goes on elsewhere has no whole code spans. */
  static cutOff(given: string): string {
    const start = given.lastIndexOf('\n') + 1;
    return given.slice(0, start) + given.slice(start).replaceAll(remotePicture, '&#33;');
  }

  #end(line: string): string {
    const kind = this.#isCut ? this.#code.readPart(line) : this.#code.read(line);
    const changed = changeText(line, kind, (text) => text.replaceAll(remotePicture, '&#33;'));
    const rest = changed.slice(this.#given);
    this.#given = 0;
    this.#isCut = false;
    return rest;
  }
}

/** A fence that can belong to no list and to no quotation. */
const fenceAtMargin = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** The `!` of a picture, except of one that is a file of the workspace beyond any doubt. */
const remotePicture = /!(?=\[)(?!\[[\w .,-]*\]\((?:\.{0,2}\/)?\w[\w./-]*\))/g;

/**
 * What a line is: the edge of a fence, code in one, text whose code spans are beyond doubt, or text of which nobody
 * knows what in it is code.
 */
type LineKind = 'edge' | 'code' | 'clear' | 'doubtful';

/**
 * Finds the code in Markdown, line by line. VS Code has several kinds of Markdown, which know tables, formulas and
 * titles of links over several lines: only what is code in all of them is called code.
 */
class CodeFinder {
  /** The characters of the fence that is open. */
  fence: string | undefined;
  readonly #opening: RegExp;
  /** One in a list, perhaps: whatever is further to the left may end it. What is not is code where it `isSure`. */
  #inList: { readonly fence: string; readonly indent: number; readonly isSure: boolean } | undefined;
  /** Until the next empty line: a code span, a tag, a link or a formula may have begun. */
  #isDoubtful = false;
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
      this.#isDoubtful = false;
      this.#isTag = false;
      return 'clear';
    }
    const [, ...fences] = (!this.#inList && this.#opening.exec(line)) || [];
    const fence = fences.find(Boolean);
    // Such a line may be the head of a table.
    this.#isLost ||= fence !== undefined && (this.#isTag || line.includes('|'));
    if (fence !== undefined && !this.#isLost) {
      this.fence = fence;
      this.#isDoubtful = false;
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
    return this.fence === undefined ? 'doubtful' : 'code';
  }

  #readCode(line: string, fence: string): LineKind {
    const [, edge, rest] = /^ {0,3}(`+(?!`)|~+(?!~))([`~ \t]*)$/.exec(line) ?? [];
    if (!edge?.startsWith(fence)) return 'code';
    this.fence = undefined;
    // Not everywhere is that its end.
    this.#isLost ||= /[^ ]/.test(rest ?? '');
    return 'edge';
  }

  #followList(line: string): void {
    const indent = line.search(/\S/);
    const [, before = '', fence, rest = ''] = innerFence.exec(line) ?? [];
    if (!this.#inList) {
      if (fence === undefined) return;
      if (/[\t>]/.test(before)) this.#isLost = true;
      else {
        const isSure = !this.#isLost && !this.#isTag && /^ {1,3}$/.test(before) && !line.includes('|');
        this.#inList = { fence, indent: before.length, isSure };
      }
      return;
    }
    const isEnd = fence !== undefined && /^ *$/.test(rest) && fence.startsWith(this.#inList.fence);
    if (isEnd && indent === this.#inList.indent) this.#inList = undefined;
    else if (isEnd || indent < this.#inList.indent || line.slice(0, this.#inList.indent).includes('\t'))
      this.#isLost = true;
  }
}

/** What, with more behind it, may begin anything. */
const partOfBlock = /^\s*[^\p{L}\p{N}\s]/u;

/** What may stand before the words of a line, in lists and quotations. */
const markers = /^(?:[ \t>]|[-*+](?=[ \t])|\d+[.)](?=[ \t]))+/;

/** An item of a list that no paragraph goes on into. */
const startsItem = /^ {0,3}[-*+] +\S/;

/** A fence behind such marks. */
const innerFence = /^((?:[ \t>]|[-*+](?=[ \t])|\d+[.)](?=[ \t]))*)(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** What may take a fence for its own text: formulas, titles of links, comments and code of HTML. */
const takesFences = /^(?:\$(?:\$|\s*$)|\\begin\b|\[[^\]]*\]:|<(?:[!?]|pre\b|script\b|style\b|textarea\b))/i;

/** All lines at once: what is doubtful in a paragraph makes doubtful what stands before it in there, too. */
function kindsOf(lines: readonly string[], code: CodeFinder): readonly LineKind[] {
  const kinds = lines.map((line) => code.read(line));
  for (let index = kinds.length - 2; index >= 0; index--) {
    const isApart = /^[ \t\r\n]*$/.test(lines[index] ?? '') || startsItem.test(lines[index + 1] ?? '');
    if (kinds[index] === 'clear' && kinds[index + 1] === 'doubtful' && !isApart) kinds[index] = 'doubtful';
  }
  return kinds;
}

/** Pieces of a line: code spans, escaped characters, runs of backticks that open nothing, and the rest. */
const pieces = /(?<ticks>`+)(?:(?=[^`])(?:.*?[^`])\k<ticks>(?!`))?|\\.|[^`\\]+|\\/gs;

/** Tags, links that are not plain, formulas, and, right before a backtick, addresses and `~`: they take it for their own. */
function takesTicks(piece: string): boolean {
  return (
    /<|\]\((?![\w./:#-]+\))|\]\[|\$|~$/.test(piece) || /:\/\/|www\.|@/i.test(piece.split(/\s/).at(-1) ?? '')
  );
}

/** A `|` ends the cell of a table, and with it a code span; where there are several backticks, some emphasis reaches in. */
function hasClearSpans(line: string): boolean {
  return [...line.matchAll(pieces)].every(([piece, ticks]) =>
    ticks === undefined ? !takesTicks(piece) : /^`[^`|$]+`$/.test(piece),
  );
}

/** Changes what is, or may be, anything but code. */
function changeText(line: string, kind: LineKind, change: (text: string) => string): string {
  if (kind === 'code') return line;
  // A fence in the last line is none everywhere.
  if (kind !== 'clear') return change(line);
  return line.replaceAll(pieces, (piece: string, ticks: string | undefined) =>
    ticks === undefined && !/^\\./s.test(piece) ? change(piece) : piece,
  );
}

/** Each with its end, of which the last one may lack a part. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r(?=[^\n]))|[^\r\n]+\r?$|\r$/g) ?? [];
}

/** After the mark of a quotation a tab is not as wide as before. */
function withoutLeadingTabs(line: string): string {
  return line.replace(/^[ \t]+/, (space) => {
    let width = 0;
    for (const character of space) width += character === '\t' ? 4 - (width % 4) : 1;
    return ' '.repeat(width);
  });
}
