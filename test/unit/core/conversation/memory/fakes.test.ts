import { stateStoreContract } from '../../../../support/contracts/stateStoreContract';
import { WorkspaceState } from '../../../../support/conversation/workspaceState';

stateStoreContract('in memory', () => new WorkspaceState().openWindow());
