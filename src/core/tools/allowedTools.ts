import type { StateStore } from '../ports';

const stateKey = 'allowedTools';

/** Which tools of others the person allowed for longer than one call. An answer for one is never one for another. */
export interface AllowedTools {
  has(tool: AllowedTool): boolean;
  /** For as long as the window lives, or for this workspace from now on. */
  allow(tool: AllowedTool, scope: 'session' | 'workspace'): Promise<void>;
  /** Forgets all of it; says how many there were. */
  reset(): Promise<number>;
}

/** By name and by where it comes from: another extension may bring a tool of the same name one day. */
export interface AllowedTool {
  readonly name: string;
  readonly extension: string | undefined;
}

export function createAllowedTools(store: StateStore): AllowedTools {
  const inSession = new Set<string>();
  const inWorkspace = () => {
    const stored = store.get(stateKey);
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  };
  return {
    has: (tool) => inSession.has(keyOf(tool)) || inWorkspace().includes(keyOf(tool)),
    async allow(tool, scope) {
      inSession.add(keyOf(tool));
      if (scope === 'workspace') await store.update(stateKey, [...new Set([...inWorkspace(), keyOf(tool)])]);
    },
    async reset() {
      const all = new Set([...inSession, ...inWorkspace()]);
      inSession.clear();
      await store.update(stateKey, undefined);
      return all.size;
    },
  };
}

function keyOf({ name, extension }: AllowedTool): string {
  return JSON.stringify([extension ?? null, name]);
}
