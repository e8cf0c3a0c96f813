import * as l10n from '@vscode/l10n';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import { turnCount } from '../../core/conversation/reports/archiveReport';
import { askInDialog } from '../notify';

/** When nothing is archived, what is left is lost: the user has to know before. */
export async function mayLeave(
  { memory, archive }: { readonly memory: ConversationMemory; readonly archive: ConversationArchive },
  handle: ConversationHandle,
): Promise<boolean> {
  if (!archive.isOff) return true;
  await memory.refresh();
  const turns = handle.snapshot()?.turns.length ?? 0;
  if (turns === 0) return true;
  const erase = l10n.t('Erase It');
  const choice = await askInDialog(
    l10n.t('The current conversation would be erased.'),
    l10n.t(
      'It has {0}, and nothing is archived in this window: assistant.archiveSize is 0, or no folder is open.',
      turnCount(turns),
    ),
    erase,
  );
  return choice === erase;
}
