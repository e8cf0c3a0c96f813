import { isObject, type JsonObject } from '../../json';
import type { Message } from '../../messages';
import {
  decodeFound,
  decodeParam,
  decodeSummary,
  decodeTurn,
  decodeWaiting,
  isMessages,
  isName,
  isRevision,
  isTime,
} from '../decode';
import type { ConversationId, FoundValues, TurnId } from '../turn';
import type { Fact } from './fact';

/** Rises when an older version of the extension could no longer read the lines right. */
const lineVersion = 2;

/** How far a turn has come that is not finished: the first `keep` messages known of it, then these. */
export interface RunningRound {
  readonly kind: 'running';
  readonly conversation: ConversationId;
  readonly id: TurnId;
  readonly startedAt: number;
  readonly order: number;
  readonly revision: number;
  readonly at: number;
  readonly thread?: string;
  readonly position?: number;
  readonly found?: FoundValues;
  readonly keep: number;
  readonly messages: readonly Message[];
}

/** A turn that ended without anything to remember. */
interface AbandonedTurn {
  readonly kind: 'abandoned';
  readonly conversation: ConversationId;
  readonly id: TurnId;
}

/** One line of a write-ahead file. */
export type JournalLine = Fact | RunningRound | AbandonedTurn;

export type DecodedLine =
  | { readonly kind: 'line'; readonly line: JournalLine }
  | { readonly kind: 'newer' }
  | { readonly kind: 'damaged'; readonly text: string };

export function encodeLine(line: JournalLine): string {
  return JSON.stringify({ v: lineVersion, ...line });
}

/** The lines of a stretch of a file; blank ones, as an append after a failed one leaves, are nothing. */
export function decodeLines(text: string): DecodedLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(decodeLine);
}

function decodeLine(text: string): DecodedLine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { kind: 'damaged', text };
  }
  if (!isObject(raw) || !isRevision(raw['v'])) return { kind: 'damaged', text };
  if (raw['v'] > lineVersion) return { kind: 'newer' };
  const line = decodeJournalLine(raw);
  return line ? { kind: 'line', line } : { kind: 'damaged', text };
}

function decodeJournalLine(raw: JsonObject): JournalLine | undefined {
  const { kind, conversation, id, name, revision, at } = raw;
  if (!isName(conversation)) return undefined;
  switch (kind) {
    case 'turn': {
      const turn = decodeTurn(raw['turn']);
      return turn && isTime(at) ? { kind, conversation, turn, at } : undefined;
    }
    case 'turn-gone':
      return isName(id) && isRevision(revision) ? { kind, conversation, id, revision } : undefined;
    case 'param': {
      const param = decodeParam(raw['param']);
      return param && isName(name) ? { kind, conversation, name, param } : undefined;
    }
    case 'param-gone':
      return isName(name) && isRevision(revision) ? { kind, conversation, name, revision } : undefined;
    case 'waiting': {
      const waiting = decodeWaiting(raw['waiting']);
      if (!isRevision(revision) || (raw['waiting'] !== undefined && !waiting)) return undefined;
      return { kind, conversation, revision, ...(waiting ? { waiting } : {}) };
    }
    case 'summary': {
      const summary = decodeSummary(raw['summary']);
      return summary ? { kind, conversation, summary } : undefined;
    }
    case 'summary-gone':
      return isRevision(revision) ? { kind, conversation, revision } : undefined;
    case 'running':
      return decodeRunning(raw, conversation);
    case 'abandoned':
      return isName(id) ? { kind, conversation, id } : undefined;
    default:
      return undefined;
  }
}

function decodeRunning(raw: JsonObject, conversation: ConversationId): RunningRound | undefined {
  const { id, startedAt, order, revision, at, thread, position, keep, messages } = raw;
  if (!isName(id) || !isTime(startedAt) || !isTime(order) || !isTime(at)) return undefined;
  if (!isRevision(revision) || !isRevision(keep) || !isMessages(messages)) return undefined;
  const found = decodeFound(raw['found']);
  const more = {
    ...(isName(thread) ? { thread } : {}),
    ...(isRevision(position) ? { position } : {}),
    ...(found && { found }),
  };
  return { kind: 'running', conversation, id, startedAt, order, revision, at, ...more, keep, messages };
}
