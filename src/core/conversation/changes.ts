import { ToolError } from '../errors';
import { jsonBytes } from '../text/json';
import { mergeSummaries, unsummarized } from './summary';
import { repairedMessages } from './transcript';
import {
  inOrder,
  isOneOf,
  valuesOf,
  type Conversation,
  type ConversationId,
  type FinishedTurn,
  type ParamWrite,
  type Params,
  type StoredTurn,
  type TurnId,
  type Waiting,
} from './turn';

/** Params go with every request and stand in the stored state: enough for facts, too little for files. */
export const maxParamBytes = 16 * 1024;

/** Of one param: older writes are only there for rewinds. */
const maxWrites = 10;

export function emptyConversation(id: ConversationId, lineage: string, lastActive: number): Conversation {
  return { id, lineage, lastActive, turns: [], summarized: [], params: [] };
}

/** All of it was forgotten, one by one. */
export function isEmpty({ turns, summary, params, waiting }: Conversation): boolean {
  return turns.length === 0 && !summary && !waiting && params.length === 0;
}

/** The turn in its place; a turn with the same id is replaced, and stays pinned and where it was. */
export function withTurn(
  conversation: Conversation,
  turn: FinishedTurn,
  known: { readonly order: number; readonly activation: string; readonly now: number },
): Conversation {
  const before = conversation.turns.find(({ id }) => id === turn.id);
  // What every turn has comes first: so they share one hidden class, and to walk 1,000 of them costs a third.
  const stored: StoredTurn = {
    messages: repairedMessages(turn.messages),
    order: before?.order ?? known.order,
    activation: known.activation,
    ...plainTurn(turn),
    ...(before?.isPinned ? { isPinned: true } : {}),
  };
  if (stored.messages.length === 0) return conversation;
  const others = before ? conversation.turns.filter((one) => one !== before) : conversation.turns;
  const at = others.findLastIndex(({ order }) => order <= stored.order);
  return { ...conversation, lastActive: known.now, turns: others.toSpliced(at + 1, 0, stored) };
}

/** The same change to turns wherever they are, also among those that the summary stands for. */
export function mapTurns(
  conversation: Conversation,
  ids: readonly TurnId[],
  change: (turn: StoredTurn) => StoredTurn,
): Conversation {
  const wanted = new Set(ids);
  const changed = (turn: StoredTurn) => (wanted.has(turn.id) ? change(turn) : turn);
  const { turns, summarized: told } = conversation;
  return { ...conversation, turns: turns.map(changed), summarized: told.map(changed) };
}

/** Without these turns. A summary that tells of one of them goes too, and what else it stood for comes back. */
export function withoutTurns(conversation: Conversation, ids: readonly TurnId[]): Conversation {
  const removed = new Set(ids);
  const isKept = ({ id }: StoredTurn) => !removed.has(id);
  const isTold = !conversation.summarized.every(isKept);
  const { summary, ...whole } = isTold ? unsummarized(conversation) : conversation;
  const { waiting, ...rest } = whole;
  const turns = whole.turns.filter(isKept);
  const isLess = isTold || turns.length < whole.turns.length;
  return {
    ...rest,
    turns,
    ...(summary && !isTold && { summary }),
    ...(waiting && !removed.has(waiting.turnId) && { waiting: isLess ? asRemembered(waiting) : waiting }),
  };
}

/** A turn that answered a question was sent with the one that asked, and may still hold its words. */
function asRemembered({
  sent: _sent,
  model: _model,
  tools: _tools,
  sentWith: _with,
  ...waiting
}: Waiting): Waiting {
  return waiting;
}

/**
 * The conversation waits for an answer, or no longer does. `since` is what was known when the turn that asks began: what
 * was erased meanwhile must not be kept in what that turn sent.
 */
export function withWaiting(
  conversation: Conversation,
  waiting: Waiting | undefined,
  since?: Conversation,
): Conversation {
  const { waiting: _before, ...rest } = conversation;
  const isThere = (id: TurnId) => rest.turns.some((turn) => turn.id === id);
  // The turn that asks was cleared or taken back elsewhere, and its question with it.
  if (waiting && !isThere(waiting.turnId)) return conversation;
  if (!waiting) return rest;
  const isWhole = (waiting.sentWith ?? []).every(isThere) && (!since || hasAllValues(rest, since));
  return {
    ...rest,
    lastActive: Math.max(rest.lastActive, waiting.askedAt),
    waiting: isWhole ? waiting : asRemembered(waiting),
  };
}

/** It is the same conversation, and no value was erased from it. */
function hasAllValues({ lineage, params }: Conversation, before: Conversation): boolean {
  const isThere = ({ name, at, value }: ParamWrite) =>
    params.some((write) => write.name === name && write.at === at && write.value === value);
  return lineage === before.lineage && before.params.every(isThere);
}

/** Without these values, for good, and without what was sent when they were known. */
export function withoutValues(conversation: Conversation, names: readonly string[]): Conversation {
  const params = conversation.params.filter(({ name }) => !names.includes(name));
  const { waiting, ...rest } = conversation;
  const isLess = params.length < conversation.params.length;
  return { ...rest, params, ...(waiting && { waiting: isLess ? asRemembered(waiting) : waiting }) };
}

