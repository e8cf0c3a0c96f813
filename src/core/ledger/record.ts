import type { TurnEnd } from '../agent/events';
import type { ConversationId, LeaveReason, TurnId } from '../conversation/turn';
import type { Usage } from '../messages';

/** So many are kept, the newest. */
export const maxRecords = 300;

/** What was sent for one answer, what was left out of it, and what it took (M24). Plain JSON. */
export interface AnswerRecord {
  readonly version: 1;
  readonly kind: 'answer';
  readonly turn: TurnId;
  /** Absent when the answer neither read nor wrote memory. */
  readonly conversation?: ConversationId;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly model: string;
  /** `left`: nobody waited for the end. */
  readonly end: TurnEnd['reason'] | 'left';
  /** First words of the person's message; absent once they were erased, and when nothing is remembered. */
  readonly words?: string;
  /** So many requests took tokens. */
  readonly requests: number;
  readonly usage: Usage;
  /** Tokens are summed over all requests, and all together are the reported input. */
  readonly sent: readonly SentItem[];
  /** Remembered, and left out all the same. Turns that had left the memory before are in departures. */
  readonly leftOut: readonly LeftOutTurn[];
}

export type SentItem =
  | {
      /** `fold`: what the summary took that was made for this answer. `rounds`: what was done in the turn itself. */
      readonly kind: 'fold' | 'system' | 'tools' | 'summary' | 'rounds' | 'message' | 'facts';
      readonly tokens: number;
    }
  | {
      readonly kind: 'turn';
      readonly turn: TurnId;
      readonly words?: string;
      readonly tokens: number;
      /** What stands in it for images and documents. */
      readonly placeholders?: readonly string[];
    }
  /** A remembered value, by its name only. */
  | { readonly kind: 'param'; readonly name?: string; readonly tokens: number };

/** Turns that left the memory, and why. */
export interface DepartureRecord {
  readonly version: 1;
  readonly kind: 'left';
  readonly conversation: ConversationId;
  readonly at: number;
  readonly reason: LeaveReason;
  readonly turns: readonly LeftTurn[];
}

export interface LeftTurn {
  readonly turn: TurnId;
  readonly words?: string;
  readonly tokens: number;
}

export interface LeftOutTurn extends LeftTurn {
  /** `size`: it no longer fitted the model. `full`: over the turn limit or the token budget, and about to leave. */
  readonly reason: 'size' | 'full';
}

export type LedgerRecord = AnswerRecord | DepartureRecord;

/** The input of an answer by kind; with the output as `answer` they are all that was reported. */
export interface Parts {
  readonly system: number;
  readonly history: number;
  readonly results: number;
  readonly text: number;
  readonly answer: number;
}

export function partsOf({ sent, usage }: AnswerRecord): Parts {
  const parts = { system: 0, history: 0, results: 0, text: 0, answer: usage.output };
  for (const item of sent) parts[partOf(item)] += item.tokens;
  return parts;
}

function partOf({ kind }: SentItem): keyof Parts {
  switch (kind) {
    case 'system':
    case 'tools':
      return 'system';
    case 'fold':
    case 'summary':
    case 'turn':
      return 'history';
    case 'rounds':
      return 'results';
    case 'message':
    case 'facts':
    case 'param':
      break;
  }
  return 'text';
}

/** The record without any words of these turns; the figures stay. The same object when it holds none. */
export function withoutWords<Kept extends LedgerRecord>(record: Kept, turns: ReadonlySet<TurnId>): Kept;
export function withoutWords(record: LedgerRecord, turns: ReadonlySet<TurnId>): LedgerRecord {
  const isOf = (item: { readonly turn: TurnId }) => turns.has(item.turn);
  if (record.kind === 'left') {
    return record.turns.some(isOf) ? { ...record, turns: wordless(record.turns, isOf) } : record;
  }
  const { sent, leftOut } = record;
  const isOwn = isOf(record);
  if (!isOwn && !leftOut.some(isOf) && !sent.some((item) => item.kind === 'turn' && isOf(item)))
    return record;
  const { words, ...rest } = record;
  return {
    ...rest,
    ...(words !== undefined && !isOwn && { words }),
    leftOut: wordless(leftOut, isOf),
    sent: sent.map((item): SentItem => {
      if (item.kind === 'turn')
        return isOf(item) ? { kind: 'turn', turn: item.turn, tokens: item.tokens } : item;
      return item.kind === 'param' && isOwn ? { kind: 'param', tokens: item.tokens } : item;
    }),
  };
}

function wordless<T extends LeftTurn>(
  turns: readonly T[],
  isOf: (turn: LeftTurn) => boolean,
): readonly Omit<T, 'words'>[] {
  return turns.map((turn) => {
    const { words: _erased, ...rest } = turn;
    return isOf(turn) ? rest : turn;
  });
}
