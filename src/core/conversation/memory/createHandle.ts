import type { Message } from '../../messages';
import type { Clock, IdSource } from '../../ports';
import {
  emptyConversation,
  inThread,
  isEmpty,
  mapTurns,
  mergeConversations,
  rewound,
  withForgotten,
  withoutTurns,
  withoutValues,
  withTurn,
  withValues,
  withWaiting,
} from '../changes';
import type { Draft } from '../draft';
import { maxStubs, toStub } from '../fitSize';
import { sanitizeMessage } from '../sanitizeMessage';
import type { Archiving, MemoryState, Owner, RunningTurn } from '../store';
import {
  summarized,
  summarizing,
  withoutSummarizing,
  withoutSummary,
  withSummary,
  type Summarizing,
} from '../summary';
import {
  inOrder,
  valuesOf,
  type Conversation,
  type ConversationId,
  type ParamWrite,
  type StoredTurn,
  type TurnId,
} from '../turn';
import { evictedBy, flatHistory, type ConversationView, type MemoryLimits } from '../view';
import type { BeginningTurn, ConversationHandle } from './handle';
import type { ConversationMemory } from './memory';

/** What a handle needs of the memory that it belongs to. */
type Memory = Pick<
  ConversationMemory,
  'stored' | 'change' | 'archived' | 'archivedConversation' | 'search'
> & {
  readonly state: MemoryState;
  view(id: ConversationId): ConversationView | undefined;
  touch(id: ConversationId): void;
  beginTurn(turn: RunningTurn): void;
  endTurn(id: TurnId): void;
};

