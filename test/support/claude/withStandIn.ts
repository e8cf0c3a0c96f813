import assert from 'node:assert/strict';
import { late } from '../late';
import { startStandIn, type StandIn } from './standIn';

/** A stand-in for all tests of a suite: each finds it fresh, and may send it nothing that it has to refuse. */
export function withStandIn(): StandIn {
  let standIn: StandIn | undefined;
  before(async () => {
    standIn = await startStrictStandIn();
  });
  after(() => standIn?.close());
  return freshForEach(() => standIn);
}

/** One that somebody else starts and ends. */
export function freshForEach(get: () => StandIn | undefined): StandIn {
  beforeEach(() => get()?.reset());
  afterEach(() => {
    const standIn = get();
    if (standIn) assertNothingRefused(standIn);
  });
  return late(get);
}

/** What is forgotten in the midst of a test is looked at before. */
export async function startStrictStandIn(): Promise<StandIn> {
  const standIn = await startStandIn();
  const forget = standIn.reset.bind(standIn);
  standIn.reset = () => {
    assertNothingRefused(standIn);
    forget();
  };
  return standIn;
}

function assertNothingRefused({ journal }: StandIn): void {
  assert.deepEqual(
    journal.refused.map(({ path, outcome }) => `${path}: ${outcome.problem?.message ?? 'no reply is left'}`),
    [],
  );
}
