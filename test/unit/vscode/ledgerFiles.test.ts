import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecentRecords } from '../../../src/core/ledger/recentRecords';
import type { RecordStore } from '../../../src/core/ports';
import { createLedgerFiles } from '../../../src/vscode/ledgerFiles';

describe('the files of the ledger', () => {
  let root: string;
  let folder: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ledger-'));
    folder = join(root, 'below', 'ledger');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const open = (more: { readonly activationId?: string; readonly limit?: number } = {}) =>
    createLedgerFiles({ folder, activationId: 'a', ...more });

  for (const [what, create] of [
    ['files', () => open()],
    ['records of one window', createRecentRecords],
  ] satisfies readonly (readonly [string, () => RecordStore])[]) {
    it(`as ${what}, keeps what was written last under each name, in the order of names`, async () => {
      const store = create();
      assert.deepEqual(await store.read(), []);
      await store.write('2', 'two');
      await store.write('1', 'one');
      await store.write('2', 'second');
      assert.deepEqual(await store.read(), [
        { name: '1', text: 'one' },
        { name: '2', text: 'second' },
      ]);
      await store.clear();
      assert.deepEqual(await store.read(), []);
      await store.write('3', 'three');
      assert.equal((await store.read()).length, 1);
    });
  }

  it('touches nothing before the first record', () => {
    open();
    assert.deepEqual(readdirSync(root), []);
  });

  it('are read by nobody else on the machine', async () => {
    await open().write('1', 'one');
    assert.equal(statSync(join(folder, '1.json')).mode & 0o777, 0o600);
  });

  it('keep the newest, whichever window wrote them', async () => {
    const [one, other] = [open({ limit: 3 }), open({ activationId: 'b', limit: 3 })];
    for (const name of ['1', '3', '5']) await one.write(name, name);
    for (const name of ['2', '4']) await other.write(name, name);
    assert.deepEqual(
      (await one.read()).map(({ name }) => name),
      ['3', '4', '5'],
    );
    assert.deepEqual(readdirSync(folder).toSorted(), ['3.json', '4.json', '5.json']);
  });

  it('ignore what is half written, and erase it with the rest', async () => {
    const store = open();
    await store.write('1', 'one');
    writeFileSync(join(folder, '2.b.tmp'), '{"ver');
    assert.equal((await store.read()).length, 1);
    await store.clear();
    assert.equal(readdirSync(join(root, 'below')).length, 0);
  });
});