export function createHandle(
  id: ConversationId,
  memory: Memory,
  options: {
    readonly clock: Clock;
    readonly ids: IdSource;
    readonly settings: () => MemoryLimits;
    readonly activationId: string;
    readonly owner: Owner;
  },
): ConversationHandle {
  const { clock, activationId } = options;
  const view = () => memory.view(id);
  const snapshot = () => view()?.conversation;
  const knownIn = (draft: Draft) =>
    draft.conversations.get(id) ?? emptyConversation(id, options.ids(), clock());
  const change = (build: (conversation: Conversation) => Conversation) =>
    memory.change((draft) => draft.change(id, build));

  /** `startedAt`, unless the clock stands still or was set back: the newest turn stays the newest. */
  function orderOf(turn: BeginningTurn, { conversations, running }: MemoryState): number {
    const known = running.get(turn.id)?.order;
    if (known !== undefined) return known;
    const last = conversations.get(id)?.turns.at(-1)?.order ?? 0;
    return clock() <= last ? last + 1 : turn.startedAt;
  }

  function forgetIn(draft: Draft, turns: readonly TurnId[]): void {
    draft.forget(turns);
    draft.change(id, (known) => withoutTurns(known, turns));
  }

  /** What the archive has of this conversation and is about to lose, so that it can be brought back. */
  async function copiesOf(isLost: (copy: Archiving) => boolean): Promise<readonly Archiving[]> {
    const { lineage } = memory.state.conversations.get(id) ?? {};
    const own = (await memory.archived()).filter((one) => one.lineage === lineage);
    const read = own.map(async ({ id: archived, ending }) => {
      const found = await memory.archivedConversation(archived);
      const evicted = await memory.search((search) => search.evicted({ archived }));
      return found ? [{ id: archived, ending, conversation: found, evicted }] : [];
    });
    return (await Promise.all(read)).flat().filter(isLost);
  }

  return {
    id,
    view,
    snapshot,
    stored: () => memory.stored(id),
    history: () => flatHistory(view()?.history ?? []),
    touch: () => memory.touch(id),

    async saveTurn(turn) {
      // Also when it can only be written later.
      const now = clock();
      await memory.change((draft) => {
        const order = orderOf(turn, draft);
        draft.put(id, withTurn(knownIn(draft), turn, { order, activation: activationId, now }), 'rewind');
        draft.setRunning(turn.id, undefined);
      });
      memory.endTurn(turn.id);
    },

    begin(turn) {
      const order = orderOf(turn, memory.state);
      const running = { ...turn, conversation: id, order, activation: activationId, owner: options.owner };
      memory.beginTurn({ ...running, at: clock(), messages: [] });
      const record = (messages: readonly Message[]) =>
        memory.change((draft) => draft.setRunning(turn.id, { ...running, at: clock(), messages }));
      // Whoever waits for the turn hears of it when it is saved.
      const begun = record([]).catch(() => undefined);
      return {
        begun,
        async record(messages) {
          await begun;
          await record(messages.flatMap((message) => sanitizeMessage(message) ?? []));
        },
        async abandon() {
          await begun;
          await memory.change((draft) => draft.setRunning(turn.id, undefined));
          memory.endTurn(turn.id);
        },
      };
    },

    params: () => {
      const values = valuesOf(snapshot() ?? { params: [] });
      return Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
    },
    merge: (params, turnId) =>
      memory.change((draft) =>
        draft.put(id, withValues(knownIn(draft), params, { now: clock(), turnId }), 'cap'),
      ),
    forgetValues: (names, turnId) =>
      change((conversation) => withForgotten(conversation, names, { now: clock(), turnId })),

    waiting: () => snapshot()?.waiting,
    setWaiting: (waiting, since) =>
      memory.change((draft) => {
        const known = knownIn(draft);
        const next = withWaiting(known, waiting, since);
        if (next.waiting !== known.waiting) draft.put(id, next, 'cap');
      }),

    async prune(maxTurns) {
      if (!Number.isInteger(maxTurns) || maxTurns < 0) {
        throw new RangeError(`prune takes a whole number from 0 on, not ${maxTurns}`);
      }
      const limits = { ...options.settings(), maxTurns, eviction: 'oldest', tokenBudget: 0 } as const;
      await memory.change((draft) => {
        const over = evictedBy(draft.conversations.get(id) ?? { turns: [] }, limits);
        draft.evict(
          id,
          over.map(({ turn }) => turn.id),
          'cap',
        );
      });
    },

    async forget({ turns = [], params = [] }) {
      const isForgotten = ({ name }: ParamWrite) => params.includes(name);
      const ids = new Set(turns);
      const copies = await copiesOf(
        (copy) => hasTurn(ids, copy) || copy.conversation.params.some(isForgotten),
      );
      await memory.change(
        (draft) => {
          forgetIn(draft, turns);
          draft.change(id, (known) => withoutValues(known, params));
        },
        { isErasing: true, isByName: params.length === 0 },
      );
      return copies;
    },

    setPinned: (turnId, isPinned) =>
      change((known) => {
        const turn = known.turns.find((one) => one.id === turnId);
        if (!turn || (turn.isPinned ?? false) === isPinned) return known;
        return mapTurns(known, [turnId], ({ isPinned: _before, ...rest }) => ({
          ...rest,
          ...(isPinned ? { isPinned } : {}),
        }));
      }),

    bind: (turns, thread) => {
      const place = thread === undefined ? undefined : { thread, activation: activationId };
      return change((known) => mapTurns(known, turns, (turn) => inThread(turn, place)));
    },

    // Asked again where it is made again: what this window could not write before comes back with it.
    rewind: (meant) =>
      memory.change((draft) => {
        const known = draft.conversations.get(id);
        const turns = known ? inOrder([...known.summarized, ...known.turns]) : [];
        const cut = typeof meant === 'function' ? meant(turns) : meant;
        const firstCut = turns.find((turn) => cut.includes(turn.id));
        if (!known || !firstCut) return;
        // What the summary stands for stays with the conversation that goes on: a copy for each Retry would add up.
        const isTold = known.summarized.some((turn) => cut.includes(turn.id));
        const branch = isTold
          ? known
          : { ...known, summarized: known.summarized.slice(-maxStubs).map(toStub) };
        draft.archive(branch, { kind: 'branch', firstCut: firstCut.id });
        draft.put(id, rewound(known, cut), 'rewind');
      }),

    evicted: () => view()?.evicted.map(({ turn }) => turn) ?? [],

    async summarize(text, turns, from) {
      let done: Summarizing | undefined;
      await memory.change((draft) => {
        const known = draft.conversations.get(id);
        done = known && summarizing(known, { text, turns, from }, clock());
        if (known && done) draft.put(id, summarized(known, done), 'summary');
      });
      return done;
    },

    async undoSummary(before) {
      let isBack = false;
      await memory.change((draft) => {
        const known = draft.conversations.get(id);
        const back = known && withoutSummarizing(known, before);
        isBack = back !== undefined;
        if (back) draft.put(id, back, 'summary');
      });
      return isBack;
    },

    drop: (turns) => memory.change((draft) => draft.evict(id, turns, 'cap')),

    async setSummary(text) {
      if (text !== undefined && text.trim() !== '') {
        await memory.change((draft) => draft.put(id, withSummary(knownIn(draft), text), 'summary'));
        return [];
      }
      const told = new Set(memory.state.conversations.get(id)?.summarized.map((turn) => turn.id));
      const copies = await copiesOf((copy) => hasTurn(told, copy));
      await memory.change((draft) => draft.change(id, withoutSummary), { isErasing: true });
      return copies;
    },

    async clear() {
      const known = memory.state.conversations.get(id);
      const evicted = (await memory.search((search) => search.evicted({ conversation: id }))) ?? [];
      const ids = new Set([...(known ? idsIn(known) : []), ...idsOf(evicted)]);
      const branches = await copiesOf((copy) => copy.ending.kind === 'branch' || hasTurn(ids, copy));
      const cut = branches.flatMap((branch) => [...idsIn(branch.conversation), ...idsOf(branch.evicted)]);
      let erased: Conversation | undefined;
      let isTold = false;
      await memory.change(
        (draft) => {
          const present = draft.conversations.get(id);
          if (!isTold) erased = present;
          // One that has just expired is in the archive, and was not meant.
          if (!erased) return;
          // Made again later, it is about what was there when the person did it, and not about what was said since.
          const meant = new Set([...idsIn(erased), ...cut, ...idsOf(evicted)]);
          if (!isTold || (present && idsIn(present).every((turn) => meant.has(turn)))) draft.erase(id);
          if (isTold) forgetIn(draft, [...meant]);
        },
        { isErasing: true },
      );
      isTold = true;
      const isSome = branches.length + evicted.length > 0 || (erased && !isEmpty(erased));
      return erased && isSome ? { conversation: erased, branches, evicted } : undefined;
    },

    restore: ({ conversation, branches = [], evicted = [] }) =>
      memory.change((draft) => {
        const back = mergeConversations(draft.conversations.get(id), { ...conversation, id });
        draft.put(id, { ...back, lastActive: clock() }, 'rewind');
        draft.bringBackEvicted(id, evicted);
        for (const branch of branches) {
          draft.bringBack(branch);
          draft.join(branch.conversation, id);
        }
      }),
  };
}

function hasTurn(ids: ReadonlySet<TurnId>, { conversation }: Archiving): boolean {
  return [...conversation.turns, ...conversation.summarized].some((turn) => ids.has(turn.id));
}

function idsIn({ turns, summarized: told }: Conversation): readonly TurnId[] {
  return idsOf([...turns, ...told]);
}

function idsOf(turns: readonly StoredTurn[] = []): readonly TurnId[] {
  return turns.map((turn) => turn.id);
}
