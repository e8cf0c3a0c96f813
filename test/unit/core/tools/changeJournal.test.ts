import assert from 'node:assert/strict';
import { createChangeJournal } from '../../../../src/core/tools/changeJournal';
import { createSecretFilesReader } from '../../../../src/core/tools/paths/secretFiles';
import { createToolset } from '../../../../src/core/tools/toolset';
import { createInMemoryWorkspace } from '../../../support/inMemoryWorkspace';

const { signal } = new AbortController();

function journalOver(files: Readonly<Record<string, string>>) {
  const workspace = createInMemoryWorkspace({ files });
  const journal = createChangeJournal(workspace);
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

  it('finds a change under the id of the call that it ran for', async () => {
    const { journal, run } = journalOver({ 'a.ts': 'one' });
    await run('run-7', 'edit_file', edit('one', 'two'));
    journal.assign({ runId: 'run-7', callId: 'toolu_1' });
    assert.equal((await journal.changesOf(['toolu_1'])).length, 1);
    assert.equal((await journal.changesOf(['run-7'])).length, 0);
  });
});
