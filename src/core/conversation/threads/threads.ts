import type { IdSource } from '../../ports';
import type { ConversationMemory } from '../memory/memory';
import {
  inOrder,
  type ArchivedId,
  type Conversation,
  type ConversationId,
  type StoredTurn,
  type TurnId,
} from '../turn';
import { isRemoved, reconcile, type Activation, type Reconciliation, type ShownTurn } from './reconcile';
import { removedSummaryBy, type RemovedSummary } from './removedSummary';
import { threadCopy, type ShownAnswer } from './threadCopy';

/** What all chat threads of a workspace share, unless each has its own. */
const workspaceConversation: ConversationId = 'workspace';

export type ConversationScope = 'workspace' | 'thread';

/** A request as its chat thread hands it over. */
export interface ThreadRequest {
  /** VS Code's own name of the thread, where it tells one. */
  readonly session?: string;
  readonly prompt: string;
  /** It is about the conversation and no part of it. */
  readonly isAside: boolean;
  /** What the thread shows of us before this request, oldest first. */
  readonly shown: readonly Omit<ShownAnswer, 'position'>[];
}

/** Where a request belongs, and what has to change in memory before it goes on. */
export interface ThreadView extends Reconciliation {
  readonly thread: string;
  /** How many exchanges with us the thread shows before this one. */
  readonly position: number;
  readonly conversation: ConversationId;
  /** Which of these turns the user removed. */
  readonly cutOf: (turns: readonly StoredTurn[]) => readonly TurnId[];
  /** Whether the user removed this one, which is kept and no longer remembered: recall must not bring it back. */
  readonly isRemoved: (turn: StoredTurn) => boolean;
  /** What the thread shows and another conversation remembers. */
  readonly copied: Conversation | undefined;
  /** For the first answer of a thread that goes on with what was said elsewhere. */
  readonly continues?: ContinuedConversation | undefined;
  /** For the first answer after the conversation before it expired. */
  readonly ended?: EndedConversation | undefined;
}

export interface ContinuedConversation {
  readonly turns: number;
  readonly lastActive: number;
  /** It is from before this window was opened. */
  readonly isFromBefore: boolean;
}

export interface EndedConversation {
  readonly turns: number;
  readonly endedAt: number;
  /** Where the archive has it. */
  readonly archiveId: ArchivedId;
}

export interface Threads {
  /** Finds out where a request belongs and how memory differs from what its thread shows. Changes nothing of that. */
  look(request: ThreadRequest): Promise<ThreadView>;
  /** Makes memory agree with the thread, and says what became of a summary that told of turns which are gone. */
  settle(view: ThreadView): Promise<RemovedSummary | undefined>;
  /**
   * The conversation that is meant where no thread is, by commands, the status bar and the Memory view: that of the
   * thread in which this window asked last. VS Code does not tell which thread is open.
   */
  current(): ConversationId;
}

