import assert from 'node:assert/strict';
import type { TextFiles } from '../../../src/core/ports';

export interface TextFilesSetting {
  /** The files as another window on the same workspace has them. */
  open(): TextFiles;
  dispose(): Promise<void>;
}

/** What archive, ledger and kept changes rely on; runs against all that keeps texts. */
export function textFilesContract(name: string, create: () => Promise<TextFilesSetting>): void {
  describe(`text files: ${name}`, () => {
    let setting: TextFilesSetting;
    beforeEach(async () => {
      setting = await create();
    });
    afterEach(() => setting.dispose());

    it('has nothing before anything was written, and nothing to remove', async () => {
      const files = setting.open();
      assert.deepEqual(await files.names(), []);
      assert.equal(await files.read('a.json'), undefined);
      await files.remove('a.json');
      await files.clear();
    });

    it('gives every window the text as it was written', async () => {
      const [one, two] = [setting.open(), setting.open()];
      await one.write('a.json', '{"a":"\u{1F600}\\n"}');
      await two.write('b.json', '');
      assert.deepEqual((await one.names()).toSorted(), ['a.json', 'b.json']);
      assert.equal(await two.read('a.json'), '{"a":"\u{1F600}\\n"}');
      assert.equal(await one.read('b.json'), '');
    });

    it('puts a text in place of the one before', async () => {
      const files = setting.open();
      await files.write('a.json', 'long before');
      await files.write('a.json', 'new');
      assert.equal(await files.read('a.json'), 'new');
      assert.deepEqual(await files.names(), ['a.json']);
    });

    it('holds one whole text when two windows write the same name at once', async () => {
      const [one, two] = [setting.open(), setting.open()];
      const texts = ['x'.repeat(200_000), 'y'.repeat(100_000)] as const;
      const readings: (string | undefined)[] = [];
      const writing = Promise.all([one.write('a.json', texts[0]), two.write('a.json', texts[1])]);
      for (let reading = 0; reading < 20; reading++) readings.push(await one.read('a.json'));
      await writing;
      readings.push(await two.read('a.json'));
      assert.ok(readings.every((text) => text === undefined || text === texts[0] || text === texts[1]));
      assert.ok(readings.at(-1));
      assert.deepEqual(await one.names(), ['a.json']);
    });

    it('removes one, and then all', async () => {
      const files = setting.open();
      for (const file of ['a.json', 'b.json', 'c.json']) await files.write(file, 'x');
      await files.remove('b.json');
      await files.remove('b.json');
      assert.deepEqual((await files.names()).toSorted(), ['a.json', 'c.json']);
      await files.clear();
      assert.deepEqual(await files.names(), []);
      await files.write('d.json', 'x');
      assert.deepEqual(await files.names(), ['d.json']);
    });
  });
}
