import { setImmediate } from 'node:timers/promises';
import type { Memento } from 'vscode';
import type { StateStore } from '../../core/ports';

/** The one door to `workspaceState`. */
export function createMementoStore(memento: Memento): StateStore {
  return {
    get: (key) => memento.get(key),
    async update(key, value) {
      // `update()` clones the whole value synchronously: yield first, so that the caller is not held up.
      await setImmediate();
      await memento.update(key, value);
    },
    keys: () => memento.keys(),
  };
}
