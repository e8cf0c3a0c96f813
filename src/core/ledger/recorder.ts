import type { AgentEvent } from '../agent/events';
import type { PromptSizes } from '../agent/promptSizes';
import { paramFacts } from '../conversation/paramFacts';
import { placeholdersIn } from '../conversation/placeholders';
import { firstWords } from '../conversation/reports/memoryReport';
import { tokensOfTurn } from '../conversation/retention';
import { repairedMessages } from '../conversation/transcript';
import type { Conversation, ConversationId, Params, StoredTurn, TurnId } from '../conversation/turn';
import { jsonBytes } from '../json';
import { addUsage, inputTokens, type Message, type Usage } from '../messages';
import type { Clock } from '../ports';
import { apportion } from './apportion';
import type { AnswerRecord, LeftTurn, SentItem } from './record';

export interface RecorderOptions {
  readonly turn: { readonly id: TurnId; readonly startedAt: number };
  readonly conversationId: ConversationId | undefined;
  readonly model: string;
  readonly userContent: Message['content'];
  /** What was remembered when the turn began, and all its messages as they can be sent. */
  readonly conversation: Conversation | undefined;
  readonly history: readonly Message[];
  /** What was stored but is over the limits, so that it is in neither. */
  readonly leaving: readonly StoredTurn[];
  /** So many of these messages go as history; the turns after them are those that this one goes on with. */
  readonly historyLength: number;
  readonly params: Params;
  /** Facts of the moment besides the params. */
  readonly facts: string | undefined;
  /** What was spent on a summary before the turn could begin. */
  readonly folded: Usage;
  readonly clock: Clock;
}

/** Follows one turn and knows at its end what was sent for it. */
export interface Recorder {
  follow(event: AgentEvent): void;
  record(): AnswerRecord;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { turn, clock, folded } = options;
  const plan = planOf(options);
  const tokens = plan.map(() => 0);
  const fold: SentItem = { kind: 'fold', tokens: inputTokens(folded) };
  let usage = folded;
  let requests = fold.tokens > 0 ? 1 : 0;
  let end: AnswerRecord['end'] = 'left';
  /** Of the last request. */
  let weights: readonly number[] = [];

  return {
    follow(event) {
      if (event.type === 'turn-end') end = event.end.reason;
      if (event.type !== 'request-end') return;
      const input = inputTokens(event.usage);
      weights = plan.map(({ weight }) => weight(event.sizes));
      for (const [index, share] of apportion(input, weights).entries())
        tokens[index] = (tokens[index] ?? 0) + share;
      usage = addUsage(usage, event.usage);
      if (input + event.usage.output > 0) requests++;
    },

    record() {
      return {
        version: 1,
        kind: 'answer',
        turn: turn.id,
        // Of what is asked without memory, no words are kept.
        ...(options.conversationId !== undefined && {
          conversation: options.conversationId,
          words: firstWords({ messages: [{ role: 'user', content: options.userContent }] }),
        }),
        startedAt: turn.startedAt,
        endedAt: clock(),
        model: options.model,
        end,
        requests,
        usage,
        sent: [
          ...(fold.tokens > 0 ? [fold] : []),
          ...plan.flatMap(({ item }, index) =>
            tokens[index] || weights[index] ? [item(tokens[index] ?? 0)] : [],
          ),
        ],
        leftOut: [
          ...options.leaving.map((left) => ({ ...toLeftTurn(left), reason: 'full' }) as const),
          ...plan.flatMap((planned, index) =>
            planned.turn && weights[index] === 0
              ? [{ ...toLeftTurn(planned.turn), reason: 'size' } as const]
              : [],
          ),
        ],
      };
    },
  };
}

export function toLeftTurn(turn: StoredTurn): LeftTurn {
  return { turn: turn.id, words: firstWords(turn), tokens: tokensOfTurn(turn) };
}

/** One thing that requests hold, and how much of a request it is. */
interface Planned {
  readonly item: (tokens: number) => SentItem;
  readonly weight: (sizes: PromptSizes) => number;
  readonly turn?: StoredTurn;
}

function planOf(options: RecorderOptions): readonly Planned[] {
  return [
    plain('system'),
    plain('tools'),
    ...historyPlan(options),
    plain('message'),
    ...factsPlan(options),
    plain('rounds'),
  ];
}

function plain(kind: 'system' | 'tools' | 'rounds' | 'message'): Planned {
  return { item: (tokens) => ({ kind, tokens }), weight: (sizes) => sizes[kind] };
}

function historyPlan({ conversation, history, historyLength }: RecorderOptions): readonly Planned[] {
  const turns = conversation?.turns ?? [];
  const counts = turns.map(({ messages }) => repairedMessages(messages).length);
  // What stands before the turns is the summary of those that have left.
  const summaryLength = Math.max(0, history.length - counts.reduce((sum, count) => sum + count, 0));
  let start = summaryLength;
  const places = turns.map((turn, index) => {
    const from = start;
    start += counts[index] ?? 0;
    return { turn, from, to: start };
  });
  const continued = places.filter(({ from }) => from >= historyLength);
  const continuedBytes = continued.map(({ turn }) => jsonBytes(turn.messages));
  // A request that was too long lost messages at the front, so they are counted from the end.
  const sizeBetween = (sizes: PromptSizes, from: number, to: number) => {
    const lost = historyLength - sizes.history.length;
    return sizes.history.slice(Math.max(0, from - lost), Math.max(0, to - lost)).reduce(add, 0);
  };
  const summary: Planned = {
    item: (tokens) => ({ kind: 'summary', tokens }),
    weight: (sizes) => sizeBetween(sizes, 0, summaryLength),
  };
  return [
    ...(summaryLength > 0 ? [summary] : []),
    ...places.map(({ turn, from, to }): Planned => {
      const at = continued.findIndex((place) => place.turn === turn);
      const placeholders = placeholdersIn(turn.messages);
      return {
        turn,
        item: (tokens) => ({
          kind: 'turn',
          turn: turn.id,
          words: firstWords(turn),
          tokens,
          ...(placeholders.length > 0 && { placeholders }),
        }),
        weight: (sizes) =>
          at < 0 ? sizeBetween(sizes, from, to) : (apportion(sizes.earlier, continuedBytes)[at] ?? 0),
      };
    }),
  ];
}

/** Facts go out as one text: each remembered value counts for its line. */
function factsPlan({ params, facts }: RecorderOptions): readonly Planned[] {
  const items: readonly { readonly item: Planned['item']; readonly bytes: number }[] = [
    { item: (tokens) => ({ kind: 'facts', tokens }), bytes: facts?.trim() ? jsonBytes(facts) : 0 },
    ...Object.entries(params).map(([name, value]) => ({
      item: (tokens: number): SentItem => ({ kind: 'param', name, tokens }),
      bytes: jsonBytes(paramFacts({ [name]: value })),
    })),
  ];
  const bytes = items.map((entry) => entry.bytes);
  return items.map(({ item }, index) => ({
    item,
    weight: (sizes) => apportion(sizes.facts, bytes)[index] ?? 0,
  }));
}

function add(a: number, b: number): number {
  return a + b;
}
