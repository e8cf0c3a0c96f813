import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { priceOf } from '../../src/claude/models';
import { costOf } from '../../src/core/price';
import type { JournalEntry } from '../support/claude/journal';
import type { ClaudeRequest } from '../support/claude/request';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { seededRandom } from '../support/random';
import { startLastingVsCode, type DrivenWindow } from '../support/window/lastingVsCode';
import { showFailure } from '../support/window/watchPage';
import { Errands, type ErrandKind, type Place } from './errands';
import { readKept, type Kept } from './kept';
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
  readonly errands: Readonly<Partial<Record<ErrandKind, number>>>;
  readonly requests: number;
  /** US dollars that the stand-in charged and the extension counted, to the cent of a cent. */
  readonly spent: number;
  /** The sizes of the tables of the database, in bytes. */
  readonly tables: Kept['tables'];
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
/** What a turn may add to the database for good: its words, its place in the index, copies in the branches of rewinds. */
const maxBytesPerTurn = 12_000;
/** Of a database with few turns in it. */
const fewBytes = 500_000;
/** SQLite moves what is in the log to the database from 4 MB on. */
const maxLogBytes = 8_000_000;
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
    settings: {
      'assistant.maxTurns': maxTurns,
      'assistant.conversationTimeout': 0,
      'assistant.permissionMode': 'edits',
      'assistant.web': 'on',
    },
  });
  const errands = new Errands(vscode.workplace.folder);
  const sent: Partial<Record<ErrandKind, number>> = {};
  const seen: Partial<Record<Fate, number>> = {};
  const heaps: { turns: number; before: number; after: number }[] = [];
  let model: readonly TurnLines[] = [];
  let requests = 0;
  let charged = 0;
  let tables: Kept['tables'] = [];
  let calmSince: { readonly turn: number; readonly heap: number } | undefined;
  try {
    const window = await vscode.openWindow();
    for (let number = 1; number <= turns; number++) {
      const isCalm = Math.floor(number / stretch) % 2 === 1;
      // The first turns of a stretch fill what is filled once, such as the chat's own list of turns.
      if (isCalm && number % stretch === 10) calmSince = { turn: number, heap: await window.host.heap() };
      const plan = planTurn(number, { isCalm, errands, random });
      const place = { vscode, window, standIn };
      const before = model;
      standIn.reset();
      await plan.errand?.before?.(place);
      standIn.script(...plan.replies);
      const turn = play(plan, place).then(async (isAcknowledged) => {
        if (isAcknowledged && plan.fate === 'answered') errands.answered(number);
        const found = await after(plan, isAcknowledged, before, window);
        return plan.errand?.after ? remembers(plan, await plan.errand.after(place, found), window) : found;
      });
      model = await inTime(plan, turn);
      const kept = await errands.check(place, described(plan));
      charged = await addsUp(plan, { charged, kept, place });
      ({ tables } = kept);
      isBounded(plan, kept);
      hasNotes(plan, errands.notes, standIn);
      const refused = standIn.journal.refused.map(({ outcome }) => outcome.problem);
      assert.deepEqual(refused, [], `an invalid request in ${described(plan)}`);
      requests += standIn.journal.messages.length;
      seen[plan.fate] = (seen[plan.fate] ?? 0) + 1;
      if (plan.errand) sent[plan.errand.kind] = (sent[plan.errand.kind] ?? 0) + 1;
      if (calmSince && (number + 1) % stretch === 0) {
        const heap = await window.host.heap();
        heaps.push({ turns: number - calmSince.turn, before: calmSince.heap, after: heap });
        calmSince = undefined;
      }
      if (number % newThreadEvery === 0) await window.host.execute('workbench.action.chat.newChat');
      onTurn?.({ turn: number, fates: seen, errands: sent, requests, spent: charged, tables });
    }
    const figures = { turn: turns, fates: seen, errands: sent, requests, spent: charged, tables };
    return { ...figures, remembered: model, heaps };
  } catch (error) {
    await showFailure('soak');
    throw error;
  } finally {
    await vscode.close();
    await standIn.close();
  }
}

/** Plays a turn to whatever end it was planned; says whether its answer was acknowledged. */
async function play(plan: TurnPlan, place: Place): Promise<boolean> {
  const { window, standIn } = place;
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
      // Of an answer that was stopped before any of it had arrived nothing is kept (M7).
      await window.panel.lastAnswer.filter({ hasText: plan.heldText }).waitFor();
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
      await plan.errand?.held?.(place);
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

/** What the person did after the turn has come to what they wanted. */
async function remembers(
  plan: TurnPlan,
  wanted: readonly TurnLines[],
  { host }: DrivenWindow,
): Promise<readonly TurnLines[]> {
  const expected = wanted.slice(-maxTurns);
  let found = turnsOf(await host.history());
  for (let look = 0; look < 200 && !isDeepStrictEqual(found, expected); look++) {
    await sleep(50);
    found = turnsOf(await host.history());
  }
  assert.deepEqual(found, expected, `what is remembered after ${described(plan)} and what followed`);
  return found;
}

/**
 * The sum of the days has grown by what the stand-in charged. Of a stream that broke, or a host that was killed, nobody
 * knows what it would have come to: from there on it is counted anew.
 */
async function addsUp(
  plan: TurnPlan,
  { charged, kept, place }: { readonly charged: number; readonly kept: Kept; readonly place: Place },
): Promise<number> {
  const { journal } = place.standIn;
  const isWhole = journal.messages.every(({ outcome }) => outcome.state === 'answered');
  if (!isWhole || plan.fate.startsWith('killed')) return kept.spent;
  const expected = charged + journal.messages.reduce((sum, entry) => sum + costOfEntry(entry), 0);
  const isSame = (spent: number) => Math.abs(spent - expected) < 0.000_001;
  let { spent } = kept;
  for (let look = 0; look < 100 && !isSame(spent); look++) {
    await sleep(50);
    ({ spent } = readKept(place.vscode.workplace.dataFolder));
  }
  assert.ok(isSame(spent), `${spent} dollars are counted, and ${expected} charged, after ${described(plan)}`);
  return spent;
}

function costOfEntry({ body, outcome: { usage } }: JournalEntry): number {
  const price = priceOf((body as ClaudeRequest).model);
  if (!usage || !price) return 0;
  const cacheWriteHour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return costOf(
    {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
      cacheWriteHour,
      webSearches: usage.server_tool_use?.web_search_requests ?? 0,
    },
    price,
  );
}

function isBounded(plan: TurnPlan, { tables, logBytes }: Kept): void {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const largest = JSON.stringify(tables.slice(0, 4));
  assert.ok(
    bytes < fewBytes + plan.number * maxBytesPerTurn,
    `${bytes} bytes after ${described(plan)}: ${largest}`,
  );
  assert.ok(logBytes < maxLogBytes, `a log of ${logBytes} bytes after ${described(plan)}`);
}

/** Each answer was asked for with all notes that there were before it. */
function hasNotes({ fate, errand }: TurnPlan, notes: readonly string[], { journal }: StandIn): void {
  if (fate !== 'answered' || errand) return;
  const [first] = journal.messages;
  for (const note of notes)
    assert.ok(first?.bodyText.includes(note), `“${note}” does not go with the request`);
}

function described({ number, fate, errand }: TurnPlan): string {
  return `turn ${number} (${[fate, errand?.kind].filter(Boolean).join(', ')})`;
}
