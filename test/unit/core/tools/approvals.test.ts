import assert from 'node:assert/strict';
import { createApprovals } from '../../../../src/core/tools/approvals';
import type { Confirmation } from '../../../../src/core/tools/workspaceTool';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

const { signal } = new AbortController();

/** VS Code's part: it shows the confirmation, and then lets the call through, whether somebody clicked or not. */
function gateOver(options: InMemoryOptions, answer = true, whileAsked = (): void => undefined) {
  const workspace = createInMemoryWorkspace(options);
  const harness = createToolHarness(workspace);
  const asked: Confirmation[] = [];
  const approvals = createApprovals();
  const ask = async (confirmation: Confirmation) => {
    asked.push(confirmation);
    whileAsked();
    return answer;
  };
  return {
    workspace,
    asked,
    show: async (name: string, input: object) => {
      const { confirmation } = await harness.prepare(name, input);
      assert.ok(confirmation);
      approvals.showing(name, input, confirmation);
    },
    run: (name: string, input: object) =>
      approvals.run(
        { tool: harness.tool(name), call: { id: 'call', name, input }, turnId: 'turn', ask },
        signal,
      ),
  };
}

const edit = { path: 'a.ts', edits: [{ old_text: 'one', new_text: 'two' }] };

describe('approvals', () => {
  it('S2: run what the person was shown, without asking twice', async () => {
    const { workspace, asked, show, run } = gateOver({ files: { 'a.ts': 'one' } });
    await show('edit_file', edit);
    await run('edit_file', edit);
    assert.equal(workspace.text('a.ts'), 'two');
    assert.deepEqual(asked, []);
  });

  it('refuse an input that does not fit the tool, before anybody is asked', async () => {
    const { asked, run } = gateOver({ files: { 'a.ts': 'one' } });
    await assert.rejects(
      run('edit_file', { path: 'a.ts' }),
      /The input of edit_file is not valid: .*"edits"/,
    );
    assert.deepEqual(asked, []);
  });

  it('A14: refuse when a link was put in the place of the file between approval and write', async () => {
    const { workspace, show, run } = gateOver({
      files: { 'a.ts': 'one', 'package.json': 'one', '/etc/hosts': 'one' },
    });
    await show('edit_file', edit);
    workspace.files.set('/work/app/a.ts', { link: 'package.json' });
    await assert.rejects(
      run('edit_file', edit),
      /has changed since the person was asked, so nothing was done/,
    );
    await show('edit_file', edit);
    workspace.files.set('/work/app/a.ts', { link: '/etc/hosts' });
    await assert.rejects(run('edit_file', edit), /a link that leaves the workspace/);
    assert.deepEqual([workspace.text('package.json'), workspace.text('/etc/hosts')], ['one', 'one']);
  });

  it('A14: refuse when the text changed between approval and write', async () => {
    const { workspace, show, run } = gateOver({ files: { 'a.ts': 'one' } });
    await show('edit_file', edit);
    workspace.files.set('/work/app/a.ts', 'rm -rf one');
    await assert.rejects(run('edit_file', edit), /nothing was done/);
    assert.equal(workspace.text('a.ts'), 'rm -rf one');
  });

  it('A15, S5: ask each time about a protected place, whatever VS Code remembers', async () => {
    const settings = { path: '.vscode/settings.json', content: '{}' };
    const { workspace, asked, show, run } = gateOver({}, false);
    await show('create_file', settings);
    assert.equal((await run('create_file', settings)).isError, true);
    assert.equal(asked.length, 1);
    assert.match(asked[0]?.summary ?? '', /^\.vscode\/settings\.json: it changes how the editor behaves/);
    assert.equal(workspace.text('.vscode/settings.json'), undefined);
  });

  it('A14: refuse when the file changed while the person looked at the question', async () => {
    const path = '.vscode/settings.json';
    const { workspace, run } = gateOver({ files: { [path]: 'one' } }, true, () =>
      workspace.files.set(`/work/app/${path}`, 'one, and more'),
    );
    await assert.rejects(run('edit_file', { ...edit, path }), /nothing was done/);
    assert.equal(workspace.text(path), 'one, and more');
  });

  it('A15: write a protected place once the person agreed', async () => {
    const settings = { path: '.vscode/settings.json', content: '{}' };
    const { workspace, show, run } = gateOver({});
    await show('create_file', settings);
    await run('create_file', settings);
    assert.equal(workspace.text('.vscode/settings.json'), '{}');
  });

  it('show the effect of an input that the person changed in the question', async () => {
    const { workspace, asked, show, run } = gateOver({ files: { 'a.ts': 'one' } });
    await show('edit_file', edit);
    await run('edit_file', { path: 'a.ts', edits: [{ old_text: 'one', new_text: 'three' }] });
    assert.match(asked[0]?.message ?? '', /\+three/);
    assert.equal(workspace.text('a.ts'), 'three');
  });

  it('count an approval once', async () => {
    const { asked, show, run } = gateOver({});
    const call = { path: 'b.ts', content: 'x' };
    await show('create_file', call);
    await run('create_file', call);
    await assert.rejects(run('create_file', call), /exists already/);
    assert.deepEqual(asked, []);
  });

  it('S4: let reading an ordinary file through, and ask about every secret, whatever VS Code remembers', async () => {
    const { asked, show, run } = gateOver(
      { files: { 'a.ts': 'one', '.env.example': 'K=', id_rsa: 'KEY' } },
      false,
    );
    await run('read_file', { path: 'a.ts' });
    assert.deepEqual(asked, []);
    for (const path of ['.env.example', 'id_rsa']) {
      await show('read_file', { path });
      assert.equal((await run('read_file', { path })).isError, true);
    }
    assert.deepEqual(
      asked.map(({ title }) => title),
      ['Let Claude read .env.example?', 'Let Claude read id_rsa?'],
    );
  });
});
