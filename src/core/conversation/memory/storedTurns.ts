import type { StoredTurn } from '../turn';
import { inOrder } from '../turnLists';
import type { ConversationHandle } from './conversationHandle';

/** All turns of a conversation, those that only wait to be folded too. */
export function storedTurns(handle: ConversationHandle): readonly StoredTurn[] {
  const seen = handle.snapshot()?.turns;
  // Without a snapshot it has ended.
  return seen ? inOrder([...handle.leaving(), ...seen]) : [];
}
