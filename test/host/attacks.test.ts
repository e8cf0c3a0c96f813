import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** The tools of the real bundle, called as any chat calls them, on a real disk. Nobody is there to agree to anything. */
describe('attacks through the tools', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const outside = `${root}-secrets`;
  const secret = 'the key of the neighbour';

  before(async () => {
    await vscode.extensions.getExtension('claude-assistant.claude-assistant')?.activate();
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'key'), secret);
    await symlink(join(outside, 'key'), join(root, 'link'));
    await symlink(outside, join(root, 'folder'));
    await symlink(join(outside, 'not-there-yet'), join(root, 'dangling'));
  });
  after(async () => {
    for (const name of ['link', 'folder', 'dangling']) await rm(join(root, name), { force: true });
    await rm(outside, { recursive: true });
  });

  async function invoke(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }

  /** What the tool says against it; fails when it does it. */
  async function refusal(name: string, input: object): Promise<string> {
    const said = await invoke(name, input).catch((error: unknown) => error);
    assert.ok(said instanceof Error, `${name} did it: ${String(said)}`);
    assert.doesNotMatch(said.message, new RegExp(secret));
    return said.message;
  }

  const edit = { edits: [{ old_text: 'the', new_text: 'a' }] };

  it('A10: refuse every form of a path that leaves the workspace', async () => {
    for (const path of [
      '../../etc/passwd',
      '/etc/passwd',
      '~/.ssh/id_rsa',
      'file:///etc/passwd',
      '\\\\server\\share\\x',
      '\\\\?\\C:\\Windows\\win.ini',
      'src/\0/../../../etc/passwd',
      '%2e%2e/%2e%2e/etc/passwd',
      'src/../../attacks-secrets/key',
    ]) {
      await refusal('read_file', { path });
      await refusal('create_file', { path, content: 'x' });
    }
    assert.deepEqual(readdirSync(outside), ['key']);
  });

  it('A11: take no folder beside the workspace for a part of it because its name begins alike', async () => {
    await refusal('read_file', { path: '../attacks-secrets/key' });
    await refusal('read_file', { path: join(outside, 'key') });
  });

  it('A12: refuse a link to a file outside in the same way to read, search, list and edit', async () => {
    assert.match(await refusal('read_file', { path: 'link' }), /a link that leaves the workspace/);
    assert.match(await refusal('edit_file', { path: 'link', ...edit }), /a link that leaves the workspace/);
    assert.match(await refusal('search_text', { pattern: 'key', path: 'link' }), /a link that leaves/);
    assert.match(await refusal('list_directory', { path: 'folder' }), /a link that leaves the workspace/);
    assert.doesNotMatch(await invoke('search_text', { pattern: 'key of the' }), new RegExp(secret));
    assert.match(await invoke('list_directory', {}), /link → \[a link that leaves the workspace\]/);
  });

  it('A13: write through no link to a folder outside, and create no target of a dangling one', async () => {
    await refusal('create_file', { path: 'folder/new.txt', content: 'x' });
    await refusal('edit_file', { path: 'folder/key', ...edit });
    await refusal('create_file', { path: 'dangling', content: 'x' });
    await refusal('rename_file', { from: 'README.md', to: 'folder/README.md' });
    assert.deepEqual([readdirSync(outside), readFileSync(join(outside, 'key'), 'utf8')], [['key'], secret]);
  });

  for (const path of [
    '.vscode/settings.json',
    '.vscode/launch.json',
    '.vscode/mcp.json',
    'app.code-workspace',
    '.git/hooks/pre-commit',
    '.git/config',
    '.husky/pre-push',
    '.devcontainer/devcontainer.json',
    '.github/workflows/ci.yml',
    'AGENTS.md',
    'CLAUDE.md',
    '.VSCODE/Settings.JSON',
    '.vscode./settings.json',
    'src/../.vscode/tasks.json',
    'src/.vscode/settings.json',
  ]) {
    it(`A15, A16, A17: do not create ${path} without the person’s own word`, async () => {
      await refusal('create_file', { path, content: '{}' });
      assert.equal(existsSync(join(root, path)), false);
    });
  }

  it('A16: do not change the scripts of package.json without the person’s own word', async () => {
    const file = join(root, 'package.json');
    const before = '{ "scripts": { "test": "mocha" } }\n';
    await writeFile(file, before);
    await refusal('edit_file', { path: 'package.json', edits: [{ old_text: 'mocha', new_text: 'sh evil' }] });
    assert.equal(readFileSync(file, 'utf8'), before);
    await rm(file);
    // The check above can fail: elsewhere VS Code's own question, which this host answers with yes, is enough.
    await invoke('edit_file', { path: 'README.md', edits: [{ old_text: 'out', new_text: 'away' }] });
    assert.match(readFileSync(join(root, 'README.md'), 'utf8'), /get away/);
  });

  it('A18: list secrets by name, and show nothing of them in a search', async () => {
    for (const name of ['.env', 'id_rsa', 'credentials.json']) {
      await writeFile(join(root, name), 'PASSWORD=hunter2\n');
    }
    assert.match(await invoke('list_directory', {}), /^\.env$/m);
    assert.doesNotMatch(await invoke('search_text', { pattern: 'hunter2' }), /hunter2\n|PASSWORD/);
    for (const name of ['.env', 'id_rsa', 'credentials.json']) await rm(join(root, name));
  });

  it('A21: stop an expression that would take for ever, and stay alive', async () => {
    await writeFile(join(root, 'hard.txt'), `${'a'.repeat(60)}!\n`);
    // Ripgrep's expressions cannot run away; JavaScript's would not come back from this one.
    assert.match(await invoke('search_text', { pattern: '(a+)+$', path: 'hard.txt' }), /No match|matches/i);
    await rm(join(root, 'hard.txt'));
  });

  // Elsewhere the system does not say who listens.
  if (process.platform === 'linux') {
    it('A27: listen on no port', () => assert.deepEqual(listeningPorts(), []));
  }
});

/** The TCP ports on which this very process, the extension host, takes connections. */
function listeningPorts(): readonly number[] {
  const folder = `/proc/${process.pid}/fd`;
  const sockets = new Set(
    readdirSync(folder).flatMap((name) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(targetOf(join(folder, name))) ?? [];
      return inode === undefined ? [] : [inode];
    }),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(join(dirname(folder), 'net', table), 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === '0A' && sockets.has(inode))
      .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16)),
  );
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // It was closed in the meantime.
    return '';
  }
}
