import { builtInModels, priceOf } from '../../src/claude/models';
import { createForecast } from '../../src/core/agent/forecast';
import { createMeter } from '../../src/core/agent/meter';
import type { CacheTtl } from '../../src/core/cacheTtl';
import type { Model } from '../../src/core/ports';
import { costOf } from '../../src/core/price';
import { settingRules } from '../../src/core/settings';
import { findModel } from '../support/claude/models';
import { createPromptCache } from '../support/claude/promptCache';
import type { ClaudeRequest } from '../support/claude/request';
import { startStandIn } from '../support/claude/standIn';
import { seededRandom } from '../support/random';
import { runSession, type SessionOptions, type SessionTime } from '../support/session';
import { placements, withMarks, withSystemMark } from './placements';

/** What the input of a session costs by who places the marks, over no caching. */
export type SessionCost = Readonly<Record<string, number>>;

/** Turns with so many rounds of tool calls each, in this order again and again: questions, small jobs, large ones. */
const mixedRounds = [2, 6, 0, 9, 4, 1, 12, 3, 7, 5];

/** With the settings as they come. */
export const defaultSession = {
  turns: 30,
  rounds: mixedRounds,
  keptTurns: 10,
  eviction: 'oldest',
  context: 'The open file is part',
} as const;

/** The same questions and tool calls each time; what differs is how much of them is kept, and who thinks. */
export const sessions = {
  'default (10 turns, the oldest leaves)': defaultSession,
  'eviction half': { ...defaultSession, eviction: 'half' },
  'no turn limit': { ...defaultSession, keptTurns: 30 },
  'no turn limit, no thinking, no context': {
    ...defaultSession,
    keptTurns: 30,
    context: '',
    isThinking: false,
  },
  'default, 3 rounds in every turn': { ...defaultSession, rounds: [3] },
} satisfies Record<string, SessionOptions>;

/** How long a person pauses before their next question, by how many they have asked. */
export type Pauses = (random: () => number, turn: number) => number;

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

const usualPauses = around(90 * secondMs, 1);

/** anthropics/claude-code#74075: of 1,967 replies of one person 27 % came after 5 minutes and 10 % after 15. */
export const measuredPauses = around(110 * secondMs, 1.64);

/** Who else may sit there. How long a tools-and-system mark should live is a question of the person. */
export const people: Readonly<Record<string, Pauses>> = {
  'around 90 s, now and then beyond 5 min': usualPauses,
  'as measured, a quarter beyond 5 min': measuredPauses,
  'the same, and gone for hours after every 12': (random, turn) =>
    turn % 12 === 0 ? 5 * hourMs : measuredPauses(random, turn),
  'always 1 min': () => minuteMs,
  'always 20 min': () => 20 * minuteMs,
  'always 40 min, each time a new conversation': () => 40 * minuteMs,
  'always 2 h': () => 2 * hourMs,
  '3 questions, then gone for 3 h': (random, turn) =>
    turn % 3 === 0 ? 3 * hourMs : usualPauses(random, turn),
  '6 questions, then gone for 3 h': (random, turn) =>
    turn % 6 === 0 ? 3 * hourMs : usualPauses(random, turn),
};

/** Runs the session over HTTP once and reckons its requests anew with the marks of others. */
export async function measureCost(
  options: SessionOptions,
  pauses: Pauses = usualPauses,
): Promise<SessionCost> {
  const session = await recordSession(options, pauses);
  return overNoCaching(session, [
    ['ours', asSent],
    ...Object.entries(placements).map(
      ([name, place]) => [name, (request: ClaudeRequest) => withMarks(request, place)] as const,
    ),
  ]);
}

/** The same for how long tools and system prompt are kept: as we decide it, or always five minutes, or always an hour. */
export async function measureLives(
  pauses: Pauses,
  options: SessionOptions = defaultSession,
): Promise<SessionCost> {
  const session = await recordSession(options, pauses);
  return overNoCaching(session, [
    ['five minutes', (request) => withSystemMark(request, '5m')],
    ['an hour', (request) => withSystemMark(request, '1h')],
    ['ours', asSent],
  ]);
}

/** What the input costs with recall on offer, over without it. */
export async function measureRecallCost(options: SessionOptions = defaultSession): Promise<number> {
  const [on, off] = [
    await recordSession({ ...options, canRecall: true }, usualPauses),
    await recordSession({ ...options, canRecall: false }, usualPauses),
  ];
  return inputCost(on, asSent) / inputCost(off, asSent);
}

