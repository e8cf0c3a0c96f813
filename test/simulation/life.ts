import { Choices } from './choices';
import { noDangers, type Outside } from './outside';

export interface Simulated {
  readonly choices: Choices;
  /** What was wrong first. */
  readonly failure: string | undefined;
  /** All that happened, a line each. */
  readonly trace: readonly string[];
}

/** Something that is kept, and people and Claude who change it in two windows. */
export interface Life {
  readonly outside: Outside;
  readonly failures: readonly string[];
  readonly trace: readonly string[];
  /** One thing that somebody does. */
  act(): Promise<void>;
  /** What must hold when all has come to rest. */
  rest(): Promise<void>;
  dispose(): void;
}

/** Lives a life to its end. The same seed, or the same choices, give the same one. */
export async function live(
  seed: number,
  given: readonly number[] | undefined,
  begin: (choices: Choices) => Life,
): Promise<Simulated> {
  const choices = new Choices(seed, given);
  choices.beginStep();
  const life = begin(choices);
  const steps = 10 + choices.below(40);
  try {
    for (let step = 0; step < steps && !choices.isOver && life.failures.length === 0; step++) {
      choices.beginStep();
      await life.act();
    }
    life.outside.dangers = noDangers;
    if (life.failures.length === 0) await life.rest();
    return { choices, failure: life.failures[0], trace: life.trace };
  } finally {
    life.dispose();
  }
}

/** Until everybody waits for the outside. Nothing here waits for a timer or a file. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What waits goes on, or else somebody does one more thing. */
export async function releaseOr(
  { choices, outside }: { readonly choices: Choices; readonly outside: Outside },
  act: () => void,
): Promise<void> {
  if (!choices.oneIn(3) || !outside.release()) act();
  await quiet();
}
