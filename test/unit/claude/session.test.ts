import assert from 'node:assert/strict';
import { measureCost } from '../../bench/cost';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { cacheFigures, runSession } from '../../support/session';

describe('a session over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  it('L9: reads at least nine tenths of its input from the cache until the turn limit', async () => {
    const session = await runSession(standIn, { turns: 12, rounds: 3, keptTurns: 10, eviction: 'oldest' });
    assert.deepEqual(standIn.journal.refused, []);
    assert.equal(standIn.journal.messages.length, 12 * 4);
    assertAtLeast(cacheFigures(session.slice(0, 11).flat().slice(1)).readShare, 0.9);
    // From then on the oldest turn leaves with every new one, and only tools and system stay where they were.
    assertAtLeast(cacheFigures(session.slice(11).flat()).readShare, 0.7);
  });

  it('L9: goes on reading nine tenths beyond the turn limit when half of the turns leave at once', async () => {
    const session = await runSession(standIn, { turns: 18, rounds: 3, keptTurns: 10, eviction: 'half' });
    assert.deepEqual(standIn.journal.refused, []);
    assertAtLeast(cacheFigures(session.slice(11).flat()).readShare, 0.9);
  });

  it('L9: reads all that the request before wrote, however many blocks a round adds', async () => {
    const [turn] = await runSession(standIn, {
      turns: 1,
      rounds: 4,
      calls: 15,
      keptTurns: 10,
      eviction: 'oldest',
    });
    const written = turn!.map((usage) => usage.cacheRead + usage.cacheWrite);
    const read = turn!.map((usage) => usage.cacheRead);
    assert.deepEqual(read.slice(1), written.slice(0, -1));
  });

  it('L9: reads the whole history again in the next turn, whatever facts came with the last one', async () => {
    const session = await runSession(standIn, {
      turns: 3,
      rounds: 12,
      calls: 3,
      keptTurns: 10,
      eviction: 'oldest',
      facts: 'The open file is part',
    });
    // What the second turn added is remembered without its thinking, so it is written once more; all before is read.
    const [first] = session[2]!;
    const beforeSecond = session[1]![0]!;
    assertAtLeast(first!.cacheRead, beforeSecond.cacheRead + beforeSecond.cacheWrite - 200);
  });

  it('L9: costs no more than with the cache marks of any other agent', async () => {
    const rounds = [2, 6, 0, 9];
    const options = {
      turns: 8,
      rounds,
      keptTurns: 6,
      eviction: 'half',
      facts: 'The open file is part',
    } as const;
    const { ours = Infinity, ...others } = await measureCost(options);
    assert.ok(ours <= 0.25, `${ours} of what it costs without a cache`);
    assert.deepEqual(
      Object.entries(others).filter(([, cost]) => cost < ours),
      [],
    );
  });
});

function assertAtLeast(actual: number, expected: number): void {
  assert.ok(actual >= expected, `${actual} is less than ${expected}`);
}
