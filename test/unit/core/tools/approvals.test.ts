import assert from 'node:assert/strict';
import { createApprovals } from '../../../../src/core/tools/approvals';
import type { PermissionMode, PermissionRule } from '../../../../src/core/tools/permissions';
import type { ToolOutput } from '../../../../src/core/tools/tool';
import type { Confirmation } from '../../../../src/core/tools/workspaceTool';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

const { signal } = new AbortController();
const turn = { id: 'turn', words: '', read: () => [] };

/** VS Code's part: it shows the confirmation, and then lets the call through, whether somebody clicked or not. */
function gateOver(options: InMemoryOptions, answer = true, whileAsked = (): void => undefined) {
  const workspace = createInMemoryWorkspace(options);
  const harness = createToolHarness(workspace);
  const asked: Confirmation[] = [];
  const approvals = createApprovals({ ownNames: harness.all.map((tool) => tool.name) });
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
      approvals.showing(name, input, { in: 'card', confirmation });
    },
    run: (name: string, input: object) =>
      approvals.run(
        {
          ...{ tool: harness.tool(name), call: { id: 'call', name, input } },
          ...{ turn, permissions: { mode: 'ask', rules: [] }, ask },
        },
        signal,
      ),
  };
}

/** The same with what the person has allowed before, for a turn of ours or another chat: first the line or the card, then the run. */
function turnWith(
  options: InMemoryOptions,
  permissions: { mode?: PermissionMode; rules?: readonly PermissionRule[] },
  { answer = true, isOurs = true } = {},
) {
  const workspace = createInMemoryWorkspace(options);
  const harness = createToolHarness(workspace);
  const approvals = createApprovals({ ownNames: harness.all.map((tool) => tool.name) });
  const cards: string[] = [];
  const current: { mode: PermissionMode; rules: readonly PermissionRule[] } = {
    mode: permissions.mode ?? 'ask',
    rules: permissions.rules ?? [],
  };
  return {
    workspace,
    /** The titles of all questions: in VS Code's cards and our own. */
    cards,
    current,
    call: async (name: string, input: object, between = (): void => undefined) => {
      const tool = harness.tool(name);
      const prepared = await harness.prepare(name, input);
      const { decision, confirmation } = approvals.judge(
        { tool, input, isOurs, permissions: current },
        prepared,
      );
      if (confirmation && decision.type === 'allow')
        approvals.showing(name, input, { in: 'line', confirmation });
      if (confirmation?.canBeAutoApproved && decision.type === 'ask') {
        cards.push(confirmation.title);
        approvals.showing(name, input, { in: 'card', confirmation });
      }
      between();
      const ask = async ({ title }: Confirmation) => {
        cards.push(title);
        return answer;
      };
      const call = { id: 'call', name, input };
      const asker = isOurs ? turn : undefined;
      return approvals.run({ tool, call, turn: asker, permissions: current, ask }, signal);
    },
  };
}

function said({ content }: ToolOutput): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
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