export interface ForecastErrors {
  /** Of each message but the first: before it is written, against what its first request then costs (P6). */
  readonly messages: readonly number[];
  /** Of each request but the first, tool rounds included: as it stands, right before it is sent. */
  readonly requests: readonly number[];
}

/** How far the forecast is off what the input of a request then costs, over that. */
export async function measureForecast(
  options: SessionOptions,
  pauses: Pauses = usualPauses,
): Promise<ForecastErrors> {
  const time = createTime(pauses);
  const standIn = await startStandIn({ clock: time.now });
  const forecast = createForecast(time.now);
  let systemTtl: CacheTtl = '5m';
  const windowOf = () => 1_000_000;
  const meter = createMeter({ forecast, priceOf, windowOf, systemTtl: () => systemTtl, clock: time.now });
  const messages: number[] = [];
  const requests: number[] = [];
  let expected: number | undefined;
  let hasLearned = false;
  const watch = (model: Model): Model => ({
    async *stream(request, signal) {
      const startedAt = time.now();
      const price = priceOf(request.model);
      if (!price) throw new Error(`${request.model} has no price.`);
      const { cost: asItStands } = forecast.input(request, price);
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'answer') {
          const { usage } = event.answer;
          const paid = (usage.cost ?? 0) - (usage.output * price.output) / 1_000_000;
          const isOff = (by: number) => Math.abs(by - paid) / paid;
          if (expected !== undefined) messages.push(isOff(expected));
          if (hasLearned) requests.push(isOff(asItStands));
          expected = undefined;
          hasLearned = true;
          forecast.learn(request, usage, startedAt);
        }
        yield event;
      }
    },
  });
  try {
    await runSession(standIn, options, time, {
      watch,
      beforeTurn(history, sent, ttl) {
        systemTtl = ttl;
        const cost = meter.next(history)?.cost;
        expected = cost && 'now' in cost ? cost.now : undefined;
        meter.note(sent);
      },
    });
    return { messages, requests };
  } finally {
    await standIn.close();
  }
}

interface Sent {
  readonly at: number;
  readonly request: ClaudeRequest;
}

async function recordSession(options: SessionOptions, pauses: Pauses): Promise<readonly Sent[]> {
  const time = createTime(pauses);
  const standIn = await startStandIn({ clock: time.now });
  try {
    await runSession(standIn, options, time);
    if (standIn.journal.refused.length > 0) throw new Error('A request of the session was refused.');
    return standIn.journal.messages.map(({ arrivedAt, body }) => ({
      at: arrivedAt,
      request: body as ClaudeRequest,
    }));
  } finally {
    await standIn.close();
  }
}

/** Rounds take ten seconds each; between turns it is the person who takes their time. */
function createTime(pauses: Pauses): SessionTime {
  const random = seededRandom(5);
  let [now, turn] = [0, 0];
  return {
    now: () => now,
    round: () => {
      now += 10 * secondMs;
    },
    pause: () => {
      turn++;
      now += pauses(random, turn);
    },
  };
}

type Change = (request: ClaudeRequest) => ClaudeRequest;

const asSent: Change = (request) => request;

function overNoCaching(
  session: readonly Sent[],
  changes: readonly (readonly [string, Change])[],
): SessionCost {
  const plain = inputCost(session, (request) => withMarks(request, placements['no caching']!));
  return Object.fromEntries(changes.map(([name, change]) => [name, inputCost(session, change) / plain]));
}

function inputCost(session: readonly Sent[], change: Change): number {
  const { fallback: modelId } = settingRules().model;
  const model = findModel(modelId);
  const price = builtInModels.find(({ id }) => id === modelId)?.price;
  if (!model || !price) throw new Error(`${modelId} has no price.`);
  let now = 0;
  const cache = createPromptCache(() => now);
  return session.reduce((sum, { at, request }) => {
    now = at;
    const { input, cacheRead, cacheWrite5m, cacheWrite1h } = cache.use(change(request), model);
    const cacheWrite = cacheWrite5m + cacheWrite1h;
    return sum + costOf({ input, cacheRead, cacheWrite, cacheWriteHour: cacheWrite1h, output: 0 }, price);
  }, 0);
}

/** Half of them shorter than this, two thirds within a factor of e to the power of the spread. */
function around(medianMs: number, spread: number): Pauses {
  return (random) => medianMs * Math.exp(spread * normal(random));
}

/** Around 0, two thirds of them within 1 (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
