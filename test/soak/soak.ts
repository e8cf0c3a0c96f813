import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { seededRandom } from '../support/random';
import { startLastingVsCode, type DrivenWindow } from '../support/window/lastingVsCode';
import { showFailure } from '../support/window/watchPage';
import { isInterrupted, turnsOf, type TurnLines } from './remembered';
import { planTurn, type Fate, type TurnPlan } from './turnPlan';

export interface SoakOptions {
  readonly turns: number;
  readonly seed: number;
  readonly onTurn?: (done: SoakProgress) => void;
}

export interface SoakProgress {
  readonly turn: number;
  readonly fates: Readonly<Partial<Record<Fate, number>>>;
  readonly requests: number;
}

export interface SoakFigures extends SoakProgress {
  readonly remembered: readonly TurnLines[];
  /** Live heap of one extension host at the start and at the end of each calm stretch, in bytes. */
  readonly heaps: readonly { readonly turns: number; readonly before: number; readonly after: number }[];
}

const maxTurns = 10;
/** In every second stretch the extension host stays the same, so that its memory can be watched. */
const stretch = 100;
const newThreadEvery = 25;
const patienceMs = 300_000;

/**
 * Many turns through one window, with faults at random. After each one, memory is what a model of ten lines says: the
 * last ten turns that were acknowledged, and of others at most what was done of them.
 */
export async function runSoak({ turns, seed, onTurn }: SoakOptions): Promise<SoakFigures> {
  const random = seededRandom(seed);
  const standIn = await startStandIn();
  const vscode = await startLastingVsCode({
    env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-soak' },
    settings: { 'assistant.maxTurns': maxTurns, 'assistant.conversationTimeout': 0 },
  });
  const seen: Partial<Record<Fate, number>> = {};
  const heaps: { turns: number; before: number; after: number }[] = [];
  let model: readonly TurnLines[] = [];
  let requests = 0;
  let calmSince: { readonly turn: number; readonly heap: number } | undefined;
  try {
    const window = await vscode.openWindow();
    for (let number = 1; number <= turns; number++) {
      const isCalm = Math.floor(number / stretch) % 2 === 1;
      // The first turns of a stretch fill what is filled once, such as the chat's own list of turns.
      if (isCalm && number % stretch === 10) calmSince = { turn: number, heap: await window.host.heap() };
      const plan = planTurn(number, isCalm, random);
      const before = model;
      standIn.reset();
      standIn.script(...plan.replies);
      const turn = play(plan, window, standIn).then((isAcknowledged) =>
        after(plan, isAcknowledged, before, window),
      );
      model = await inTime(plan, turn);
      const refused = standIn.journal.refused.map(({ outcome }) => outcome.problem);
      assert.deepEqual(refused, [], `an invalid request in ${described(plan)}`);
      requests += standIn.journal.messages.length;
      seen[plan.fate] = (seen[plan.fate] ?? 0) + 1;
      if (calmSince && (number + 1) % stretch === 0) {
        const heap = await window.host.heap();
        heaps.push({ turns: number - calmSince.turn, before: calmSince.heap, after: heap });
        calmSince = undefined;
      }
      if (number % newThreadEvery === 0) await window.host.execute('workbench.action.chat.newChat');
      onTurn?.({ turn: number, fates: seen, requests });
    }
    return { turn: turns, fates: seen, requests, remembered: model, heaps };
  } catch (error) {
    await showFailure('soak');
    throw error;
  } finally {
    await vscode.close();
    await standIn.close();
  }
}

/** Plays a turn to whatever end it was planned; says whether its answer was acknowledged. */
async function play(plan: TurnPlan, window: DrivenWindow, standIn: StandIn): Promise<boolean> {
  let problem = '';
  const answered = window.host.chat(plan.question).then(
    () => true,
    (error: unknown) => {
      problem = String(error);
      return false;
    },
  );
  const complete = async () => assert.ok(await answered, `no answer in ${described(plan)}: ${problem}`);
  switch (plan.fate) {
    case 'stopped':
      await openGates(plan);
      await window.host.execute('workbench.action.chat.cancel');
      await answered;
      return false;
    case 'killed':
      await window.replaceHost(async () => {
        await openGates(plan);
        await sleep(plan.killDelay);
        window.host.kill();
        await window.host.gone;
      });
      return false;
    case 'killed after the answer':
      await complete();
      await window.replaceHost(() => window.host.kill());
      return true;
    case 'reloaded after the answer':
      await complete();
      await window.replaceHost(() => window.page.reload());
      return true;
    case 'retried':
    case 'edited':
      await complete();
      standIn.script(plan.secondReply);
      if (plan.fate === 'retried') await window.panel.retry();
      else await window.panel.edit(plan.question, plan.secondQuestion);
      await standIn.waitFor(
        ({ bodyText }) => standIn.remaining === 0 && bodyText.includes(plan.secondQuestion),
      );
      return true;
    case 'failed at once':
    case 'failed after a round':
      await answered;
      return false;
    default:
      await complete();
      assert.equal(standIn.remaining, 0, described(plan));
      return true;
  }
}

/** A turn that never ends is a failure of its own, and is looked at while the window still shows it. */
async function inTime<T>(plan: TurnPlan, turn: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: end.signal }).then(() => {
    throw new Error(`${described(plan)} came to no end`);
  });
  try {
    return await Promise.race([turn, late]);
  } finally {
    late.catch(() => undefined);
    end.abort();
  }
}

/** Lets the stream go on up to the reply at which the turn ends. */
async function openGates({ gates, killAt }: TurnPlan): Promise<void> {
  for (const [index, held] of gates.entries()) {
    await held.reached;
    if (index === killAt) return;
    held.open();
  }
}

/** Memory after the turn; fails when it is not what it may be. */
async function after(
  plan: TurnPlan,
  isAcknowledged: boolean,
  before: readonly TurnLines[],
  window: DrivenWindow,
): Promise<readonly TurnLines[]> {
  const { fate, finished } = plan;
  const isKept = fate === 'stopped' || fate === 'failed after a round';
  const isSentAgain = fate === 'retried' || fate === 'edited';
  const isSettled = (turn: TurnLines | undefined) =>
    isSentAgain ? isDeepStrictEqual(turn, finished) : !isKept || turn?.[0] === finished[0];
  // Nobody tells from outside when a turn that was stopped, or sent again in the panel, has come to its end.
  let found = turnsOf(await window.host.history());
  for (let look = 0; look < 200 && !isSettled(found.at(-1)); look++) {
    await sleep(50);
    found = turnsOf(await window.host.history());
  }
  const isThere = found.at(-1)?.[0] === finished[0];
  const turn = isThere ? (found.at(-1) ?? []) : undefined;
  assert.deepEqual(
    found,
    [...before, ...(turn ? [turn] : [])].slice(-maxTurns),
    `what was remembered before ${described(plan)}`,
  );
  if (isAcknowledged) assert.deepEqual(turn, finished, described(plan));
  if (fate === 'failed at once') assert.equal(turn, undefined, described(plan));
  // A round is on the disk before Claude gets its results, whatever is killed then.
  if (isKept || plan.roundsDone > 0) assert.ok(turn, `nothing was kept of ${described(plan)}`);
  if (turn && !isAcknowledged) {
    assert.ok(
      isInterrupted(turn, finished, plan.roundsDone),
      `${described(plan)} left ${JSON.stringify(turn)} after ${plan.roundsDone} rounds`,
    );
  }
  return found;
}

function described({ number, fate }: TurnPlan): string {
  return `turn ${number} (${fate})`;
}
