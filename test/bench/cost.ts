import { builtInModels, defaultModelId } from '../../src/claude/models';
import { costOf } from '../../src/claude/pricing';
import { findModel } from '../support/claude/models';
import { createPromptCache } from '../support/claude/promptCache';
import type { ClaudeRequest } from '../support/claude/request';
import { startStandIn } from '../support/claude/standIn';
import { runSession, type SessionOptions } from '../support/session';
import { seededRandom } from '../support/random';
import { isQuestion, placements, withMarks } from './placements';

/** What the input of a session costs by who places the marks, over no caching. */
export type SessionCost = Readonly<Record<string, number>>;

/** Turns with so many rounds of tool calls each, in this order again and again: questions, small jobs, large ones. */
const mixedRounds = [2, 6, 0, 9, 4, 1, 12, 3, 7, 5];

const working = { turns: 30, rounds: mixedRounds, keptTurns: 10, facts: 'The open file is part' } as const;

/** The same questions and tool calls each time; what differs is how much of them is kept, and who thinks. */
export const sessions = {
  'default (10 turns, the oldest leaves)': { ...working, eviction: 'oldest' },
  'eviction half': { ...working, eviction: 'half' },
  'no turn limit': { ...working, eviction: 'oldest', keptTurns: 30 },
  'no turn limit, no thinking, no facts': {
    ...working,
    eviction: 'oldest',
    keptTurns: 30,
    facts: '',
    isThinking: false,
  },
  'default, 3 rounds in every turn': { ...working, eviction: 'oldest', rounds: [3] },
} satisfies Record<string, SessionOptions>;

/** Runs the session over HTTP once and reckons its requests anew with the marks of others. */
export async function measureCost(options: SessionOptions): Promise<SessionCost> {
  const standIn = await startStandIn();
  try {
    await runSession(standIn, options);
    if (standIn.journal.refused.length > 0) throw new Error('A request of the session was refused.');
    const requests = standIn.journal.messages.map(({ body }) => body as ClaudeRequest);
    const plain = inputCost(requests.map((request) => withMarks(request, placements['no caching']!)));
    const others = Object.entries(placements).map(
      ([name, place]) =>
        [name, inputCost(requests.map((request) => withMarks(request, place))) / plain] as const,
    );
    return Object.fromEntries([['ours', inputCost(requests) / plain], ...others]);
  } finally {
    await standIn.close();
  }
}

const roundMs = 10_000;
const usualPauseMs = 90_000;

/** What these requests cost when a person sends them: in a turn at once, between turns after a while, often minutes. */
function inputCost(requests: readonly ClaudeRequest[]): number {
  const model = findModel(defaultModelId);
  const price = builtInModels.find(({ id }) => id === defaultModelId)?.price;
  if (!model || !price) throw new Error(`${defaultModelId} has no price.`);
  const random = seededRandom(5);
  let now = 0;
  const cache = createPromptCache(() => now);
  return requests.reduce((sum, request) => {
    const isFirstOfTurn = isQuestion(request.messages.at(-1));
    now += isFirstOfTurn ? usualPauseMs * Math.exp(normal(random)) : roundMs;
    const { input, cacheRead, cacheWrite5m } = cache.use(request, model);
    return sum + costOf({ input, cacheRead, cacheWrite: cacheWrite5m, output: 0 }, price);
  }, 0);
}

/** Around 0, two thirds of them within 1 (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
