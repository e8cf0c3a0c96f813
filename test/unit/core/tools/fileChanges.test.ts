import assert from 'node:assert/strict';
import { createFileChanges } from '../../../../src/core/tools/fileChanges';
import { createSecretFilesReader } from '../../../../src/core/tools/paths/secretFiles';
import { createToolset } from '../../../../src/core/tools/toolset';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';

const { signal } = new AbortController();

function journalOver(files: InMemoryOptions['files'], encoding = 'utf8') {
  const workspace = createInMemoryWorkspace({ files: files ?? {}, encoding });
  const journal = createFileChanges(workspace);
  const tools = createToolset({
    workspace,
    secretFiles: createSecretFilesReader(() => []),
    onChange: (change) => journal.record(change),
  });
  const run = async (id: string, name: string, input: object) => {
    await tools.find((tool) => tool.name === name)?.run({ id, name, input }, signal);
  };
  const disk = () =>
    Object.fromEntries([...workspace.files].map(([path, text]) => [path.slice('/work/app/'.length), text]));
  return { workspace, journal, run, disk };
}

const edit = (old_text: string, new_text: string) => ({ path: 'a.ts', edits: [{ old_text, new_text }] });

describe('change journal', () => {
  it('takes back what the calls of a turn did, the newest first', async () => {
    const before = { 'a.ts': 'one', 'b.ts': 'b', 'c.ts': 'c' };
    const { journal, run, disk } = journalOver(before);
    await run('1', 'edit_file', edit('one', 'two'));
    await run('2', 'edit_file', edit('two', 'three'));
    await run('3', 'create_file', { path: 'new.ts', content: 'x' });
    await run('4', 'rename_file', { from: 'b.ts', to: 'd.ts' });
    await run('5', 'delete_file', { path: 'c.ts' });
    const { undone, kept } = await journal.undo(['1', '2', '3', '4', '5'], signal);
    assert.deepEqual([undone.length, kept.length], [5, 0]);
    assert.deepEqual(disk(), before);
  });

  it('brings files back in the encoding that they had', async () => {
    const before = {
      'a.ts': Uint8Array.of(0xe4, 0x0a, 0x6f, 0x6e, 0x65),
      'b.ts': Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa4),
    };
    const { journal, run, disk, workspace } = journalOver(before, 'windows1252');
    await run('1', 'edit_file', edit('one', 'two'));
    await run('2', 'delete_file', { path: 'a.ts' });
    await run('3', 'delete_file', { path: 'b.ts' });
    assert.equal(workspace.files.size, 0);
    const { kept } = await journal.undo(['1', '2', '3'], signal);
    assert.deepEqual([kept, disk()], [[], before]);
  });

  it('brings no file back that would not be the same: the trash has it', async () => {
    const { journal, run } = journalOver({ 'a.ts': Uint8Array.of(0xe4, 0x0a) });
    await run('1', 'delete_file', { path: 'a.ts' });
    const { undone, kept } = await journal.undo(['1'], signal);
    assert.deepEqual(
      [undone.length, kept[0]?.why],
      [0, 'what was there before was not kept; look in the trash'],
    );
  });

  it('takes back only the calls that it is asked for, and each once', async () => {
    const { journal, run, disk } = journalOver({ 'a.ts': 'one' });
    await run('1', 'edit_file', edit('one', 'two'));
    await run('2', 'create_file', { path: 'new.ts', content: 'x' });
    await journal.undo(['2'], signal);
    assert.deepEqual(disk(), { 'a.ts': 'two' });
    assert.deepEqual(
      (await journal.changesOf(['1', '2'])).map(({ callId }) => callId),
      ['1'],
    );
  });

  it('keeps what somebody else wrote since, and says so', async () => {
    const { workspace, journal, run, disk } = journalOver({ 'a.ts': 'one' });
    await run('1', 'edit_file', edit('one', 'two'));
    workspace.files.set('/work/app/a.ts', 'two and mine');
    const { kept } = await journal.undo(['1'], signal);
    assert.deepEqual(
      kept.map(({ why }) => why),
      ['it has changed'],
    );
    assert.deepEqual(disk(), { 'a.ts': 'two and mine' });
  });

  it('deletes no file that was created and then written by somebody else', async () => {
    const { workspace, journal, run, disk } = journalOver({});
    await run('1', 'create_file', { path: 'new.ts', content: 'x' });
    workspace.files.set('/work/app/new.ts', 'x and mine');
    const { kept } = await journal.undo(['1'], signal);
    assert.deepEqual(
      kept.map(({ why }) => why),
      ['it has changed since'],
    );
    assert.deepEqual(disk(), { 'new.ts': 'x and mine' });
  });

  it('C4: keeps the newest changes, of which all texts together have at most 50 million characters', async () => {
    const { journal, workspace } = journalOver({});
    const [folder] = workspace.folders();
    assert.ok(folder);
    const record = (callId: string, beforeLength: number, afterLength: number): void => {
      const [before, after] = ['x'.repeat(beforeLength), 'y'.repeat(afterLength)];
      const place = { folder, path: 'a.ts' };
      const change = { kind: 'edit', place, before, after, encoding: 'utf8' } as const;
      journal.record({ callId, change, before, after, encoding: 'utf8' });
    };
    const kept = async () => (await journal.changesOf(['1', '2', '3'])).map(({ callId }) => callId);
    record('1', 20_000_000, 10_000_000);
    record('2', 5_000_000, 15_000_000);
    assert.deepEqual(await kept(), ['1', '2']);
    record('3', 0, 1);
    assert.deepEqual(await kept(), ['2', '3']);
  });
});
