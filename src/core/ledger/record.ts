import type { CacheMiss } from '../agent/cacheMiss';
import type { TurnEnd } from '../agent/events';
import type { SideWork } from '../agent/turnModel';
import type { DepartureRow } from '../conversation/store';
import type { ConversationId, TurnId } from '../conversation/turn';
import type { Usage } from '../messages';
import type { CountedFile } from '../tools/guidance/guidance';
import type { Note } from '../tools/notes/note';
import type { Allowed } from '../tools/permissions';

/** At most this many answers are kept, the newest. */
export const maxRecords = 300;

/**
 * What was sent for one answer, what was left out of it, and what it took (M24). Plain JSON of ids and numbers: words
 * come from the turns when it is shown, so that what the user erases is nowhere in here (M26).
 */
export interface AnswerRecord {
  readonly version: 1;
  readonly kind: 'answer';
  readonly turn: TurnId;
  /** Absent when the answer neither read nor wrote memory. */
  readonly conversation?: ConversationId;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly model: string;
  /** `aborted`: nobody waited for the end. */
  readonly end: TurnEnd['reason'] | 'aborted';
  /** What was asked for, where it was no message. */
  readonly command?: 'compact';
  /** How many requests took tokens. */
  readonly requests: number;
  readonly usage: Usage;
  /** Tokens are summed over all requests, and all together are the reported input. */
  readonly sent: readonly SentItem[];
  /** Turns that were still stored, and left out. Those that had been evicted before have records of their own. */
  readonly excluded: readonly ExcludedTurn[];
  /** Notes for which there was no room. */
  readonly unsentNotes?: readonly NoteId[];
  /** The team's words that counted, and where they came from (T5); erased with the turn. */
  readonly guidance?: readonly CountedFile[];
  /** Why the first request found less in the cache than the answer before has left there (P6). */
  readonly cacheMiss?: CacheMiss;
  /** Calls that ran without a question that there would have been, and why (R4). Rules are words of the settings only. */
  readonly unasked?: readonly UnaskedCalls[];
}

export interface UnaskedCalls {
  readonly tool: string;
  readonly because: Allowed;
  readonly count: number;
}

export type SentItem =
  | {
      /** `rounds`: what was done in the turn itself. */
      readonly kind: 'system' | 'tools' | 'summary' | 'rounds' | 'message' | 'context' | 'plan';
      readonly tokens: number;
    }
  | {
      readonly kind: 'turn';
      readonly turn: TurnId;
      readonly tokens: number;
      /** How many placeholders stand in it for images and documents. */
      readonly placeholders?: number;
    }
  /** Turns, to make a summary of them for this answer. */
  | { readonly kind: 'summarize'; readonly tokens: number; readonly cost?: number }
  /** Requests of their own for this answer. Their output is not part of the answer, and the cost is of both. */
  | {
      readonly kind: SideWork;
      readonly tokens: number;
      readonly output: number;
      readonly requests: number;
      readonly cost?: number;
    }
  | { readonly kind: 'param'; readonly param: ParamId; readonly tokens: number }
  | { readonly kind: 'note'; readonly note: NoteId; readonly tokens: number };

type NoteId = Note['id'];

export interface TurnSize {
  readonly turn: TurnId;
  readonly tokens: number;
}

export interface ExcludedTurn extends TurnSize {
  /** `size`: it no longer fitted the model. `full`: over the turn limit or the token budget, and about to be evicted. */
  readonly reason: 'size' | 'full';
}

/** Something with what it is called: the first words of a turn, the name of a value or a note, where they are still known. */
export type Shown<Item> = Item & {
  readonly words?: string | undefined;
  readonly startedAt?: number | undefined;
};

export interface ShownAnswer extends AnswerRecord {
  readonly words?: string | undefined;
  readonly sent: readonly Shown<SentItem>[];
  readonly excluded: readonly Shown<ExcludedTurn>[];
  /** The notes for which there was no room, as far as they are still there. */
  readonly unsentNoteTexts?: readonly string[];
}

export type Eviction = Shown<DepartureRow & { readonly kind: 'evicted' }>;

export type LedgerRecord = ShownAnswer | Eviction;

export function answersIn(records: readonly LedgerRecord[]): readonly ShownAnswer[] {
  return records.filter((record) => record.kind === 'answer');
}

/** Stands for the name of a remembered value. */
type ParamId = number;

/** FNV-1a: only has to tell the few names of a workspace apart. */
export function paramId(name: string): ParamId {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The input of an answer by kind; with the output as `answer` they are all that was reported. */
export type Parts = Readonly<
  Record<'system' | 'history' | 'results' | 'text' | 'scouts' | 'web' | 'answer', number>
>;

export function partsOf({ sent, usage }: AnswerRecord): Parts {
  const parts = { system: 0, history: 0, results: 0, text: 0, scouts: 0, web: 0, answer: usage.output };
  for (const item of sent) {
    const output = isSide(item) ? item.output : 0;
    parts[partOf[item.kind]] += item.tokens + output;
    parts.answer -= output;
  }
  return parts;
}

export function isSide(item: SentItem): item is Extract<SentItem, { kind: SideWork }> {
  return item.kind === 'scouts' || item.kind === 'web';
}

const partOf: Readonly<Record<SentItem['kind'], keyof Parts>> = {
  system: 'system',
  tools: 'system',
  note: 'system',
  summarize: 'history',
  summary: 'history',
  turn: 'history',
  rounds: 'results',
  scouts: 'scouts',
  web: 'web',
  message: 'text',
  context: 'text',
  plan: 'text',
  param: 'text',
};
