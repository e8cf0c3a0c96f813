import assert from 'node:assert/strict';
import type { StateStore } from '../../../src/core/ports';

/** What the memory relies on; runs against the fake and, in a real host, against workspaceState. */
export function stateStoreContract(name: string, create: () => StateStore): void {
  describe(`state store: ${name}`, () => {
    it('gives back what was stored, and nothing for an unknown key', async () => {
      const store = create();
      await store.update('contract.a', { text: '\u{1F600}', list: [1, null] });
      assert.deepEqual(store.get('contract.a'), { text: '\u{1F600}', list: [1, null] });
      assert.equal(store.get('contract.unknown'), undefined);
    });

    it('lists its keys, and forgets one that is set to undefined', async () => {
      const store = create();
      await store.update('contract.a', 1);
      await store.update('contract.b', 2);
      await store.update('contract.a', undefined);
      assert.deepEqual(
        store.keys().filter((key) => key.startsWith('contract.')),
        ['contract.b'],
      );
    });

    it('shows an update at once, before it is awaited', async () => {
      const store = create();
      const updated = store.update('contract.a', 'new');
      assert.equal(store.get('contract.a'), 'new');
      await updated;
    });
  });
}
