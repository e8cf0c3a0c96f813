import { seededRandom } from '../support/random';

/**
 * All that is left to chance in one run. Each choice is a number, and 0 is the tamest one. They are noted, so that a run
 * can be done again, and with less in it.
 */
export class Choices {
  readonly #random: () => number;
  readonly #given: readonly number[] | undefined;
  readonly made: number[] = [];
  /** Where in `made` each step begins. */
  readonly steps: number[] = [];

  /** `given` is made of another run; after its end all is tame. */
  constructor(seed: number, given?: readonly number[]) {
    this.#random = seededRandom(seed);
    this.#given = given;
  }

  /** A number from 0 on. */
  below(limit: number): number {
    const drawn = this.#given ? (this.#given[this.made.length] ?? 0) % limit : this.#draw(limit);
    this.made.push(drawn);
    return drawn;
  }

  pick<T>(options: readonly [T, ...T[]]): T {
    return options[this.below(options.length)] ?? options[0];
  }

  /** Never for 0. */
  oneIn(count: number): boolean {
    return count > 0 && this.below(count) === count - 1;
  }

  /** Nothing more was given. */
  get isOver(): boolean {
    return this.#given !== undefined && this.made.length >= this.#given.length;
  }

  beginStep(): void {
    this.steps.push(this.made.length);
  }

  #draw(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** Runs until nothing more can be left out. */
const maxRuns = 400;

/** Leaves out whatever is not needed for the run to fail: whole steps first, then single choices. */
export async function shrink(
  failing: Choices,
  failsWith: (given: readonly number[]) => Promise<Choices | undefined>,
): Promise<Choices> {
  let [smallest, runs] = [failing, 0];
  const isLess = async (given: readonly number[]): Promise<boolean> => {
    const found = runs++ < maxRuns ? await failsWith(given) : undefined;
    if (found) smallest = found;
    return found !== undefined;
  };
  for (let size = 16; size >= 1; size = Math.floor(size / 2)) {
    for (let from = smallest.steps.length - size; from >= 0; from -= size) {
      const { made, steps } = smallest;
      const [start, end] = [steps[from], steps[from + size] ?? made.length];
      if (start !== undefined) await isLess([...made.slice(0, start), ...made.slice(end)]);
    }
  }
  for (let at = smallest.made.length - 1; at >= 0; at--) {
    if ((smallest.made[at] ?? 0) > 0) await isLess(smallest.made.with(at, 0));
  }
  return smallest;
}
