import type { ConversationArchive } from '../../core/conversation/archive/archive';
import type { ArchivedConversation } from '../../core/conversation/archive/archivedForm';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import type { Ledger } from '../../core/ledger/ledger';

export interface ArchiveDeletion {
  readonly memory: Pick<ConversationMemory, 'conversations'>;
  readonly archive: ConversationArchive;
  /** Holds first words of turns: what is deleted leaves it, too. */
  readonly ledger: Pick<Ledger, 'forget'>;
}

/** Deletes an archived conversation with its traces, and gives what brings it back. */
export async function deleteArchived(
  { memory, archive, ledger }: ArchiveDeletion,
  { id, conversation, ending }: ArchivedConversation,
): Promise<() => Promise<unknown>> {
  await archive.remove(id);
  const { conversations } = await archive.list();
  // A branch shares its beginning with the conversation that it was cut from.
  const others = [...memory.conversations(), ...conversations.map((one) => one.conversation)];
  const kept = new Set(others.flatMap(({ turns }) => turns.map((turn) => turn.id)));
  await ledger.forget(conversation.turns.map((turn) => turn.id).filter((turn) => !kept.has(turn)));
  return () => archive.put(conversation, ending);
}
