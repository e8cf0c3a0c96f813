import type { Journal } from '../../ports';
import { Facts } from '../facts/facts';
import { applyNews, OtherWindows } from '../facts/otherWindows';
import type { ConversationArchive } from './archive';

/** What another workspace left on this machine: its archive, and the files its windows wrote ahead. */
export interface Estate {
  readonly archive: ConversationArchive;
  readonly journal: Journal;
}

/**
 * Copies the conversations of a workspace whose folder has moved into this archive, and says how many there are now.
 * What VS Code itself keeps of that workspace cannot be read from here, but its last window's own file can.
 */
export async function takeOver(estate: Estate, archive: ConversationArchive): Promise<number> {
  const facts = new Facts();
  applyNews(facts, await new OtherWindows(estate.journal).news());
  const open = [...facts.conversations.values()].filter(({ turns }) => turns.length > 0);
  for (const conversation of open) await archive.put(conversation, { kind: 'left' });
  const { conversations } = await estate.archive.list();
  // Oldest first: when there is no room for all, the newest are kept.
  for (const { conversation, ending } of conversations.toReversed()) await archive.put(conversation, ending);
  return (await archive.list()).conversations.length;
}
