import assert from 'node:assert/strict';
import { measureCost, measuredPauses, measureLives } from '../../bench/cost';
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
      context: 'The open file is part',
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
    const { ours = Infinity, ...others } = await measureCost(options, () => 60_000);
    assert.ok(ours <= 0.25, `${ours} of what it costs without a cache`);
    assert.deepEqual(
      Object.entries(others).filter(([, cost]) => cost < ours),
      [],
    );
  });
});

describe('a session with pauses', () => {
  const minute = 60_000;
  const short = { turns: 12, rounds: [2, 1, 3], keptTurns: 3, eviction: 'oldest' } as const;

  it('L9: costs less than with the marks that any other agent has by default', async () => {
    const { ours = Infinity, ...all } = await measureCost(short, measuredPauses);
    const others = Object.entries(all).filter(([name]) => !name.includes('off by default'));
    assert.ok(others.length >= 8);
    assert.deepEqual(
      others.filter(([, cost]) => cost <= ours),
      [],
    );
  });

  it('pays for an hour only where people come back within it', async () => {
    const often = await measureLives(() => 20 * minute, short);
    assert.ok(often['ours']! < 0.97 * often['five minutes']!, JSON.stringify(often));
    const seldom = await measureLives(() => 120 * minute, short);
    assert.equal(seldom['ours'], seldom['five minutes']);
    assert.ok(seldom['ours']! < 0.9 * seldom['an hour']!, JSON.stringify(seldom));
  });

  it('P6: says the cost of what the API reported, kept for five minutes or for an hour', async () => {
    let now = 0;
    const standIn = await startStandIn({ clock: () => now });
    try {
      const session = await runSession(standIn, short, {
        now: () => now,
        round: () => undefined,
        pause: () => {
          now += 10 * minute;
        },
      });
      assert.deepEqual(standIn.journal.refused, []);
      const reported = standIn.journal.messages.map(({ outcome: { usage } }) => ({
        input: usage?.input_tokens ?? 0,
        read: usage?.cache_read_input_tokens ?? 0,
        minutes: usage?.cache_creation?.ephemeral_5m_input_tokens ?? 0,
        hour: usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0,
        output: usage?.output_tokens ?? 0,
      }));
      assert.equal(reported.filter(({ hour }) => hour > 0).length, 1);
      assert.deepEqual(
        session.flat().map(({ cacheWrite, cost }) => [cacheWrite, cost?.toFixed(9)]),
        reported.map(({ input, read, minutes, hour, output }) => [
          minutes + hour,
          ((input * 2 + read * 0.1 + minutes * 2.5 + hour * 4 + output * 10) / 1_000_000).toFixed(9),
        ]),
      );
    } finally {
      await standIn.close();
    }
  });
});

function assertAtLeast(actual: number, expected: number): void {
  assert.ok(actual >= expected, `${actual} is less than ${expected}`);
}
