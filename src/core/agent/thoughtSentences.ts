import { ellipsize } from '../text/cutText';

/** A longer beginning is shown without waiting for its end. */
const maxOpenChars = 200;

/** What Claude thinks, while it thinks: the first sentence of each paragraph, as soon as it is complete. */
export class ThoughtSentences {
  #open = '';
  /** A sentence of the open paragraph was shown. */
  #isShown = false;

  /** Sentences that this piece completes. */
  add(piece: string): readonly string[] {
    const paragraphs = (this.#open + piece).split(/\n\s*\n/);
    const sentences = paragraphs.flatMap((paragraph, index) => {
      const isClosed = index < paragraphs.length - 1;
      const isDue = !this.#isShown && (isClosed || isWhole(paragraph));
      this.#isShown = !isClosed && (this.#isShown || isDue);
      return isDue ? sentenceOf(paragraph) : [];
    });
    const last = paragraphs.at(-1) ?? '';
    // Of what was shown only a trailing line end still counts: it may be half of a paragraph break.
    this.#open = this.#isShown ? last.slice(last.trimEnd().length) : last;
    return sentences;
  }

  /** The thought is over: returns what was not shown of it. */
  end(): readonly string[] {
    const rest = this.#isShown ? [] : sentenceOf(this.#open);
    this.#open = '';
    this.#isShown = false;
    return rest;
  }
}

function isWhole(paragraph: string): boolean {
  return paragraph.length > maxOpenChars || /\S\n|[.!?:]\s/.test(paragraph);
}

function sentenceOf(paragraph: string): readonly string[] {
  const sentence = firstSentence(paragraph);
  return sentence === '' ? [] : [sentence];
}

/** Short enough for one line. */
const maxSentenceChars = 160;

export function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  // A name such as read_file keeps what it is written with.
  const plain = line.replace(/[*`#]+|(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, '').trim();
  const sentence = /^.*?[.!?:](?=\s|$)/su.exec(plain)?.[0] ?? plain;
  return ellipsize(sentence, maxSentenceChars).replace(/\s+…$/, '…');
}
