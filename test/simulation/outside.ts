import type { Choices } from './choices';

/** How much goes wrong in one run: one in so many, 0 for never. */
export interface Dangers {
  readonly crash: number;
  readonly failure: number;
  readonly delay: number;
  /** Of looks at the disk, of which there are far more. */
  readonly unreadable: number;
}

export const noDangers: Dangers = { crash: 0, failure: 0, delay: 0, unreadable: 0 };

/** Whoever crosses the boundary: the extension in one window. */
export interface Crosser {
  readonly name: string;
  readonly isDead: boolean;
  /** How often something failed for it. */
  faults: number;
  die(): void;
}

/** The process that does this is gone: nothing that it goes on to do is real. */
export class Dead extends Error {
  override readonly name = 'Dead';
}

/**
 * The one boundary that every effect of memory and the loop on the outside crosses. There it can fail, be put off, or be
 * the last thing before a crash.
 */
export class Outside {
  readonly #choices: Choices;
  readonly #note: (line: string) => void;
  readonly #held: { readonly crosser: Crosser; readonly what: string; readonly go: () => void }[] = [];
  dangers: Dangers;

  constructor(choices: Choices, dangers: Dangers, note: (line: string) => void) {
    this.#choices = choices;
    this.#note = note;
    this.dangers = dangers;
  }

  /** For what happens at once. Without `failure` it cannot fail. */
  act<T>(crosser: Crosser, what: string, effect: () => T, failure?: () => unknown): T {
    if (crosser.isDead) throw new Dead(what);
    if (this.#choices.oneIn(this.dangers.crash)) {
      const isDone = this.#choices.oneIn(2);
      this.#note(`crash of ${crosser.name} ${isDone ? 'after' : 'before'} ${what}`);
      try {
        if (isDone) effect();
      } finally {
        crosser.die();
      }
      throw new Dead(what);
    }
    if (failure && this.#choices.oneIn(this.dangers.failure)) {
      this.#note(`${what} of ${crosser.name} fails`);
      crosser.faults++;
      throw failure();
    }
    return effect();
  }

  /** For looks at the disk, which have no effect. */
  look<T>(crosser: Crosser, what: string, effect: () => T, failure: () => unknown): T {
    if (crosser.isDead) throw new Dead(what);
    if (!this.#choices.oneIn(this.dangers.unreadable)) return effect();
    this.#note(`${what} of ${crosser.name} fails`);
    crosser.faults++;
    throw failure();
  }

  /** For what takes a while: others may come between. Never resolves for the dead. */
  async wait<T>(
    crosser: Crosser,
    what: string,
    effect: () => T | Promise<T>,
    failure?: () => unknown,
  ): Promise<T> {
    if (this.#choices.oneIn(this.dangers.delay)) {
      await new Promise<void>((go) => this.#held.push({ crosser, what, go }));
    }
    try {
      return await this.act(crosser, what, effect, failure);
    } catch (error) {
      if (error instanceof Dead) return new Promise<never>(() => undefined);
      throw error;
    }
  }

  /** Lets one of those that wait go on, and says whether there was any. */
  release(): boolean {
    for (let at = this.#held.length - 1; at >= 0; at--) {
      if (this.#held[at]?.crosser.isDead) this.#held.splice(at, 1);
    }
    if (this.#held.length === 0) return false;
    const [next] = this.#held.splice(this.#choices.below(this.#held.length), 1);
    this.#note(`${next?.what} of ${next?.crosser.name} goes on`);
    next?.go();
    return true;
  }
}
