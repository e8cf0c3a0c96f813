/**
 * What the user sees of one answer. When the connection breaks, the answer is requested again: as long as the new one
 * repeats what is on screen it is not shown twice, and once it differs it is shown from its beginning.
 */
export class ShownText {
  #attempt = '';
  /** On screen from the attempt that broke off, while the new one only repeats it. */
  #previous: string | undefined;
  #isInterrupted = false;

  /** The text of this answer that is on screen. */
  get text(): string {
    return this.#previous ?? this.#attempt;
  }

  startAgain(): void {
    const { text } = this;
    this.#attempt = '';
    this.#previous = text === '' ? undefined : text;
  }

  /** Something else was shown since, so the new attempt cannot continue the text on screen and is shown whole. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** Takes the next piece; returns what of it is new on screen. */
  add(piece: string): ShownPiece {
    const start = this.#attempt.length;
    this.#attempt += piece;
    if (this.#previous === undefined) return { text: piece, startsOver: false };
    const expected = this.#previous.slice(start, start + piece.length);
    if (this.#isInterrupted || !piece.startsWith(expected)) return this.#startOver();
    if (start + expected.length === this.#previous.length) this.#previous = undefined;
    return { text: piece.slice(expected.length), startsOver: false };
  }

  /** The answer is complete. It may be shorter than what a broken attempt has shown. */
  finish(): ShownPiece {
    return this.#previous === undefined ? { text: '', startsOver: false } : this.#startOver();
  }

  #startOver(): ShownPiece {
    this.#previous = undefined;
    this.#isInterrupted = false;
    return { text: this.#attempt, startsOver: true };
  }
}

export interface ShownPiece {
  readonly text: string;
  /** What is on screen no longer belongs to the answer. */
  readonly startsOver: boolean;
}