describe('approvals with permissions', () => {
  const onlyInSrc: readonly PermissionRule[] = [{ tool: '*', path: 'src/**', decision: 'allow' }];
  const byRule = { by: 'rule', rule: 1, tool: '*', path: 'src/**' } as const;

  it('R1, R4: run an edit, a new file and a rename in edits mode unasked, and say why', async () => {
    const { workspace, cards, call } = turnWith({ files: { 'a.ts': 'one' } }, { mode: 'edits' });
    const outputs = [
      await call('edit_file', edit),
      await call('create_file', { path: 'b.ts', content: 'x' }),
      await call('rename_file', { from: 'b.ts', to: 'c.ts' }),
    ];
    assert.deepEqual(cards, []);
    assert.deepEqual(
      outputs.map(({ unasked }) => unasked),
      outputs.map(() => ({ because: { by: 'edits' }, isShown: true })),
    );
    assert.deepEqual(
      ['a.ts', 'c.ts'].map((path) => workspace.text(path)),
      ['two', 'x'],
    );
  });

  it('R3: ask about deletions, secrets and places that run code, whatever is allowed', async () => {
    const everything: readonly PermissionRule[] = [{ tool: '*', decision: 'allow' }];
    for (const permissions of [{ mode: 'edits' }, { rules: everything }] as const) {
      const files = {
        'a.ts': 'one',
        '.env': 'KEY=1',
        'pkg/package.json': '{}',
        'home/.config/Code/User/x': '',
      };
      const { cards, call } = turnWith({ files }, permissions, { answer: false });
      const outputs = [
        await call('delete_file', { path: 'a.ts' }),
        await call('read_file', { path: '.env' }),
        await call('rename_file', { from: '.env', to: 'notes.txt' }),
        await call('create_file', { path: '.vscode/settings.json', content: '{}' }),
        await call('create_file', { path: '.vscode/mcp.json', content: '{}' }),
        await call('create_file', { path: 'home/.config/Code/User/settings.json', content: '{}' }),
        await call('rename_file', { from: 'pkg', to: 'lib' }),
      ];
      assert.equal(cards.length, outputs.length);
      assert.ok(outputs.every(({ isError, unasked }) => isError === true && unasked === undefined));
    }
  });

  it('R3: write nothing in a workspace that is not trusted, whatever is allowed', async () => {
    const { workspace, cards, call } = turnWith({ files: { 'a.ts': 'one' } }, { mode: 'edits' });
    workspace.trusted = false;
    await assert.rejects(call('edit_file', edit), /has not trusted/);
    assert.deepEqual(cards, []);
  });

  it('R1: refuse all that has side effects in readOnly, without a question', async () => {
    const files = { 'a.ts': 'one', '.env': 'KEY=1' };
    const { workspace, cards, call } = turnWith({ files }, { mode: 'readOnly', rules: onlyInSrc });
    for (const output of [
      await call('edit_file', edit),
      await call('create_file', { path: 'src/b.ts', content: 'x' }),
      await call('delete_file', { path: 'a.ts' }),
    ]) {
      assert.match(said(output), /permissionMode to readOnly/);
      assert.equal(output.isError, true);
    }
    assert.deepEqual(cards, []);
    assert.equal((await call('read_file', { path: 'a.ts' })).isError, undefined);
    assert.equal(workspace.text('a.ts'), 'one');
  });

  it('R2: refuse what a rule denies, and ask where one asks, also about reading', async () => {
    const { cards, call } = turnWith(
      { files: { 'private/a.ts': 'one', 'b.ts': 'two' } },
      {
        rules: [
          { tool: '*', path: 'private/**', decision: 'deny' },
          { tool: 'read_file', decision: 'ask' },
        ],
      },
    );
    const denied = await call('read_file', { path: 'private/a.ts' });
    assert.match(said(denied), /rule 1 of the person's assistant\.permissions/);
    assert.equal(denied.isError, true);
    assert.deepEqual(cards, []);
    assert.match(said(await call('read_file', { path: 'b.ts' })), /two/);
    assert.deepEqual(cards, ['Let Claude use Read File?']);
  });

  it('R1, R2: for other chats refuse and ask what they refuse and ask for ours, and let nothing run unasked', async () => {
    const files = { 'src/a.ts': 'one', 'lib/a.ts': 'one' };
    const inSrc = { ...edit, path: 'src/a.ts' };
    const inOther = (permissions: Parameters<typeof turnWith>[1]) =>
      turnWith({ files }, permissions, { isOurs: false });

    for (const permissions of [{ mode: 'edits' } as const, { rules: onlyInSrc }]) {
      const { cards, call } = inOther(permissions);
      assert.equal((await call('edit_file', inSrc)).unasked, undefined);
      assert.equal(cards.length, 1);
    }
    const readOnly = inOther({ mode: 'readOnly' });
    assert.match(said(await readOnly.call('edit_file', inSrc)), /permissionMode to readOnly/);
    const ruled = inOther({
      rules: [
        { tool: 'edit_file', decision: 'deny' },
        { tool: 'read_file', decision: 'ask' },
      ],
    });
    assert.match(said(await ruled.call('edit_file', inSrc)), /rule 1 of the person/);
    await ruled.call('read_file', { path: 'lib/a.ts' });
    assert.deepEqual([readOnly.cards.length, ruled.cards.length], [0, 1]);
    assert.deepEqual([readOnly.workspace.text('src/a.ts'), ruled.workspace.text('src/a.ts')], ['one', 'one']);
  });

  it('R2: let no folder out of what is denied by moving or deleting the one around it', async () => {
    const { workspace, call } = turnWith(
      { files: { 'src/private/a.ts': 'one', 'src/b.ts': 'two' } },
      { mode: 'edits', rules: [{ tool: '*', path: 'src/private/**', decision: 'deny' }] },
    );
    for (const output of [
      await call('rename_file', { from: 'src', to: 'lib' }),
      await call('delete_file', { path: 'src' }),
    ]) {
      assert.match(said(output), /rule 1/);
    }
    assert.equal(workspace.text('src/private/a.ts'), 'one');
  });

  it('R2: ask about a rename from an allowed place into another one', async () => {
    const { cards, call } = turnWith({ files: { 'src/a.ts': 'one' } }, { rules: onlyInSrc });
    assert.deepEqual((await call('rename_file', { from: 'src/a.ts', to: 'src/b.ts' })).unasked, {
      because: byRule,
      isShown: true,
    });
    assert.deepEqual(cards, []);
    await call('rename_file', { from: 'src/b.ts', to: 'scripts/b.ts' });
    assert.deepEqual(cards, ['Rename src/b.ts → scripts/b.ts?']);
  });

  it('R2: ask about a link from an allowed place into another one', async () => {
    const files = { 'src/a.ts': { link: '../scripts/a.ts' }, 'scripts/a.ts': 'one' };
    const { workspace, cards, call } = turnWith({ files }, { rules: onlyInSrc }, { answer: false });
    await call('edit_file', { ...edit, path: 'src/a.ts' });
    assert.equal(cards.length, 1);
    await call('create_file', { path: 'src/../scripts/b.ts', content: 'x' });
    assert.deepEqual(cards.slice(1), ['Create scripts/b.ts?']);
    assert.ok(workspace.text('scripts/a.ts'));
  });

  for (const permissions of [{ mode: 'edits' }, { rules: onlyInSrc }] as const) {
    const name = 'mode' in permissions ? 'edits mode' : 'a rule';
    it(`A14, R4: ask when a file that ${name} allowed became a link before the write`, async () => {
      const files = { 'src/a.ts': 'one', 'scripts/a.ts': 'one' };
      const { workspace, cards, call } = turnWith({ files }, permissions, { answer: false });
      const output = await call('edit_file', { ...edit, path: 'src/a.ts' }, () => {
        workspace.files.set('/work/app/src/a.ts', { link: '../scripts/a.ts' });
      });
      assert.deepEqual(cards, ['Edit scripts/a.ts?']);
      assert.deepEqual([output.isError, workspace.text('scripts/a.ts')], [true, 'one']);
    });
  }

  it('A14: refuse when a file that edits mode allowed became a link out of the workspace', async () => {
    const files = { 'a.ts': 'one', '/etc/hosts': 'one' };
    const { workspace, call } = turnWith({ files }, { mode: 'edits' });
    await assert.rejects(
      call('edit_file', edit, () => workspace.files.set('/work/app/a.ts', { link: '/etc/hosts' })),
      /a link that leaves the workspace/,
    );
    assert.equal(workspace.text('/etc/hosts'), 'one');
  });

  it('R5: decide again at the run: one question where the mode was changed in between, and none after a card', async () => {
    const files = { 'a.ts': 'one', 'b.ts': 'one' };
    const { cards, current, call } = turnWith({ files }, { mode: 'edits' });
    assert.equal((await call('edit_file', edit, () => (current.mode = 'ask'))).unasked, undefined);
    assert.deepEqual(cards, ['Edit a.ts?']);
    const allowedMeanwhile = () => (current.mode = 'edits');
    assert.equal((await call('edit_file', { ...edit, path: 'b.ts' }, allowedMeanwhile)).isError, undefined);
    assert.deepEqual(cards, ['Edit a.ts?', 'Edit b.ts?']);
    const refusedMeanwhile = () => (current.mode = 'readOnly');
    const output = await call('create_file', { path: 'c.ts', content: 'x' }, refusedMeanwhile);
    assert.match(said(output), /readOnly/);
  });
});