/** Knows which conversation each chat thread belongs to, and keeps it at what the thread shows (M11, M13). */
export function createThreads(options: {
  readonly memory: ConversationMemory;
  readonly scope: () => ConversationScope;
  readonly activation: Activation;
  readonly ids: IdSource;
  /** Another conversation is the current one now. */
  readonly onMove: () => void;
}): Threads {
  const { memory, activation } = options;
  /** By thread. */
  const compared = new Map<string, ReadonlySet<TurnId>>();
  /** Of conversations that expired, those that an answer has told of. */
  const told = new Set<ArchivedId>();
  let lastUsed: ConversationId | undefined;

  function threadOf({ session, shown }: ThreadRequest): string {
    return session ?? shown.findLast(({ threadId }) => threadId !== undefined)?.threadId ?? options.ids();
  }

  const conversationOf = (thread: string): ConversationId =>
    options.scope() === 'thread' ? `thread-${thread}` : workspaceConversation;

  function continued(
    found: Conversation | undefined,
    view: { readonly shown: readonly ShownTurn[]; readonly cut: readonly StoredTurn[] },
  ): ContinuedConversation | undefined {
    const turns = found?.turns.filter((turn) => !view.cut.includes(turn)) ?? [];
    const newest = turns.at(-1);
    if (!found || !newest || view.shown.length > 0) return undefined;
    return {
      turns: turns.length,
      lastActive: found.lastActive,
      isFromBefore: newest.activation !== activation.id && newest.endedAt <= activation.startedAt,
    };
  }

  /** What expired last, where nobody has asked since: whichever window has seen it end. */
  async function endedBefore(id: ConversationId, found: Conversation | undefined) {
    const archived = await memory.archived();
    const newest = archived.find((one) => one.conversationId === id && one.ending.kind !== 'branch');
    if (newest?.ending.kind !== 'ended' || told.has(newest.id)) return undefined;
    // What was brought back stands in no thread, but had its place in one, unlike what other extensions save.
    if (found?.turns.some((turn) => turn.position !== undefined)) {
      told.add(newest.id);
      return undefined;
    }
    const endedAt = newest.endedAt + memory.limits().timeoutSeconds * 1000;
    return { turns: newest.turns, endedAt, archiveId: newest.id };
  }

  return {
    async look(request) {
      await memory.refresh();
      const thread = threadOf(request);
      const conversation = conversationOf(thread);
      const handle = memory.forConversation(conversation);
      const found = handle.snapshot();
      if (!request.isAside) handle.touch();
      const all = request.shown.map((entry, position) => ({ ...entry, position }));
      const shown = all.filter(({ isAside }) => !isAside);
      const position = all.length;
      const known = {
        thread,
        shown,
        asked: request.isAside ? undefined : { prompt: request.prompt, position },
        activation,
        // By their names: a clock that was set back would make them younger than the window.
        fromBefore: await memory.fromBefore(),
        compared: compared.get(thread) ?? new Set<TurnId>(),
      };
      const reconciliation = reconcile({ ...known, turns: allTurns(memory.stored(conversation)) });
      return {
        ...reconciliation,
        cutOf: (turns) => idsOf(reconcile({ ...known, turns }).cut),
        isRemoved: (turn) => isRemoved(turn, known),
        thread,
        position,
        conversation,
        copied: threadCopy({ shown: all, conversation, thread, activation: activation.id, memory }),
        ...(!request.isAside && {
          continues: continued(found, { shown, cut: reconciliation.cut }),
          ended: await endedBefore(conversation, found),
        }),
      };
    },

    async settle({ thread, conversation, cut, cutOf, lost, adopted, copied, ...view }) {
      const handle = memory.forConversation(conversation);
      const before = memory.stored(conversation);
      if (cut.length > 0) await handle.rewind(cutOf);
      if (lost.length > 0) await handle.bind(idsOf(lost), undefined);
      if (adopted.length > 0) await handle.bind(idsOf(adopted), thread);
      // With branches of its own: those of the other conversation stay when this one is cleared.
      if (copied) await handle.restore({ conversation: { ...copied, lineage: options.ids() } });
      compared.set(thread, new Set([...(compared.get(thread) ?? []), ...idsOf(view.compared)]));
      if (view.ended) told.add(view.ended.archiveId);
      const hasMoved = lastUsed !== conversation;
      lastUsed = conversation;
      if (hasMoved) options.onMove();
      return removedSummaryBy(cut, before, memory.stored(conversation)?.turns ?? []);
    },

    current() {
      if (options.scope() === 'workspace') return workspaceConversation;
      if (lastUsed !== undefined && lastUsed !== workspaceConversation) return lastUsed;
      const newest = memory
        .conversations()
        .filter(({ id }) => id.startsWith('thread-'))
        .reduce<Conversation | undefined>((a, b) => (a && a.lastActive > b.lastActive ? a : b), undefined);
      return newest?.id ?? workspaceConversation;
    },
  };
}

/** Those too that are in the summary or wait to be: what was removed must not be told of there. */
function allTurns(conversation: Conversation | undefined): readonly StoredTurn[] {
  return conversation ? inOrder([...conversation.summarized, ...conversation.turns]) : [];
}

function idsOf(turns: readonly StoredTurn[]): readonly TurnId[] {
  return turns.map(({ id }) => id);
}
