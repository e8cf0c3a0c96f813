import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors';
import { unfolded } from '../folded';
import { boundTo } from '../memory/boundTo';
import type { ConversationHandle } from '../memory/conversationHandle';
import type { ConversationMemory } from '../memory/memory';
import { storedTurns } from '../memory/storedTurns';
import type { Conversation, StoredTurn } from '../turn';
import { isPartOf, type ConversationArchive } from './archive';
import type { ArchivedConversation, ArchivedId } from './archivedForm';

/** Moves conversations between memory and archive (M20). */
export interface Switching {
  /** Leaves the conversation for a new one; with `keepThread`, the turns of that chat thread begin it. */
  startFresh(handle: ConversationHandle, options?: { readonly keepThread?: string }): Promise<Left>;
  /** Puts an archived conversation in place of the present one. */
  resume(handle: ConversationHandle, id: ArchivedId): Promise<Resumed>;
  /** Puts a conversation from outside in place of the present one. */
  bringIn(handle: ConversationHandle, conversation: Conversation): Promise<Left>;
  /** Brings back a conversation that expired, before what was said since. */
  continueEnded(handle: ConversationHandle, id: ArchivedId): Promise<ArchivedConversation>;
  /** Erases all that is remembered, all that is archived, and the records of both. */
  deleteAll(): Promise<void>;
}

/** What was left, and where it is now. */
export interface Left {
  readonly left: Conversation | undefined;
  /** Nothing when there was nothing to keep, or nothing is kept. */
  readonly archivedAs: ArchivedId | undefined;
}

export interface Resumed extends Left {
  readonly resumed: ArchivedConversation;
}

/**
 * Everything is done in an order in which a crash loses nothing: what leaves memory is in the archive before, and what
 * leaves the archive is in memory before. In between it is in both, which the archive clears up when it is archived
 * the next time.
 */
export function createSwitching(options: {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  /** What else holds words of the conversations: Delete All empties these too. */
  readonly traces: readonly { clear(): Promise<void> }[];
}): Switching {
  const { memory, archive, traces } = options;

  async function archived(id: ArchivedId): Promise<ArchivedConversation> {
    const found = await archive.get(id);
    if (found) return found;
    throw new UserError(
      l10n.t(
        'This conversation is no longer in the archive. It was resumed, deleted or replaced by newer ones.',
      ),
    );
  }

  /** Ends the conversation when all of it is archived. */
  async function leave(handle: ConversationHandle, sparing?: ArchivedId): Promise<Left> {
    await memory.refresh();
    const present = handle.snapshot();
    const first = present && (await archive.put(present, { kind: 'left' }, sparing));
    const left = await handle.leave();
    // Another window, or a turn that ran, may have added to it in the meantime.
    const isWhole = !left || left.turns.every((turn) => present?.turns.some(({ id }) => id === turn.id));
    const archivedAs = isWhole ? first : await archive.put(left, { kind: 'left' }, sparing);
    return { left, archivedAs };
  }

  async function forgetArchived({ id, isDamaged }: ArchivedConversation): Promise<void> {
    // What could not be read of it is only there.
    if (!isDamaged) await archive.remove(id);
  }

  async function keepOnly(handle: ConversationHandle, thread: string): Promise<Left> {
    await memory.refresh();
    const present = handle.snapshot();
    if (!present) return { left: undefined, archivedAs: undefined };
    const isKept = (turn: { readonly thread?: string } | undefined) => turn?.thread === thread;
    const whole = unfolded({ ...present, turns: storedTurns(handle) });
    const turnOf = (id: string | undefined) => whole.turns.find((turn) => turn.id === id);
    const isOlder = (turn: StoredTurn) => !isKept(turn);
    const older = whole.turns.filter(isOlder);
    const left = { ...whole, turns: older };
    const archivedAs = await archive.put(left, { kind: 'left' });
    const folded = present.summary?.folded ?? [];
    await handle.cut(
      [...older, ...folded.filter(isOlder)].map(({ id }) => id),
      'fresh',
    );
    // Also the values of turns that had left long ago: the new conversation knows nothing of the old one.
    const params = Object.entries(present.params).filter(([, { turnId }]) => !isKept(turnOf(turnId)));
    await handle.forget({ params: params.map(([name]) => name) });
    // All that is left of a summary tells of the kept thread, unless it stands for turns that nobody knows any more.
    if (whole.summary) await handle.setSummary(undefined);
    return { left, archivedAs };
  }

  return {
    startFresh: (handle, { keepThread } = {}) =>
      keepThread === undefined ? leave(handle) : keepOnly(handle, keepThread),

    async resume(handle, id) {
      const resumed = await archived(id);
      const left = await leave(handle, id);
      await handle.restore(broughtBack(resumed.conversation));
      // With lower limits than it grew up with, only the archive has all of it.
      if (isPartOf(resumed, handle.snapshot())) await forgetArchived(resumed);
      return { ...left, resumed };
    },

    async bringIn(handle, conversation) {
      const left = await leave(handle);
      await handle.restore(broughtBack(conversation));
      return left;
    },

    async continueEnded(handle, id) {
      const ended = await archived(id);
      await memory.refresh();
      const present = handle.snapshot();
      const back = broughtBack(ended.conversation);
      // What was said since is newer: its values hold.
      const known = present?.params ?? {};
      const params = Object.fromEntries(
        Object.entries(back.params).filter(([name]) => !Object.hasOwn(known, name)),
      );
      const turns = back.turns.filter((turn) => !present?.turns.some(({ id: there }) => there === turn.id));
      await handle.restore({ ...back, turns, params });
      await forgetArchived(ended);
      return ended;
    },

    async deleteAll() {
      await memory.deleteAll();
      await archive.clear();
      for (const trace of traces) await trace.clear();
    },
  };
}

/** No chat thread shows these turns, so that no rewind can cut them, and no question waits any more. */
export function broughtBack(conversation: Conversation): Conversation {
  const { waiting: _ended, summary, ...rest } = conversation;
  return {
    ...rest,
    turns: unbound(conversation.turns),
    ...(summary && {
      summary: { ...summary, ...(summary.folded && { folded: unbound(summary.folded) }) },
    }),
  };
}

function unbound(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  return turns.map((turn) => boundTo(undefined, turn));
}
