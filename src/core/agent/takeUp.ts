import type { ConversationHandle } from '../conversation/memory/handle';
import type { Conversation, Waiting } from '../conversation/turn';
import { flatHistory, historyOf } from '../conversation/view';
import type { Message } from '../messages';
import { endedWith, resumeQuestion } from './question';

interface NewMessage {
  readonly userContent: Message['content'];
  readonly modelId: string;
  readonly shownAt?: { readonly thread: string };
  /** Not the person's own: it answers no question that waits for them. */
  readonly isUnattended?: boolean;
}

/** What a message goes on from: the conversation so far and, where it answers one, the question. */
export type TakenUp = Awaited<ReturnType<typeof takeUp>>;

/** Without a handle, where memory is neither read nor written, nothing was said before. */
export async function takeUp(handle: ConversationHandle | undefined, message: NewMessage) {
  const waiting = message.isUnattended ? undefined : (handle?.waiting() ?? askedLast(handle, message));
  const view = handle?.view();
  const remembered = view?.conversation;
  const conversation = remembered && waiting ? askingTurnLast(remembered, waiting) : remembered;
  const parts = conversation ? historyOf(conversation) : [];
  const history = flatHistory(parts);
  // Thoughts are bound to all before them and to who had them, so that they cannot go on after anything else.
  const isBound = conversation === remembered && [undefined, message.modelId].includes(waiting?.model);
  const resumable = waiting && { ...waiting, ...(!isBound && { sent: [] }) };
  const resumed = resumable && resumeQuestion(history, resumable, message.userContent);
  // The turn that asked has left the history, or something else was said since.
  if (waiting && !resumed) await handle?.setWaiting(undefined);
  return { view, parts, history, resumed, answered: resumed && waiting };
}

/** What the newest turn of the thread asked, where the answer to it was taken back. */
function askedLast(
  handle: ConversationHandle | undefined,
  { shownAt }: Pick<NewMessage, 'shownAt'>,
): Waiting | undefined {
  const newest = handle?.snapshot()?.turns.at(-1);
  return newest && shownAt && newest.thread === shownAt.thread ? endedWith(newest) : undefined;
}

/**
 * The conversation with the turn that asks at its end. What another extension said meanwhile is shown in no thread and
 * answers nobody: it stands before the question then. As it is when the person has gone on since.
 */
function askingTurnLast(conversation: Conversation, { turnId }: Waiting): Conversation {
  const at = conversation.turns.findIndex(({ id }) => id === turnId);
  const asking = conversation.turns[at];
  const later = conversation.turns.slice(at + 1);
  if (!asking || later.length === 0 || later.some(({ thread }) => thread !== undefined)) return conversation;
  return { ...conversation, turns: [...conversation.turns.slice(0, at), ...later, asking] };
}
