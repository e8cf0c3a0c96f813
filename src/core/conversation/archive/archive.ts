import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors';
import { jsonBytes } from '../../text/json';
import { detached, mergeConversations, rewound } from '../changes';
import type { Draft } from '../draft';
import type { ConversationMemory } from '../memory/memory';
import { searchTurns, type FoundTurn } from '../recall/searchTurns';
import type { ArchivedHeader, TurnPlace } from '../store';
import { unsummarized, withoutSummary } from '../summary';
import { inOrder, type ArchivedId, type Conversation, type ConversationId, type StoredTurn } from '../turn';

export interface ArchivedConversation extends ArchivedHeader {
  readonly conversation: Conversation;
}

/** Conversations that ended, and what moves them between memory and archive, each in one transaction (M20). */
export interface ConversationArchive {
  /** Nothing is kept: the user wants no archive, or there is no folder for it. */
  readonly isOff: boolean;
  /** Newest first, without what was said in them. */
  list(): Promise<readonly ArchivedHeader[]>;
  get(id: ArchivedId): Promise<ArchivedConversation | undefined>;
  /** Erases it, and gives what brings it back. */
  remove(archived: ArchivedConversation): Promise<() => Promise<void>>;
  /** Leaves the conversation for a new one; with `keepThread`, the turns of that chat thread begin it. */
  startFresh(id: ConversationId, options?: { readonly keepThread?: string }): Promise<Left>;
  /** Puts an archived conversation in place of the present one. */
  resume(id: ConversationId, archived: ArchivedId): Promise<Resumed>;
  /** Puts a conversation from outside in place of the present one. */
  bringIn(id: ConversationId, conversation: Conversation): Promise<Left>;
  /** All exchanges that have these words, also those that are remembered. */
  search(words: string): Promise<readonly FoundTurn[]>;
  /** Goes on after that turn, as if nothing had been said since; what is left is archived. */
  continueFrom(id: ConversationId, where: SomeTurn): Promise<ContinuedFrom>;
  /** Brings back a conversation that ended, before what was said since. */
  continueEnded(id: ConversationId, archived: ArchivedId): Promise<Resumed>;
}

/** What was left, and where it is now. */
export interface Left {
  readonly left: Conversation | undefined;
  /** Nothing when there was nothing to keep, or nothing is kept. */
  readonly archivedAs: ArchivedId | undefined;
}

export interface Resumed extends Left {
  readonly resumed: ArchivedConversation;
  /** How many of its turns fit into memory. */
  readonly remembered: number;
}

export interface ContinuedFrom extends Left {
  readonly from: StoredTurn;
  /** How many turns are remembered. */
  readonly remembered: number;
}

/** A turn; without the conversation, its newest copy. */
export interface SomeTurn extends Pick<TurnPlace, 'turn'> {
  readonly key?: string | undefined;
}

/** Where there is no cap: more would only be evicted by size. */
const maxContinued = 200;

