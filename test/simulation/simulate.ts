import { Choices, shrink } from './choices';
import { quiet, type Simulated } from './life';
import { noDangers } from './outside';
import { Person } from './person';
import { World } from './world';

/** Runs one life of a workspace. The same seed, or the same choices, give the same life. */
export async function simulate(seed: number, given?: readonly number[]): Promise<Simulated> {
  const choices = new Choices(seed, given);
  choices.beginStep();
  // Not every run has every danger: what is rare in all of them would never be looked at for long.
  const world = new World(choices, {
    crash: choices.pick([0, 0, 400, 100]),
    failure: choices.pick([0, 0, 0, 100, 30]),
    delay: choices.pick([0, 2, 4, 10]),
    unreadable: choices.pick([0, 0, 400, 50]),
  });
  const person = new Person(world);
  const steps = 10 + choices.below(40);
  try {
    for (let step = 0; step < steps && !choices.isOver && world.model.violations.length === 0; step++) {
      choices.beginStep();
      if (!choices.oneIn(2) || !world.outside.release()) person.act();
      await quiet();
    }
    world.outside.dangers = noDangers;
    if (world.model.violations.length === 0) await person.rest(quiet);
    return { choices, failure: world.model.violations[0], trace: world.trace };
  } finally {
    world.dispose();
  }
}

/** What is left of a failing run when all is gone that it does not need, for people to read. */
export async function reportOf(seed: number, failing: Simulated, life = simulate): Promise<string> {
  let last = failing;
  await shrink(failing.choices, async (given) => {
    const run = await life(seed, given);
    if (run.failure === undefined || kindOf(run.failure) !== kindOf(failing.failure)) return undefined;
    last = run;
    return run.choices;
  });
  return [
    `seed ${seed}: ${failing.failure}`,
    `smallest: ${last.failure}`,
    ...last.trace.map((line) => `  ${line}`),
  ].join('\n');
}

/** The same thing may go wrong with another turn. */
function kindOf(failure = ''): string {
  return failure.replaceAll(/\(.*|\[.*|\n.*|[a-z]?\d+/gs, '');
}
