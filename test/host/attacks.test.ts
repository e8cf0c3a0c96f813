import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { approvalSettings } from '../../src/core/tools/approvalSettings';
import { until } from '../support/until';

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
      `src/../../${basename(outside)}/key`,
    ]) {
      await refusal('read_file', { path });
      await refusal('create_file', { path, content: 'x' });
    }
    assert.deepEqual(readdirSync(outside), ['key']);
  });

  it('A11: take no folder beside the workspace for a part of it because its name begins alike', async () => {
    await refusal('read_file', { path: `../${basename(outside)}/key` });
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

  it('A12, A13, A29: follow no link out of the workspace because a glob begins with it', async () => {
    const refused = /a link that leaves the workspace/;
    for (const glob of [
      'folder/*',
      'folder/**',
      './folder/key',
      '/folder/k*',
      'folder/./*',
      'folder/{key,x}',
    ]) {
      assert.match(await refusal('search_text', { pattern: 'key', include: glob }), refused, glob);
      assert.match(await refusal('find_files', { pattern: glob }), refused, glob);
    }
    // Where the beginning is not fixed, nothing is followed.
    for (const glob of ['{folder,src}/*', 'fol*/*', '**/key', 'link', '[f]older/key', '{folder/key,x}']) {
      const input = { pattern: secret, literal: true, include: glob, include_ignored: true };
      assert.match(await invoke('search_text', input), /^No match/, glob);
      const found = await invoke('find_files', { pattern: glob, include_ignored: true });
      assert.doesNotMatch(found, /key$|^link$/m, glob);
    }
    assert.match(await refusal('search_text', { pattern: 'key', path: 'folder' }), refused);
    assert.match(await refusal('find_files', { pattern: '*', path: 'folder' }), refused);
  });

  it('A29, S4: search no secrets that a harmless name links to', async () => {
    await mkdir(join(root, 'keys/.ssh'), { recursive: true });
    await writeFile(join(root, 'keys/.ssh/notes'), 'PRIVATE MATERIAL\n');
    await symlink('keys/.ssh', join(root, 'harmless'));
    try {
      for (const where of [{ include: 'harmless/*' }, { path: 'harmless' }, { include: 'keys/.ssh/*' }]) {
        assert.match(await refusal('search_text', { pattern: 'MATERIAL', ...where }), /holds secrets/);
      }
      assert.match(await invoke('search_text', { pattern: 'MATERIAL', include: 'keys/**' }), /^No match/);
      assert.match(await invoke('search_text', { pattern: 'MATERIAL' }), /^No match/);
    } finally {
      await rm(join(root, 'harmless'));
      await rm(join(root, 'keys'), { recursive: true });
    }
  });

  it('A29: rename nothing onto a link, and nothing behind one', async () => {
    await writeFile(join(root, 'plain.txt'), 'plain\n');
    await symlink('nowhere', join(root, 'loose'));
    for (const to of ['dangling', 'link', 'loose', 'folder/plain.txt', 'folder']) {
      await refusal('rename_file', { from: 'plain.txt', to });
    }
    for (const name of ['plain.txt', 'loose']) await rm(join(root, name));
    assert.deepEqual(readdirSync(outside), ['key']);
  });

  it('A12: show no problems and no symbols of what lies behind a link', async () => {
    const behind = vscode.Uri.file(join(root, 'folder/key'));
    const here = vscode.Uri.file(join(root, 'README.md'));
    const line = new vscode.Range(0, 0, 0, 3);
    const problems = vscode.languages.createDiagnosticCollection('attack');
    problems.set(behind, [new vscode.Diagnostic(line, `unknown word: ${secret}`)]);
    problems.set(here, [new vscode.Diagnostic(line, 'a problem of ours')]);
    const symbols = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () =>
        [behind, here].map(
          (uri) =>
            new vscode.SymbolInformation(
              uri === behind ? `attack ${secret}` : 'attack ours',
              vscode.SymbolKind.Key,
              '',
              new vscode.Location(uri, line),
            ),
        ),
    });
    try {
      const shown = [
        await invoke('get_diagnostics', {}),
        await invoke('get_diagnostics', { path: '.' }),
        await invoke('get_symbols', { query: 'attack' }),
      ];
      for (const text of shown) {
        assert.match(text, /README\.md:1.*ours/);
        assert.doesNotMatch(text, new RegExp(secret));
      }
      await refusal('get_diagnostics', { path: 'folder/key' });
      await refusal('get_symbols', { path: 'folder/key' });
      await refusal('get_changes', { path: 'folder' });
    } finally {
      problems.dispose();
      symbols.dispose();
    }
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

  it('A2: know every setting of VS Code by which a workspace could have tools run unasked', () => {
    const chat = vscode.workspace.getConfiguration('chat');
    const telling = /approv|permission|sandbox|autopilot|autoReply/i;
    const judged = [...approvalSettings.map(({ name }) => name), ...notForWorkspaces];
    const unknown = pathsIn(chat, 'chat')
      .filter((path) => telling.test(path))
      .filter((path) => !judged.some((name) => path === name || path.startsWith(`${name}.`)));
    assert.deepEqual(unknown, [], 'say in core/tools/approvalSettings.ts, or below, what they mean for us');
  });

  const configuration = () => vscode.workspace.getConfiguration('assistant');
  const set = async (values: Readonly<Record<'permissionMode' | 'permissions', unknown>>) => {
    for (const [name, value] of Object.entries(values)) {
      await configuration().update(name, value, vscode.ConfigurationTarget.Global);
    }
  };
  const unset = () => set({ permissionMode: undefined, permissions: undefined });

  it('A2, R1, R2: take neither mode nor rules from a workspace', async () => {
    const settings = vscode.Uri.joinPath(vscode.Uri.file(root), '.vscode/settings.json');
    const rules = [{ tool: '*', decision: 'allow' }];
    const written = { 'assistant.permissionMode': 'edits', 'assistant.permissions': rules };
    const title = () => vscode.workspace.getConfiguration().inspect('window.title')?.workspaceValue;
    await vscode.workspace.fs.writeFile(
      settings,
      Buffer.from(JSON.stringify({ 'window.title': 'read', ...written })),
    );
    try {
      await until(() => title() === 'read');
      assert.equal(configuration().get('permissionMode'), 'ask');
      assert.deepEqual(configuration().get('permissions'), []);
      const { Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
      for (const target of [Workspace, WorkspaceFolder]) {
        await assert.rejects(async () => configuration().update('permissionMode', 'edits', target));
      }
    } finally {
      await vscode.workspace.fs.delete(settings);
      await until(() => title() === undefined);
    }
  });

  it('R3: ask about places that run code and secrets, and follow no link out, whatever is allowed', async () => {
    await set({ permissionMode: 'edits', permissions: [{ tool: '*', decision: 'allow' }] });
    try {
      for (const path of ['.vscode/settings.json', '.vscode/mcp.json', 'folder/new.txt', '../new.txt']) {
        await refusal('create_file', { path, content: '{}' });
      }
      await refusal('delete_file', { path: 'README.md' });
      assert.ok(existsSync(join(root, 'README.md')));
      assert.deepEqual(readdirSync(outside), ['key']);
    } finally {
      await unset();
    }
  });

  it('R1, R2, R5: refuse other chats, too, what is denied, and leave what is allowed to the cards of VS Code', async () => {
    const file = { path: 'theirs.txt', content: 'x' };
    try {
      await set({ permissionMode: 'readOnly', permissions: [] });
      assert.match(await refusal('create_file', file), /permissionMode to readOnly/);
      await set({ permissionMode: 'ask', permissions: [{ tool: '*', path: 'theirs.*', decision: 'deny' }] });
      assert.match(await refusal('create_file', file), /rule 1 of the person's assistant\.permissions/);
      assert.ok(!existsSync(join(root, file.path)));
      await set({ permissionMode: 'edits', permissions: [] });
      await invoke('create_file', file);
      assert.ok(existsSync(join(root, file.path)));
      await rm(join(root, file.path));
    } finally {
      await unset();
    }
  });

  it('A2: see what a workspace sets, also in a section', async () => {
    const settings = vscode.Uri.joinPath(vscode.Uri.file(root), '.vscode/settings.json');
    const seen = (name: string) => vscode.workspace.getConfiguration().inspect(name)?.workspaceValue;
    await vscode.workspace.fs.writeFile(
      settings,
      Buffer.from('{"chat.permissions.default": "autopilot", "chat.agent.sandbox.enabled": "on"}'),
    );
    await until(() => seen('chat.permissions.default') === 'autopilot');
    assert.deepEqual(seen('chat.agent.sandbox'), { enabled: 'on' });
    await vscode.workspace.fs.delete(settings);
    await until(() => seen('chat.permissions.default') === undefined);
  });

  it('A2: see which MCP servers a workspace starts, and how', async () => {
    const file = vscode.Uri.joinPath(vscode.Uri.file(root), '.vscode/mcp.json');
    const seen = () => vscode.workspace.getConfiguration().inspect<object>('mcp')?.workspaceValue;
    const servers = { x: { command: 'y', sandboxEnabled: true } };
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(`{ /* as people write it */ "servers": ${JSON.stringify(servers)} }`),
    );
    await until(() => isDeepStrictEqual(seen(), { servers }));
    await vscode.workspace.fs.delete(file);
    // Without the file VS Code says that it is empty.
    await until(() => isDeepStrictEqual(seen(), {}));
  });

  // Elsewhere the system does not say who listens.
  if (process.platform === 'linux') {
    it('A27: listen on no port', () => assert.deepEqual(listeningPorts(), []));
  }
});

/** Settings that sound alike, and why they are no door: a workspace cannot set them, or they are not about our chats. */
const notForWorkspaces = [
  // VS Code takes these from the person only.
  'chat.tools.global.autoApprove',
  'chat.autoReply',
  // About tools that we do not offer.
  'chat.tools.edits.autoApprove',
  'chat.tools.urls.autoApprove',
  // Can only make VS Code ask more often.
  'chat.autopilot.advanced.enabled',
  // About agents that are no chat participants.
  'chat.agentHost.sdkSandbox',
  'chat.defaultConfiguration.approvals',
  // What is offered to the person to choose.
  'chat.experimental.permissionsSandboxToggle.enabled',
  'chat.experimentalModePermissionsPicker',
  'chat.approvedAccountOrganizations',
];

/** All that is set below a section, as dotted names. */
function pathsIn(value: unknown, path: string): readonly string[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return parts.length === 0
    ? [path]
    : parts.flatMap(([name, part]: [string, unknown]) => pathsIn(part, `${path}.${name}`));
}

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
