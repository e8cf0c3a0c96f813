import {
  decodeParamWrite,
  decodeStub,
  decodeSummary,
  decodeTurn,
  decodeWaiting,
  isCount,
  isMessages,
  isName,
  isTime,
} from '../../core/conversation/decode';
import type { Damage } from '../../core/conversation/savedForm';
import { repairedMessages } from '../../core/conversation/transcript';
import type { ConversationId, ParamWrite, StoredTurn, Summary, Waiting } from '../../core/conversation/turn';
import { isObject, type JsonObject } from '../../core/text/json';

/** What older versions wrote of one thing in a conversation; without the thing, that it was removed. */
export type OlderEntry = {
  readonly conversation: ConversationId;
  /** The id of a turn, the name of a param; there is one summary and one question that waits. */
  readonly name: string;
  readonly revision: number;
  /** Decides at the same revision, compared from the left. */
  readonly rank: readonly (number | string)[];
  /** When the conversation was last active, as far as the writer knew. */
  readonly at: number;
} & (
  | { readonly kind: 'turn'; readonly thing?: OlderTurn }
  | { readonly kind: 'param'; readonly thing?: ParamWrite }
  | { readonly kind: 'summary'; readonly thing?: OlderSummary }
  | { readonly kind: 'waiting'; readonly thing?: Waiting }
);

export interface OlderTurn {
  readonly turn: StoredTurn;
  readonly revision: number;
  /** What it found under the names of the params that it changed, `null` for nothing. */
  readonly found: ReadonlyMap<string, ParamWrite | null>;
}

interface OlderSummary {
  readonly summary: Summary;
  readonly folded: readonly OlderTurn[];
}

export interface Decoded {
  readonly entries: readonly OlderEntry[];
  readonly damaged: readonly Damage[];
}

/**
 * A value of `workspaceState`, or the same form in an archive file; what a later version wrote is not ours to read.
 * Version 1 was `{version: 1, conversations: {[id]: {lastActive, turns: [{id, at, messages}]}}}`.
 */
export function decodeState(raw: unknown): Decoded {
  const { version, conversations } = isObject(raw) ? raw : {};
  if (raw === undefined || (isCount(version) && version > 2)) return { entries: [], damaged: [] };
  if (!isCount(version) || version === 0 || !isObject(conversations))
    return { entries: [], damaged: [{ what: 'the whole memory', data: raw }] };
  const read = Object.entries(conversations).map(([id, stored]) =>
    decodeConversation(id, version === 1 ? fromVersion1(stored) : stored),
  );
  return {
    entries: read.flatMap(({ entries }) => entries),
    damaged: read.flatMap(({ damaged }) => damaged),
  };
}

/** What a line of a write-ahead file says; nothing when it cannot be read. */
export function decodeEntry(raw: JsonObject): OlderEntry | undefined {
  const { kind, conversation, id, name, at } = raw;
  if (!isName(conversation)) return undefined;
  // A removal beats the thing.
  const removal = withRevision(raw, { conversation, at: 0, rank: [1] });
  switch (kind) {
    case 'turn': {
      const thing = decodeOlderTurn(raw['turn']);
      return thing && isTime(at) ? turnEntry(conversation, thing, at) : undefined;
    }
    case 'param': {
      const thing = isObject(raw['param']) ? decodeParamWrite({ ...raw['param'], name }) : undefined;
      if (!thing || thing.value === null) return undefined;
      const rank = [0, thing.at, thing.value];
      return withRevision(raw['param'], { kind, conversation, name: thing.name, thing, at: thing.at, rank });
    }
    case 'summary': {
      const summary = decodeSummary(raw['summary']);
      if (!summary) return undefined;
      const thing = { summary, folded: decodeFolded(raw['summary']) };
      const rank = [0, summary.at, summary.text];
      return withRevision(raw['summary'], { kind, conversation, name: '', thing, at: summary.at, rank });
    }
    case 'waiting': {
      if (raw['waiting'] === undefined) return removal && { ...removal, kind, name: '' };
      const thing = decodeWaiting(raw['waiting']);
      const rank = thing && [0, thing.askedAt, thing.param, thing.toolUse.id];
      return rank && withRevision(raw, { kind, conversation, name: '', thing, at: thing.askedAt, rank });
    }
    case 'turn-gone':
      return removal && isName(id) ? { ...removal, kind: 'turn', name: id } : undefined;
    case 'param-gone':
      return removal && isName(name) ? { ...removal, kind: 'param', name } : undefined;
    case 'summary-gone':
      return removal && { ...removal, kind: 'summary', name: '' };
    default:
      return undefined;
  }
}

