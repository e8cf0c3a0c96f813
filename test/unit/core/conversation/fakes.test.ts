import type { Journal } from '../../../../src/core/ports';
import { archiveFilesContract } from '../../../support/contracts/archiveFilesContract';
import { journalContract } from '../../../support/contracts/journalContract';
import { stateStoreContract } from '../../../support/contracts/stateStoreContract';
import { ArchiveFolder } from '../../../support/conversation/archiveFolder';
import { JournalFolder } from '../../../support/conversation/journalFolder';
import { WorkspaceState } from '../../../support/conversation/workspaceState';

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

archiveFilesContract('in memory', async () => {
  const folder = new ArchiveFolder();
  return { open: () => folder, dispose: async () => undefined };
});
