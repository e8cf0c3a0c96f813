import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../src/core/messages';
import { gate, reply, text, toolUse, type Gate } from '../support/claude/script';
import { seededRandom } from '../support/random';
import { filesBelow } from '../support/window/filesBelow';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { historyOf } from '../support/window/sentMessages';
import { withLastingVsCode } from '../support/window/withWindow';

const kills = 50;
const seed = 20_261_116;

/** A turn has three requests; before each of the first two answers' successors, a round of tools has been done. */
const points = [
  'sent',
  ...[1, 2, 3].flatMap((request) => [`request ${request}`, `stream ${request}`, `reply ${request}`]),
  'acknowledged',
] as const;

describe(`kill -9 of the extension host at ${kills} moments of a turn`, function () {
  this.timeout(900_000);
  const { standIn, vscode } = withLastingVsCode({
    settings: { 'assistant.maxTurns': 0, 'assistant.conversationTimeout': 0 },
  });
  let window: DrivenWindow;

  before(async () => {
    window = await vscode.openWindow();
  });

  it('M7, M8, F23: no acknowledged turn is lost, finished rounds are found again, and all can be read', async () => {
    const random = seededRandom(seed);
    const outcomes: Record<Outcome, number> = { acknowledged: 0, interrupted: 0, finished: 0, nothing: 0 };
    let before: readonly Message[] = [];
    for (let number = 1; number <= kills; number++) {
      const point = points[number % points.length]!;
      // VS Code itself takes a while to hand over a message; the rest happens in a few milliseconds.
      const delay = random() * (point === 'sent' ? 400 : 40);
      const { requests, isAcknowledged } = await killAt(point, delay, number);

      const moment = `kill ${number}, ${delay.toFixed(1)} ms after ${point}`;
      const after = await window.host.history();
      assert.deepEqual(after.slice(0, before.length), before, `what was there before ${moment}`);
      const outcome = outcomeOf(after.slice(before.length), { number, requests, isAcknowledged, moment });
      outcomes[outcome]++;
      before = after;
    }
    // The moments were where they should be.
    assert.ok(
      outcomes.acknowledged >= 4 && outcomes.interrupted >= 15 && outcomes.nothing >= 5,
      JSON.stringify(outcomes),
    );

    standIn.reset();
    standIn.script(reply(text('All there.')));
    await window.host.chat('Anything lost?');
    assert.deepEqual(historyOf(standIn.journal.messages[0]!), textsOf(before));
    console.log(`      ${JSON.stringify(outcomes)}`);
  });

  it('M10: no state was unreadable and nothing failed on the way', () => {
    const logs = filesBelow(vscode.workplace.dataFolder).filter(({ path }) =>
      path.endsWith('Claude Assistant.log'),
    );
    const lines = logs.flatMap(({ content }) => content.split('\n'));
    assert.ok(lines.filter((line) => line.includes('recovered 1 interrupted turn')).length >= 15);
    assert.deepEqual(
      lines.filter((line) => /\[(warning|warn|error)\]/i.test(line)),
      [],
    );
  });

  /** Runs a turn up to a point and kills the extension host so many milliseconds later. */
  async function killAt(
    point: (typeof points)[number],
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
    let isAcknowledged = false;
    const answered = window.host.chat(`Question ${number}?`).then(() => (isAcknowledged = true));
    // A kill ends it; before that, an answer that never came is a failure and not a wait.
    const failed = answered.then(() => new Promise<never>(() => undefined));
    failed.catch(() => undefined);
    await window.replaceHost(async () => {
      await Promise.race([reach(point, gates, answered), failed]);
      await sleep(delay);
      window.host.kill();
      await window.host.gone;
    });
    return { requests: standIn.journal.messages.length, isAcknowledged };
  }

  /** Lets the turn go on up to the point. */
  async function reach(
    point: (typeof points)[number],
    gates: readonly Gate[],
    answered: Promise<unknown>,
  ): Promise<void> {
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
});

type Outcome = 'acknowledged' | 'finished' | 'interrupted' | 'nothing';

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

function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => {
    const said =
      typeof content === 'string'
        ? content
        : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    return said ? [`${role}: ${said}`] : [];
  });
}
