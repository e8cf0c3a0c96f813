import type { Memento } from 'vscode';
import type { StateStore } from '../core/ports';

/** The one door to `workspaceState`. */
export function createMementoStore(memento: Memento): StateStore {
  return {
    get: (key) => memento.get(key),
    update: async (key, value) => memento.update(key, value),
    keys: () => memento.keys(),
  };
}
