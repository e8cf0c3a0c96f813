import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../src/core/messages';
import { gate, reply, text, toolUse, type Gate } from './claude/script';
import type { StandIn } from './claude/standIn';
import { seededRandom } from './random';

const seed = 20_261_116;

/** A turn has three requests; before each of the first two answers' successors, a round of tools has been done. */
const points = [
  'sent',
  ...[1, 2, 3].flatMap((request) => [`request ${request}`, `stream ${request}`, `reply ${request}`]),
  'acknowledged',
] as const;

type Point = (typeof points)[number];

/** How many moments of a turn there are to kill at. */
export const killPoints = points.length;

/** What runs turns, and can be killed. */
export interface Killable {
  /** Settles when the answer is complete: the turn is acknowledged then. */
  chat(message: string): Promise<unknown>;
  history(): Promise<readonly Message[]>;
  kill(): void;
  readonly gone: Promise<void>;
}

type Outcome = 'acknowledged' | 'finished' | 'interrupted' | 'nothing';

/**
 * Kills again and again, at each point of a turn so often, a little later each time, and holds what is found afterwards
 * against what was seen from outside. Gives what was found in the end.
 */
export async function killAtEachPoint(options: {
  readonly standIn: StandIn;
  readonly times: number;
  /** So long a message may be on its way before it counts as received. */
  readonly handOverMs: number;
  readonly running: () => Killable;
  /** Does what ends the one that runs, and waits for the next one. */
  readonly replace: (end: () => Promise<void>) => Promise<unknown>;
}): Promise<readonly Message[]> {
  const { standIn, times, running } = options;
  const random = seededRandom(seed);
  const outcomes: Record<Outcome, number> = { acknowledged: 0, interrupted: 0, finished: 0, nothing: 0 };
  let before = await running().history();
  for (let number = 1; number <= times * points.length; number++) {
    const point = points[number % points.length]!;
    // The rest happens in a few milliseconds.
    const delay = random() * (point === 'sent' ? options.handOverMs : 40);
    const { requests, isAcknowledged } = await killAt(point, delay, number);

    const moment = `kill ${number}, ${delay.toFixed(1)} ms after ${point}`;
    const after = await running().history();
    assert.deepEqual(after.slice(0, before.length), before, `what was there before ${moment}`);
    const outcome = outcomeOf(after.slice(before.length), { number, requests, isAcknowledged, moment });
    outcomes[outcome]++;
    before = after;
  }
  // The moments were where they should be: only the end of a round and of the turn is a race.
  assert.ok(
    outcomes.acknowledged >= times && outcomes.interrupted >= 5 * times && outcomes.nothing >= 3 * times,
    JSON.stringify(outcomes),
  );
  console.log(`      ${JSON.stringify(outcomes)}`);
  return before;

  /** Runs a turn up to a point and kills so many milliseconds later. */
  async function killAt(
    point: Point,
    delay: number,
    number: number,
  ): Promise<{ readonly requests: number; readonly isAcknowledged: boolean }> {
    standIn.reset();
    const gates = [gate(), gate(), gate()] as const;
    standIn.script(
      reply(
        text(`Looking ${number}. `, gates[0]),
        toolUse('read_file', { path: 'README.md' }, { id: toolId(number, 1) }),
      ),
      reply(
        text(`And again ${number}. `, gates[1]),
        toolUse('find_files', { pattern: '**/*.ts' }, { id: toolId(number, 2) }),
      ),
      reply(text(`Answer ${number}`, gates[2], '.')),
    );
    const killed = running();
    let isAcknowledged = false;
    const answered = killed.chat(`Question ${number}?`).then(() => (isAcknowledged = true));
    // A kill ends it; before that, an answer that never came is a failure and not a wait.
    const failed = answered.then(() => new Promise<never>(() => undefined));
    failed.catch(() => undefined);
    await options.replace(async () => {
      await Promise.race([reach(point, gates, answered), failed]);
      await sleep(delay);
      killed.kill();
      await killed.gone;
    });
    return { requests: standIn.journal.messages.length, isAcknowledged };
  }

  /** Lets the turn go on up to the point. */
  async function reach(point: Point, gates: readonly Gate[], answered: Promise<unknown>): Promise<void> {
    if (point === 'sent') return;
    for (const [index, held] of gates.entries()) {
      const entry = await standIn.nextRequest();
      if (point === `request ${index + 1}`) return;
      await held.reached;
      if (point === `stream ${index + 1}`) return;
      held.open();
      await entry.ended;
      if (point === `reply ${index + 1}`) return;
    }
    await answered;
  }
}

/** What was found again of a turn, checked against what was seen of it from outside. */
function outcomeOf(
  turn: readonly Message[],
  seen: {
    readonly number: number;
    readonly requests: number;
    readonly isAcknowledged: boolean;
    readonly moment: string;
  },
): Outcome {
  const { number, requests, isAcknowledged, moment } = seen;
  const texts = textsOf(turn);
  const results = turn.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
  );
  const isFinished = texts.at(-1) === `assistant: Answer ${number}.`;
  assert.ok(isFinished || !isAcknowledged, `acknowledged, then lost: ${moment}`);
  // A request carries the results of the round before it, which is safe before the request is sent.
  assert.ok(results.length >= requests - 1, `a finished round was lost: ${moment}`);
  if (turn.length === 0) return 'nothing';

  assert.deepEqual(
    results.map(({ tool_use_id: id, is_error: isError = false }) => ({ id, isError })),
    [1, 2].map((round) => ({ id: toolId(number, round), isError: false })).slice(0, results.length),
    moment,
  );
  assert.ok(results.length > 0, `nothing was done, and still it is remembered: ${moment}`);
  assert.equal(texts[0], `user: Question ${number}?`, moment);
  if (isAcknowledged) return 'acknowledged';
  if (isFinished) return 'finished';
  assert.match(texts.at(-1) ?? '', /^assistant: .*\[This turn was interrupted/s, moment);
  return 'interrupted';
}

function toolId(number: number, round: number): string {
  return `toolu_kill${number}round${round}`;
}

/** All that is said in these messages, one line a message that has text. */
export function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => {
    const said =
      typeof content === 'string'
        ? content
        : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    return said ? [`${role}: ${said}`] : [];
  });
}
