import assert from 'node:assert/strict';
import { late } from '../late';
import { startStandIn, type StandIn } from './standIn';

/** A stand-in for all tests of a suite: each finds it fresh, and may send it nothing that it has to refuse. */
export function withStandIn(): StandIn {
  let standIn: StandIn | undefined;
  before(async () => {
    const started = await startStandIn();
    const forget = started.reset.bind(started);
    // What is forgotten in the midst of a test is looked at before.
    started.reset = () => {
      assertNothingRefused(started);
      forget();
    };
    standIn = started;
  });
  beforeEach(() => standIn?.reset());
  afterEach(() => standIn && assertNothingRefused(standIn));
  after(() => standIn?.close());
  return late(() => standIn);
}

function assertNothingRefused({ journal }: StandIn): void {
  assert.deepEqual(
    journal.refused.map(({ path, outcome }) => `${path}: ${outcome.problem?.message ?? 'no reply is left'}`),
    [],
  );
}
