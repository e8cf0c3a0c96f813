import type { Journal } from '../../../../../src/core/ports';
import { journalContract } from '../../../../support/contracts/journalContract';
import { stateStoreContract } from '../../../../support/contracts/stateStoreContract';
import { textFilesContract } from '../../../../support/contracts/textFilesContract';
import { BreakableTexts } from '../../../../support/conversation/breakableTexts';
import { JournalFolder } from '../../../../support/conversation/journalFolder';
import { WorkspaceState } from '../../../../support/conversation/workspaceState';

journalContract('in memory', async () => {
  const folder = new JournalFolder();
  const names = new Map<Journal, string>();
  return {
    open() {
      const name = `w${names.size}`;
      const journal = folder.open(name);
      names.set(journal, name);
      return journal;
    },
    end: (journal) => folder.end(names.get(journal) ?? ''),
    dispose: async () => undefined,
  };
});

stateStoreContract('in memory', () => new WorkspaceState().openWindow());

textFilesContract('breakable', async () => {
  const folder = new BreakableTexts();
  return { open: () => folder, dispose: async () => undefined };
});
