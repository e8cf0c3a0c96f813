import assert from 'node:assert/strict';
import { createFileChanges } from '../../../../src/core/tools/fileChanges';
import { createKeptChanges } from '../../../../src/core/tools/keptChanges';
import { createSecretFilesReader } from '../../../../src/core/tools/paths/secretFiles';
import { createToolset } from '../../../../src/core/tools/toolset';
import { BreakableTexts } from '../../../support/conversation/breakableTexts';
import { createInMemoryWorkspace } from '../../../support/inMemoryWorkspace';

const { signal } = new AbortController();
const before = { 'a.ts': 'one', 'b.ts': 'b', 'c.ts': 'c', '.env': 'KEY=1' };

function openFolder() {
  const workspace = createInMemoryWorkspace({ files: before });
  const files = new BreakableTexts();
  const logged: string[] = [];
  let now = 0;
  /** A window of its own: it knows from another one only what is in the files. */
  const openWindow = () => {
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (line: string) => void logged.push(line),
    };
    const isSecret = (path: string) => path.endsWith('.env');
    const journal = createFileChanges(
      workspace,
      createKeptChanges({ files, isSecret, clock: () => ++now, log }),
    );
    const tools = createToolset({
      workspace,
      secretFiles: createSecretFilesReader(() => []),
      onChange: (change) => journal.record(change),
    });
    const run = async (id: string, name: string, input: object) => {
      await tools.find((tool) => tool.name === name)?.run({ id, name, input }, signal);
    };
    return { journal, run };
  };
  const disk = () =>
    Object.fromEntries([...workspace.files].map(([path, text]) => [path.slice('/work/app/'.length), text]));
  return { files, logged, openWindow, disk };
}

const edit = (path: string, old_text: string, new_text: string) => ({
  path,
  edits: [{ old_text, new_text }],
});

describe('changes kept for the next window', () => {
  it('M13: are taken back there as in the window that made them, and then forgotten', async () => {
    const { openWindow, disk, files } = openFolder();
    const first = openWindow();
    await first.run('1', 'edit_file', edit('a.ts', 'one', 'two'));
    await first.run('2', 'create_file', { path: 'new.ts', content: 'x' });
    await first.run('3', 'rename_file', { from: 'b.ts', to: 'd.ts' });
    await first.run('4', 'delete_file', { path: 'c.ts' });
    const { journal } = openWindow();
    const { undone, kept } = await journal.undo(['1', '2', '3', '4'], signal);
    assert.deepEqual([undone.length, kept.length], [4, 0]);
    assert.deepEqual(disk(), before);
    assert.deepEqual([...files.files.keys()], []);
  });

  it('S4: hold no copy of a file that looks like a secret', async () => {
    const { openWindow, files } = openFolder();
    await openWindow().run('1', 'edit_file', edit('.env', 'KEY=1', 'KEY=2'));
    assert.deepEqual([...files.files.keys()], []);
  });

  it('are bounded in number and in size', async () => {
    const { openWindow, files } = openFolder();
    const { run } = openWindow();
    for (let call = 0; call < 105; call++) {
      await run(`c${call}`, 'create_file', { path: `f${call}.ts`, content: 'x' });
    }
    await run('large', 'create_file', { path: 'large.ts', content: 'x'.repeat(1_000_001) });
    const names = [...files.files.keys()];
    assert.deepEqual(
      [names.length, names[0]?.slice(16), names.at(-1)?.slice(16)],
      [100, 'c5.json', 'c104.json'],
    );
  });

  it('F27: are only missed when the disk fails, and no damaged or foreign file is believed', async () => {
    const { openWindow, files, logged } = openFolder();
    await openWindow().run('1', 'edit_file', edit('a.ts', 'one', 'two'));
    const [name, text] = [...files.files][0]!;
    for (const damaged of [
      '',
      '{',
      '[]',
      '{"version":1,"changes":[{}]}',
      text.slice(0, -5),
      text.replace('"a.ts"', '"../a.ts"'),
      text.replace('"edit"', '"run"'),
    ]) {
      files.files.set(name, damaged);
      assert.deepEqual(await openWindow().journal.changesOf(['1']), [], damaged);
    }
    files.onAccess = () => {
      throw new Error('disk failure');
    };
    const { journal, run } = openWindow();
    await run('2', 'edit_file', edit('a.ts', 'two', 'three'));
    assert.deepEqual(await journal.changesOf(['1']), []);
    assert.equal((await journal.undo(['2'], signal)).undone.length, 1);
    assert.ok(logged.length > 0);
  });
});
