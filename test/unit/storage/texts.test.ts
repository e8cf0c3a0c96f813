import { Sqlite } from '../../../src/storage/sqlite';
import { createTexts } from '../../../src/storage/tables';
import { textFilesContract } from '../../support/contracts/textFilesContract';
import { TestWorkspace } from '../../support/conversation/testWorkspace';

textFilesContract('in the database', async () => {
  const { file } = new TestWorkspace();
  const opened: Promise<Sqlite>[] = [];
  return {
    open: () => {
      const sqlite = Sqlite.open(file);
      opened.push(sqlite);
      return createTexts(() => sqlite);
    },
    dispose: async () => (await Promise.all(opened)).forEach((sqlite) => sqlite.close()),
  };
});
