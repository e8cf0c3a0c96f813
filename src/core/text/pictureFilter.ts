import {
  changeText,
  CodeFinder,
  definition,
  fenceAtMargin,
  type LineKind,
  linesOf,
  partOfBlock,
} from './codeFinder';

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
  /** … in this one, of which what follows decides whether it is whole. */
  #cutLine: string | undefined;
  /** … with a mark that makes a picture of the link behind it, or a name of what is in brackets. */
  #lastMark = '';
  /** A picture by its name alone was given back, so that nothing may have that name. */
  #isNamed = false;
  /** Something may have a name, so that no picture by its name alone is given back. */
  #hasNames = false;
  /** Nothing is held back until more comes. */
  #hasEnded = false;

  add(piece: string): string {
    if (piece === '') return '';
    this.#hasEnded = false;
    if (this.#cutLine !== undefined) this.#decide(this.#cutLine, /^[\r\n]/.test(piece));
    const isMarked = ['![', ']:'].includes(this.#lastMark + piece.slice(0, 1));
    const next = isMarked ? `\\${piece}` : piece;
    this.#lastMark = '';
    const lines = linesOf(this.#line + next);
    const open = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
    const ended = lines.map((line) => this.#end(line)).join('');
    this.#line = open;
    // Before the first of these nothing is changed, and in a fence nothing at all.
    const held = this.#isNamed ? /!(?=\[|$)|\](?=:|$)|\r/ : /!(?=\[|$)|\r/;
    const mark = this.#code.fence === undefined ? open.slice(this.#given).search(held) : -1;
    const end = mark < 0 ? open.length : this.#given + mark;
    const begun = open.slice(this.#given, end);
    this.#given = end;
    return ended + begun;
  }

  /** What was held back, where something else comes. What follows may go on with it, or stand by itself. */
  end(): string {
    const line = this.#line;
    // What follows may make a fence or the like of its beginning, and more ticks of those at its end.
    const isOpen = !this.#isCut && (partOfBlock.test(line) || line.endsWith('`'));
    const rest = line === '' ? '' : isOpen ? this.#give(line, this.#code.kindOfPart) : this.#end(line);
    this.#line = '';
    this.#isCut ||= line !== '';
    this.#lastMark = line === '' ? this.#lastMark : line.slice(-1);
    if (isOpen) this.#cutLine = line;
    else if (this.#cutLine === undefined) this.#code.cut();
    this.#hasEnded = true;
    return rest;
  }

  #decide(line: string, isWhole: boolean): void {
    if (isWhole) this.#code.read(line);
    else this.#code.readPart(line);
    this.#code.cut();
    this.#cutLine = undefined;
  }

  /** The rest of what was given back, where it begins another document: what was code before may be none there. */
  restart(rest: string): string {
    const held = this.#line.slice(this.#given);
    const hasEnded = this.#hasEnded;
    this.#code = new CodeFinder(fenceAtMargin);
    this.#line = '';
    this.#given = 0;
    this.#isCut = false;
    this.#cutLine = undefined;
    const begun = this.add(rest + held);
    return hasEnded ? begun + this.end() : begun;
  }

  /** What was given back, where a document ends with it: a line that goes on elsewhere has no whole code spans. */
  static cutOff(given: string): string {
    const start = given.lastIndexOf('\n') + 1;
    return given.slice(0, start) + withoutPictures(given.slice(start));
  }

  #end(line: string): string {
    return this.#give(line, this.#isCut ? this.#code.readPart(line) : this.#code.read(line));
  }

  #give(line: string, kind: LineKind): string {
    const changed = changeText(line, kind, (text) => this.#change(text));
    const rest = changed.slice(this.#given);
    this.#given = 0;
    this.#isCut = false;
    return rest;
  }

  #change(text: string): string {
    // Of a part nobody knows what stands before it.
    const name = this.#isCut ? /^.*?\]:/ : definition;
    if (!this.#isNamed) this.#hasNames ||= name.test(text);
    if (this.#hasNames) return withoutPictures(text);
    const changed = text.replaceAll(completePicture, '&#33;');
    const given = this.#isNamed ? changed.replace(name, (start) => `${start.slice(0, -1)}&#58;`) : changed;
    this.#isNamed ||= changed.search(remotePicture) >= 0;
    return given;
  }
}

const local = String.raw`\[[\w .,-]*\]\((?:\.{0,2}\/)?\w[\w./-]*\)`;
/** Whole, with what follows it: no address, and no other name. */
const nameAlone = String.raw`\[[^[\]\\<${'`'}]*\](?=[^([])`;

/** The `!` of a picture, except of one that is a file of the workspace beyond any doubt. */
export const remotePicture = new RegExp(String.raw`!(?=\[)(?!${local})`, 'g');

/** … and of one that is none unless something has its name, as code does: `vec![1]`. */
const completePicture = new RegExp(String.raw`!(?=\[)(?!${local}|${nameAlone})`, 'g');

export function withoutPictures(text: string): string {
  return text.replaceAll(remotePicture, '&#33;');
}
