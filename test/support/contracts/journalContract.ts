import assert from 'node:assert/strict';
import type { Journal, JournalFile } from '../../../src/core/ports';

export interface JournalSetting {
  /** The journal of a new activation on the same folder. */
  open(): Journal;
  /** Ends the activation, as a crash does. */
  end(journal: Journal): void;
  dispose(): Promise<void>;
}

/** What the memory relies on; runs against the fake and against real files. */
export function journalContract(name: string, create: () => Promise<JournalSetting>): void {
  describe(`journal: ${name}`, () => {
    let setting: JournalSetting;
    beforeEach(async () => {
      setting = await create();
    });
    afterEach(() => setting.dispose());

    it('shows a window to the others from its first append on, even of nothing', async () => {
      const [one, two] = [setting.open(), setting.open()];
      assert.deepEqual(await two.others(), []);
      await one.append([]);
      assert.equal((await only(two)).isOwnerAlive, true);
      assert.deepEqual(await one.others(), []);
    });

    it('gives the lines back as they were, and from an offset only what is new', async () => {
      const [one, two] = [setting.open(), setting.open()];
      await one.append(['{"a":"\u{1F600}"}', '{"b":2}']);
      const { name: file } = await only(two);
      const first = await two.read(file, 0);
      assert.equal(first?.text, '{"a":"\u{1F600}"}\n{"b":2}\n');
      assert.deepEqual(await two.read(file, first.end), { text: '', end: first.end });
      await one.append(['{"c":3}']);
      assert.equal((await two.read(file, first.end))?.text, '{"c":3}\n');
    });

    it('puts a file of another name in place of what was written, and goes on there', async () => {
      const [one, two] = [setting.open(), setting.open()];
      await one.append(['old']);
      const before = await only(two);
      await one.replace(['new']);
      await one.append(['newer']);
      const after = await only(two);
      assert.notEqual(after.name, before.name);
      assert.equal(await two.read(before.name, 0), undefined);
      assert.equal((await two.read(after.name, 0))?.text, 'new\nnewer\n');
    });

    it('replaces what was never written', async () => {
      const [one, two] = [setting.open(), setting.open()];
      await one.replace(['all']);
      assert.equal((await two.read((await only(two)).name, 0))?.text, 'all\n');
    });

    it('knows when an owner is gone, and removes its file then', async () => {
      const [one, two] = [setting.open(), setting.open()];
      await one.append(['x']);
      setting.end(one);
      const { name: file, isOwnerAlive } = await only(two);
      assert.equal(isOwnerAlive, false);
      await two.remove(file);
      await two.remove(file);
      assert.deepEqual(await two.others(), []);
    });

    it('does not remove its own file', async () => {
      const [one, two] = [setting.open(), setting.open()];
      await one.append(['x']);
      const { name: file } = await only(two);
      await assert.rejects(one.remove(file), /not the file of another window/);
    });
  });
}

async function only(journal: Journal): Promise<JournalFile> {
  const files = await journal.others();
  assert.equal(files.length, 1);
  return files[0]!;
}
