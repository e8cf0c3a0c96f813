import type { RecordStore } from '../ports';

/** Records for as long as the window is open: where there is no folder to write to. */
export function createRecentRecords(): RecordStore {
  const texts = new Map<string, string>();
  return {
    async write(name, text) {
      texts.set(name, text);
    },
    read: async () =>
      Array.from(texts, ([name, text]) => ({ name, text })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    clear: async () => texts.clear(),
  };
}
