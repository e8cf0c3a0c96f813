import { stateStoreContract } from '../../../../support/contracts/stateStoreContract';
import { textFilesContract } from '../../../../support/contracts/textFilesContract';
import { BreakableTexts } from '../../../../support/conversation/breakableTexts';
import { WorkspaceState } from '../../../../support/conversation/workspaceState';

stateStoreContract('in memory', () => new WorkspaceState().openWindow());

textFilesContract('breakable', async () => {
  const folder = new BreakableTexts();
  return { open: () => folder, dispose: async () => undefined };
});