export function createArchive(memory: ConversationMemory): ConversationArchive {
  async function get(id: ArchivedId): Promise<ArchivedConversation | undefined> {
    const header = (await memory.archived()).find((one) => one.id === id);
    const conversation = header && (await memory.archivedConversation(id));
    return conversation && { ...header, conversation };
  }

  async function mustGet(id: ArchivedId): Promise<ArchivedConversation> {
    const found = await get(id);
    if (found) return found;
    throw new UserError(
      l10n.t(
        'This conversation is no longer in the archive. It was resumed, deleted or replaced by newer ones.',
      ),
    );
  }

  /** For what leaves a conversation: where nothing is archived, it erases it. */
  const leaving = () => ({ isErasing: memory.limits().archiveSize === 0 });

  return {
    get isOff() {
      return !memory.canArchive;
    },
    list: () => memory.archived(),
    get,

    async remove({ id, ending, conversation }) {
      const evicted = await memory.search((search) => search.evicted({ archived: id }));
      await memory.change((draft) => draft.unarchive(id), { isErasing: true });
      return () => memory.change((draft) => draft.bringBack({ id, ending, conversation, evicted }));
    },

    async startFresh(id, { keepThread } = {}) {
      let left: Left = { left: undefined, archivedAs: undefined };
      await memory.change((draft) => {
        left = keepThread === undefined ? leave(draft, id) : keepOnly(draft, id, keepThread);
      }, leaving());
      return left;
    },

    async resume(id, archived) {
      const resumed = await mustGet(archived);
      let outcome: Omit<Resumed, 'resumed'> = { left: undefined, archivedAs: undefined, remembered: 0 };
      await memory.change(
        (draft) => {
          const left = leave(draft, id);
          draft.put(id, { ...detached(resumed.conversation), id, lastActive: draft.at }, 'fresh');
          outcome = { ...left, remembered: takeFromArchive(draft, id, resumed) };
        },
        { ...leaving(), sparing: archived },
      );
      return { ...outcome, resumed };
    },

    async bringIn(id, conversation) {
      let left: Left = { left: undefined, archivedAs: undefined };
      await memory.change((draft) => {
        left = leave(draft, id);
        draft.put(id, { ...detached(conversation), id, lastActive: draft.at }, 'fresh');
      }, leaving());
      return left;
    },

    search: (words) => searchTurns(memory, words),

    async continueFrom(id, { turn, key }) {
      const found = await memory.search((search) => {
        const place = key === undefined ? search.place(turn) : { key, turn };
        const kept = place && search.kept(place);
        const conversation = kept && search.upTo(kept, memory.limits().maxTurns || maxContinued);
        return conversation && { from: kept.kept, conversation, isArchived: kept.archived !== undefined };
      });
      if (!found) throw new UserError(l10n.t('This turn is no longer there: it was erased or replaced.'));
      const { from, conversation, isArchived } = found;
      const params = conversation.params.filter(({ at }) => at <= from.endedAt);
      let outcome: Omit<ContinuedFrom, 'from'> = { left: undefined, archivedAs: undefined, remembered: 0 };
      await memory.change((draft) => {
        const left = leave(draft, id);
        const continued = { ...withoutSummary(detached(conversation)), id, params, lastActive: draft.at };
        // Where that one goes on elsewhere, what was cut from it stays with it when this one is cleared.
        const isElsewhere = conversation.id !== id && draft.conversations.has(conversation.id) && !isArchived;
        draft.put(
          id,
          isElsewhere ? { ...continued, lineage: `${from.id}/${id}/${draft.at}` } : continued,
          'fresh',
        );
        draft.holdLimits();
        outcome = { ...left, remembered: draft.conversations.get(id)?.turns.length ?? 0 };
      }, leaving());
      return { ...outcome, from };
    },

    async continueEnded(id, archived) {
      const resumed = await mustGet(archived);
      let remembered = 0;
      await memory.change((draft) => {
        const back = mergeConversations(draft.conversations.get(id), {
          ...detached(resumed.conversation),
          id,
        });
        draft.put(id, { ...back, lastActive: draft.at }, 'fresh');
        draft.join(resumed.conversation, id);
        remembered = takeFromArchive(draft, id, resumed);
      });
      return { left: undefined, archivedAs: undefined, resumed, remembered };
    },
  };
}

function leave(draft: Draft, id: ConversationId): Left {
  const left = draft.conversations.get(id);
  const archivedAs = left && draft.archive(left, { kind: 'left' });
  draft.put(id, undefined, 'fresh');
  return { left, archivedAs };
}

/** The new conversation knows nothing of the old one, but for the turns of this thread. */
function keepOnly(draft: Draft, id: ConversationId, thread: string): Left {
  const present = draft.conversations.get(id);
  if (!present) return { left: undefined, archivedAs: undefined };
  const isKept = (turn: StoredTurn) => turn.thread === thread;
  // A summary that tells of this thread alone stays.
  const told = present.summarized.length;
  const isTold = told > 0 && told >= (present.summary?.turns ?? 0) && present.summarized.every(isKept);
  const whole = isTold ? present : unsummarized(present);
  const all = inOrder([...present.summarized, ...whole.turns]);
  const kept = new Set(all.filter(isKept).map((turn) => turn.id));
  const older = all.filter((turn) => !isKept(turn));
  const rest = isTold ? withoutSummary(whole) : whole;
  const left = { ...rest, turns: whole.turns.filter((turn) => !isKept(turn)) };
  const archivedAs = draft.archive(left, { kind: 'left' });
  const now = rewound(
    whole,
    older.map((turn) => turn.id),
  );
  const params = now.params.filter(({ turnId }) => turnId !== undefined && kept.has(turnId));
  draft.put(id, isTold ? { ...now, params } : withoutSummary({ ...now, params }), 'fresh');
  if (archivedAs !== undefined) return { left, archivedAs };
  return { left: { ...left, params: left.params.filter((param) => !params.includes(param)) }, archivedAs };
}

/** Where memory has all of it, it leaves the archive; with lower limits than it grew up with, only that has it all. */
function takeFromArchive(
  draft: Draft,
  id: ConversationId,
  { id: archivedId, conversation }: ArchivedConversation,
): number {
  draft.holdLimits();
  const present = draft.conversations.get(id);
  const known = new Map(
    [...(present?.summarized ?? []), ...(present?.turns ?? [])].map((turn) => [turn.id, turn]),
  );
  const there = conversation.turns.filter((turn) => known.has(turn.id));
  // Some may have been shortened to fit.
  const isWhole = (turn: StoredTurn) => jsonBytes(known.get(turn.id)?.messages) >= jsonBytes(turn.messages);
  if (there.length === conversation.turns.length && there.every(isWhole)) draft.unarchive(archivedId, id);
  return there.length;
}
