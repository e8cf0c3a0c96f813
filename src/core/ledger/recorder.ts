import type { CacheMiss } from '../agent/cacheMiss';
import type { AgentEvent } from '../agent/events';
import type { PromptSizes } from '../agent/promptSizes';
import { sumOf, type SideSpending } from '../agent/turnModel';
import { paramContext } from '../conversation/paramContext';
import { placeholdersIn } from '../conversation/placeholders';
import type { ConversationId, Params, StoredTurn, TurnId } from '../conversation/turn';
import { tokensOfTurn, type HistoryPart } from '../conversation/view';
import { addUsage, inputTokens, type Usage } from '../messages';
import type { Clock } from '../ports';
import { jsonBytes } from '../text/json';
import type { CountedFile } from '../tools/guidance/guidance';
import { noteLine, type SentNotes } from '../tools/notes/sentNotes';
import { paramId, type AnswerRecord, type ExcludedTurn, type SentItem, type UnaskedCalls } from './record';

export interface RecorderOptions {
  readonly turn: { readonly id: TurnId; readonly startedAt: number };
  /** Undefined when memory is neither read nor written. */
  readonly conversation: ConversationId | undefined;
  readonly model: string;
  readonly history: readonly HistoryPart[];
  /** Where a message answers a question: its turn goes on with the messages of the history from this one on. */
  readonly resumedAt?: number | undefined;
  /** Stored turns that are over the limits, so that they are not in the history. */
  readonly overLimits: readonly StoredTurn[];
  readonly notes: SentNotes;
  /** The team's words in the system prompt, the message and the history. */
  readonly guidance?: readonly CountedFile[];
  readonly params: Params;
  /** What goes with the message besides the plan and the params. */
  readonly context: string | undefined;
  readonly plan?: string | undefined;
  /** What a summary took that had to be made first. */
  readonly summaryUsage: Usage;
  /** What side work has taken so far. */
  readonly side?: () => readonly SideSpending[];
  /** Why the first request found less in the cache than it could, once that is known. */
  readonly cacheMiss?: () => CacheMiss | undefined;
  readonly clock: Clock;
}

/** Follows one turn and knows at its end what was sent for it. */
export interface Recorder {
  follow(event: AgentEvent): void;
  record(): AnswerRecord;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { turn, conversation, model, notes, summaryUsage, clock } = options;
  const portions = portionsOf(options);
  const tokens = portions.map(() => 0);
  const summaryTokens = inputTokens(summaryUsage);
  const { cost: summaryCost } = summaryUsage;
  const summarize: SentItem = {
    kind: 'summarize',
    tokens: summaryTokens,
    ...(summaryCost !== undefined && { cost: summaryCost }),
  };
  let usage = summaryUsage;
  let requests = summaryTokens > 0 ? 1 : 0;
  let end: AnswerRecord['end'] = 'aborted';
  const unasked = new Map<string, UnaskedCalls>();
  const guidance = new Map<string, CountedFile>();
  const count = (files: readonly CountedFile[] = []) => {
    for (const file of files) guidance.set(JSON.stringify([file.kind, file.path]), file);
  };
  count(options.guidance);
  /** Of the last request. */
  let weights: readonly number[] = [];

  return {
    follow(event) {
      if (event.type === 'turn-end') end = event.end.reason;
      if (event.type === 'instructions-told') count(event.files);
      if (event.type === 'tool-end') count(event.output.guidance);
      if (event.type === 'tool-end' && event.output.unasked) {
        const { because } = event.output.unasked;
        const tool = event.call.name;
        const key = JSON.stringify([tool, because]);
        unasked.set(key, { tool, because, count: (unasked.get(key)?.count ?? 0) + 1 });
      }
      if (event.type !== 'request-end') return;
      const input = inputTokens(event.usage);
      weights = portions.map(({ weight }) => weight(event.sizes));
      for (const [index, share] of apportion(input, weights).entries())
        tokens[index] = (tokens[index] ?? 0) + share;
      usage = addUsage(usage, event.usage);
      if (input + event.usage.output > 0) requests++;
    },

    record() {
      const side = options.side?.() ?? [];
      const cacheMiss = options.cacheMiss?.();
      return {
        version: 1,
        kind: 'answer',
        turn: turn.id,
        ...(conversation !== undefined && { conversation }),
        startedAt: turn.startedAt,
        endedAt: clock(),
        model,
        end,
        requests: side.reduce((sum, one) => sum + one.requests, requests),
        usage: addUsage(usage, sumOf(side)),
        sent: [
          ...(summaryTokens > 0 ? [summarize] : []),
          ...portions.flatMap(({ item }, index) =>
            tokens[index] || weights[index] ? [{ ...item, tokens: tokens[index] ?? 0 }] : [],
          ),
          ...side.map(sideItem),
        ],
        excluded: [
          ...options.overLimits.map((over) => excluded(over, 'full')),
          ...portions.flatMap(({ turn: sent }, index) =>
            sent && weights[index] === 0 ? [excluded(sent, 'size')] : [],
          ),
        ],
        ...(notes.leftOut.length > 0 && { unsentNotes: notes.leftOut.map(({ id }) => id) }),
        ...(guidance.size > 0 && { guidance: [...guidance.values()] }),
        ...(cacheMiss && { cacheMiss }),
        ...(unasked.size > 0 && { unasked: [...unasked.values()] }),
      };
    },
  };
}

