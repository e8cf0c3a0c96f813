/** Texts of the last few turns, by turn id: enough to repeat or open one, never more than a handful in memory. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(turnId: string): string | undefined {
    return this.#texts.get(turnId);
  }

  keep(turnId: string, text: string): void {
    this.#texts.set(turnId, text);
    const oldest = this.#texts.keys().next();
    if (this.#texts.size > this.#limit && !oldest.done) this.#texts.delete(oldest.value);
  }
}