/** A shortened copy has the same rank: it is the same turn. */
export function turnEntry(conversation: ConversationId, thing: OlderTurn, at: number): OlderEntry {
  const { id, outcome, endedAt, isPinned = false } = thing.turn;
  const rank = [0, Number(outcome === 'finished'), endedAt, Number(isPinned)];
  return { kind: 'turn', conversation, name: id, thing, revision: thing.revision, rank, at };
}

/** By way of the lines that say the same. */
function decodeConversation(id: ConversationId, raw: unknown): Decoded {
  if (!isObject(raw) || !isTime(raw['lastActive']) || !Array.isArray(raw['turns']))
    return { entries: [], damaged: [{ what: `conversation ${id}`, data: raw }] };
  const { lastActive: at, turns, summary, params = {}, waiting, waitingRevision } = raw;
  const lines = [
    ...turns.map((turn: unknown) => ({ kind: 'turn', turn, at })),
    ...(summary === undefined ? [] : [{ kind: 'summary', summary }]),
    ...(isObject(params)
      ? Object.entries(params).map(([name, param]) => ({ kind: 'param', name, param }))
      : [{ kind: 'params', params }]),
    { kind: 'waiting', waiting, revision: isCount(waitingRevision) ? waitingRevision : 0 },
  ];
  const read = lines.map((line) => ({ line, entry: decodeEntry({ ...line, conversation: id }) }));
  return {
    // Not when each was written: a clock that was ahead may have been put right since.
    entries: read.flatMap(({ entry }) => (entry ? [{ ...entry, at }] : [])),
    damaged: read.flatMap(({ line, entry }) =>
      entry ? [] : [{ what: `a ${line.kind} of conversation ${id}`, data: line }],
    ),
  };
}

function decodeOlderTurn(raw: unknown, decode = decodeTurn): OlderTurn | undefined {
  const turn = decode(raw);
  if (!turn || !isObject(raw)) return undefined;
  const found = new Map<string, ParamWrite | null>();
  for (const [name, value] of isObject(raw['found']) ? Object.entries(raw['found']) : []) {
    const write = isObject(value) ? decodeParamWrite({ ...value, name }) : undefined;
    if (write || value === null) found.set(name, write ?? null);
  }
  return withRevision(raw, { turn, found });
}

/** Turns that a summary stands for; some are known by their ids only. */
function decodeFolded(summary: unknown): readonly OlderTurn[] {
  const folded: unknown = isObject(summary) ? summary['folded'] : undefined;
  return (Array.isArray(folded) ? folded : []).flatMap(
    (raw: unknown) => decodeOlderTurn(raw, decodeStub) ?? [],
  );
}

function withRevision<T>(raw: unknown, value: T): (T & { readonly revision: number }) | undefined {
  return isObject(raw) && isCount(raw['revision']) ? { ...value, revision: raw['revision'] } : undefined;
}

/** What cannot be read stays as it is and is found damaged. */
function fromVersion1(raw: unknown): unknown {
  if (!isObject(raw) || !Array.isArray(raw['turns'])) return raw;
  const turns = raw['turns'].map((turn: unknown): unknown => {
    const { id, at, messages } = isObject(turn) ? turn : {};
    if (!isMessages(messages)) return turn;
    // These were saved as they were sent, thinking and images included.
    const kept = repairedMessages(messages);
    return { id, order: at, revision: 1, startedAt: at, endedAt: at, outcome: 'finished', messages: kept };
  });
  return { ...raw, turns };
}