function sideItem({ kind, usage, requests }: SideSpending): SentItem {
  const { output, cost } = usage;
  return { kind, tokens: inputTokens(usage), output, requests, ...(cost !== undefined && { cost }) };
}

function excluded(turn: StoredTurn, reason: ExcludedTurn['reason']): ExcludedTurn {
  return { turn: turn.id, tokens: tokensOfTurn(turn), reason };
}

/** One thing that requests hold, and how much of a request it is. */
interface Portion {
  readonly item: SentItem;
  readonly weight: (sizes: PromptSizes) => number;
  readonly turn?: StoredTurn;
}

function portionsOf(options: RecorderOptions): readonly Portion[] {
  return [
    ...systemPortions(options),
    plain('tools'),
    ...historyPortions(options),
    plain('message'),
    ...contextPortions(options),
    plain('rounds'),
  ];
}

/** The notes are the last part of the system prompt: each counts for its line. */
function systemPortions({ notes: { sent } }: RecorderOptions): readonly Portion[] {
  const bytes = sent.map((note) => jsonBytes(noteLine(note)));
  const all = bytes.reduce((sum, size) => sum + size, 0);
  const items: readonly SentItem[] = [
    { kind: 'system', tokens: 0 },
    ...sent.map(({ id }): SentItem => ({ kind: 'note', note: id, tokens: 0 })),
  ];
  return items.map((item, index) => ({
    item,
    weight: ({ system }) => apportion(system, [Math.max(0, system - all), ...bytes])[index] ?? 0,
  }));
}

function plain(kind: 'tools' | 'message' | 'rounds'): Portion {
  return { item: { kind, tokens: 0 }, weight: (sizes) => sizes[kind] };
}

function historyPortions({ history, resumedAt = Infinity }: RecorderOptions): readonly Portion[] {
  let length = 0;
  const ends = history.map(({ messages }) => (length += messages.length));
  const sentLength = Math.min(resumedAt, length);
  const resumedBytes = history.map(({ messages }, index) =>
    (ends[index] ?? 0) > sentLength ? jsonBytes(messages) : 0,
  );
  return history.map(({ turn, messages }, index): Portion => {
    const weight = (sizes: PromptSizes) => {
      // A request that was too long lost messages at the front, so they are counted from the end.
      const end = (ends[index] ?? 0) - (sentLength - sizes.history.length);
      const own = sizes.history.slice(Math.max(0, end - messages.length), Math.max(0, end));
      return own.reduce((sum, size) => sum + size, apportion(sizes.earlier, resumedBytes)[index] ?? 0);
    };
    if (!turn) return { item: { kind: 'summary', tokens: 0 }, weight };
    const placeholders = placeholdersIn(turn.messages).length;
    const item: SentItem = {
      kind: 'turn',
      turn: turn.id,
      tokens: 0,
      ...(placeholders > 0 && { placeholders }),
    };
    return { item, weight, turn };
  });
}

/** The context goes out as one text: the plan counts for its own, and each remembered value for its line. */
function contextPortions({ params, context, plan }: RecorderOptions): readonly Portion[] {
  const values = Object.entries(params);
  const bytes = [
    context?.trim() ? jsonBytes(context) : 0,
    plan === undefined ? 0 : jsonBytes(plan),
    ...values.map(([name, value]) => jsonBytes(paramContext({ [name]: value }))),
  ];
  const items: readonly SentItem[] = [
    { kind: 'context', tokens: 0 },
    { kind: 'plan', tokens: 0 },
    ...values.map(([name]): SentItem => ({ kind: 'param', param: paramId(name), tokens: 0 })),
  ];
  return items.map((item, index) => ({
    item,
    weight: (sizes) => apportion(sizes.context, bytes)[index] ?? 0,
  }));
}

/** Splits a whole number by weight, so that the shares add up to it exactly: the largest remainders are rounded up. */
export function apportion(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map((_, index) => (index === 0 ? whole : 0));
  const exact = weights.map((weight) => (whole * weight) / sum);
  const shares = exact.map(Math.floor);
  const missing = whole - shares.reduce((all, share) => all + share, 0);
  const remainder = (index: number) => (exact[index] ?? 0) - (shares[index] ?? 0);
  const first = weights.map((_, index) => index).toSorted((a, b) => remainder(b) - remainder(a));
  for (const index of first.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
