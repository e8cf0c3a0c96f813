import type { TextFiles } from './ports';

/** Texts for as long as the window is open: where there is no folder to write to. */
export function createTextsInMemory(): TextFiles {
  const texts = new Map<string, string>();
  return {
    names: async () => [...texts.keys()],
    read: async (name) => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
    remove: async (name) => void texts.delete(name),
    clear: async () => texts.clear(),
  };
}
