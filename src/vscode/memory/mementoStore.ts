import { setImmediate } from 'node:timers/promises';
import type { Memento } from 'vscode';
import type { StateStore } from '../../core/ports';

/** The one door to `workspaceState`. */
export function createMementoStore(memento: Memento): StateStore {
  return {
    get: (key) => memento.get(key),
    async update(key, value) {
      // VS Code copies all of it on the spot: not before whoever was just told of it has gone on.
      await setImmediate();
      await memento.update(key, value);
    },
    keys: () => memento.keys(),
  };
}