/** As if these turns had never been: what they remembered is gone, and older values are back. */
export function rewound(conversation: Conversation, ids: readonly TurnId[]): Conversation {
  const cut = withoutTurns(conversation, ids);
  return { ...cut, params: cut.params.filter(({ turnId }) => turnId === undefined || !ids.includes(turnId)) };
}

/** With these values remembered. */
export function withValues(
  conversation: Conversation,
  added: Params,
  by: { readonly now: number; readonly turnId: TurnId | undefined },
): Conversation {
  const known = valuesOf(conversation);
  const entries = Object.entries(added).map(
    ([name, value]) => [name.toWellFormed(), value.toWellFormed()] as const,
  );
  const all = Object.fromEntries([
    ...[...known].map(([name, { value }]) => [name, value] as const),
    ...entries,
  ]);
  if (jsonBytes(all) > maxParamBytes) {
    throw new ToolError('Too much to remember: params are for short facts. Forget some, or store less.');
  }
  const changed = entries.filter(([name, value]) => name !== '' && known.get(name)?.value !== value);
  return changed.length === 0
    ? conversation
    : { ...withWrites(conversation, changed, by), lastActive: by.now };
}

/** Claude forgets these: a rewind of the turn brings them back. */
export function withForgotten(
  conversation: Conversation,
  names: readonly string[],
  by: { readonly now: number; readonly turnId: TurnId },
): Conversation {
  const known = valuesOf(conversation);
  const forgotten = names.filter((name) => known.has(name)).map((name) => [name, null] as const);
  return forgotten.length === 0 ? conversation : withWrites(conversation, forgotten, by);
}

function withWrites(
  conversation: Conversation,
  entries: readonly (readonly [name: string, value: string | null])[],
  { now, turnId }: { readonly now: number; readonly turnId: TurnId | undefined },
): Conversation {
  const source = turnId === undefined ? {} : { turnId };
  const added = entries.map(([name, value]): ParamWrite => ({ name, value, at: now, ...source }));
  return { ...conversation, params: newestWrites([...conversation.params, ...added]) };
}

/** What counts now, and of what was before only so much as there is room for. */
function newestWrites(writes: readonly ParamWrite[]): readonly ParamWrite[] {
  const counts = new Map<string, number>();
  let room = 2 * maxParamBytes;
  const newestFirst = writes.toReversed().filter((write) => {
    const count = (counts.get(write.name) ?? 0) + 1;
    counts.set(write.name, count);
    room -= jsonBytes(write);
    return (count === 1 && write.value !== null) || (count <= maxWrites && room > 0);
  });
  return newestFirst.toReversed();
}

/** Turns, values and summary of both, so that no turn is told of twice. What is there now counts where both have it. */
export function mergeConversations(current: Conversation | undefined, incoming: Conversation): Conversation {
  if (!current) return incoming;
  const isThere = isOneOf(current.turns);
  const added = incoming.summarized.some(isThere) ? unsummarized(incoming) : incoming;
  const isTold = isOneOf(current.summarized);
  const turns = added.turns.filter((turn) => !isTold(turn) && !isThere(turn));
  const summary = mergeSummaries(added, current);
  const waiting = current.waiting ?? added.waiting;
  return {
    ...current,
    lastActive: Math.max(current.lastActive, added.lastActive),
    turns: inOrder([...turns, ...current.turns]),
    summarized: inOrder([...added.summarized.filter((turn) => !isTold(turn)), ...current.summarized]),
    params: newestWrites([...added.params, ...current.params.filter(isNotIn(added.params))]),
    ...(summary && { summary }),
    ...(waiting && { waiting }),
  };
}

/** What both have counts where the older one has it: what came after it there is newer. */
function isNotIn(writes: readonly ParamWrite[]): (write: ParamWrite) => boolean {
  const known = new Set(writes.map(keyOf));
  return (write) => !known.has(keyOf(write));
}

function keyOf({ name, value, at, turnId }: ParamWrite): string {
  return JSON.stringify([name, value, at, turnId]);
}

/** No chat thread shows these turns, so that no rewind can cut them, and no question waits any more. */
export function detached(conversation: Conversation): Conversation {
  const { waiting: _ended, turns, summarized: told, ...rest } = conversation;
  return {
    ...rest,
    turns: turns.map((turn) => inThread(turn, undefined)),
    summarized: told.map((turn) => inThread(turn, undefined)),
  };
}

/** A chat thread, and the life of the window that shows it. */
export interface ThreadPlace {
  readonly thread: string;
  readonly activation: string;
}

/** As if it had been asked there; without a place no thread shows it, and no rewind can remove it. */
export function inThread(
  { thread: _before, ...turn }: StoredTurn,
  place: ThreadPlace | undefined,
): StoredTurn {
  return place ? { ...turn, thread: place.thread, activation: place.activation } : turn;
}

/** Only what a turn is made of, whatever else the caller's object carries. */
function plainTurn(turn: FinishedTurn): Omit<FinishedTurn, 'messages'> {
  const { id, startedAt, endedAt, outcome, model, usage, tokens, thread, position, isPlanning } = turn;
  return {
    id,
    startedAt,
    endedAt,
    outcome,
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(thread === undefined ? {} : { thread }),
    ...(position === undefined ? {} : { position }),
    ...(isPlanning === undefined ? {} : { isPlanning }),
  };
}
