import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulateChanges } from '../simulation/changeLives';
import { Choices, shrink } from '../simulation/choices';
import { simulateNotes } from '../simulation/noteLives';
import { simulatePlans } from '../simulation/planLives';
import { planted } from '../simulation/planted';
import { reportOf, simulate } from '../simulation/simulate';
import { projectRoot } from '../support/projectPaths';

const seeds = 300;

/** Always the same ones; `npm run fuzz` draws 20,000 others. */
describe('whatever happens to windows, disk, clock, network and person', () => {
  it(`M6, M7, M8, M26: nothing acknowledged is lost and nothing erased comes back, in ${seeds} lives`, async function () {
    this.timeout(600_000);
    for (let seed = 1; seed <= seeds; seed++) {
      const run = await simulate(seed);
      if (run.failure !== undefined) assert.fail(await reportOf(seed, run));
    }
  });

  it(`C3, C4: what Claude changed is listed until it is judged, and nothing of the person is overwritten, in ${seeds} lives`, async function () {
    this.timeout(600_000);
    for (let seed = 1; seed <= seeds; seed++) {
      const run = await simulateChanges(seed);
      if (run.failure !== undefined) assert.fail(await reportOf(seed, run, simulateChanges));
    }
  });

  it(`N2, M26: no words of the person in a plan are lost, and none that were deleted are back, in ${seeds} lives`, async function () {
    this.timeout(600_000);
    for (let seed = 1; seed <= seeds; seed++) {
      const run = await simulatePlans(seed);
      if (run.failure !== undefined) assert.fail(await reportOf(seed, run, simulatePlans));
    }
  });

  it(`M26, M28: no note that was acknowledged is lost, and none that was forgotten leaves a byte, in ${seeds} lives`, async function () {
    this.timeout(600_000);
    for (let seed = 1; seed <= seeds; seed++) {
      const run = await simulateNotes(seed);
      if (run.failure !== undefined) assert.fail(await reportOf(seed, run, simulateNotes));
    }
  });

  it('every fault that `npm run simulate:planted` puts into the code still has its place there', () => {
    const misplaced = planted.filter(({ file, before }) => {
      const text = readFileSync(join(projectRoot, 'src', file), 'utf8');
      return text.split(before).length !== 2;
    });
    assert.deepEqual(
      misplaced.map(({ name }) => name),
      [],
    );
  });

  it('the same seed gives the same life', async () => {
    for (const seed of [5, 11, 17]) {
      const [first, second] = [await simulate(seed), await simulate(seed)];
      assert.ok(first.trace.length > 10);
      assert.deepEqual(second.trace, first.trace);
      assert.deepEqual((await simulate(seed, first.choices.made)).trace, first.trace);
    }
  });

  it('of a failing run all is left out that it does not need', async () => {
    const run = (given?: readonly number[]) => {
      const choices = new Choices(7, given);
      const drawn: number[] = [];
      for (let step = 0; step < 50 && !choices.isOver; step++) {
        choices.beginStep();
        drawn.push(choices.below(10));
      }
      return { choices, fails: drawn.includes(3) && drawn.includes(8) };
    };
    assert.ok(run().fails);
    const smallest = await shrink(run().choices, async (given) => {
      const { choices, fails } = run(given);
      return fails ? choices : undefined;
    });
    assert.deepEqual(new Set(smallest.made), new Set([3, 8]));
    assert.equal(smallest.made.length, 2);
  });
});
