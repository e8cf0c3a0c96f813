import { createTextsInMemory } from '../../../src/core/textsInMemory';
import { textFilesContract } from '../../support/contracts/textFilesContract';

textFilesContract('in memory', async () => {
  const files = createTextsInMemory();
  return { open: () => files, dispose: async () => undefined };
});
