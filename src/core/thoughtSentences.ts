import { firstSentence } from './firstSentence';

/** Longer than this, a beginning is told without waiting for its end. */
const maxOpenChars = 200;

/** What Claude thinks, while it thinks: the first sentence of each paragraph, as soon as it is whole. */
export class ThoughtSentences {
  #open = '';
  /** Of the paragraph that is open, enough was said. */
  #isTold = false;

  /** Sentences that are whole with this piece. */
  add(piece: string): readonly string[] {
    const paragraphs = (this.#open + piece).split(/\n\s*\n/);
    const sentences = paragraphs.flatMap((paragraph, index) => {
      const isClosed = index < paragraphs.length - 1;
      const isDue = !this.#isTold && (isClosed || isWhole(paragraph));
      this.#isTold = !isClosed && (this.#isTold || isDue);
      return isDue ? sentenceOf(paragraph) : [];
    });
    const last = paragraphs.at(-1) ?? '';
    // Of what was told only a line end at its end still counts: it may be half of the next break.
    this.#open = this.#isTold ? last.slice(last.trimEnd().length) : last;
    return sentences;
  }

  /** The thought is over: gives what was not told of it. */
  end(): readonly string[] {
    const rest = this.#isTold ? [] : sentenceOf(this.#open);
    this.#open = '';
    this.#isTold = false;
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
