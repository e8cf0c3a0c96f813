import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../src/core/agent/attachments';
import { readAttachments, withoutInstructionFiles } from '../../src/vscode/chat/attachments';
import { noise, png } from '../support/claude/sampleImages';
import { reply, text } from '../support/claude/script';
import { withStandIn } from '../support/claude/withStandIn';
import { pointAt } from '../support/hostSettings';
import { modelsAreThere } from '../support/modelsAreThere';
import { typeUnsaved } from '../support/typeUnsaved';

describe('what is attached, in the real VS Code', () => {
  const standIn = withStandIn();
  const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const at = (path: string) => vscode.Uri.joinPath(root, path);
  const { signal } = new AbortController();
  const put = async (path: string, content: string | Uint8Array) => {
    await writeFile(join(root.fsPath, path), content);
    return at(path);
  };

  async function read(value: unknown, rest: object = {}): Promise<Attachment> {
    const reference = { id: 'attached', value, ...rest } as vscode.ChatPromptReference;
    const [attachment] = await readAttachments([reference], (path) => path.endsWith('.env'), signal);
    assert.ok(attachment);
    return attachment;
  }

  after(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('P3: reads files, and folders by their entries', async () => {
    assert.deepEqual(await read(at('notes.txt')), {
      kind: 'text',
      name: 'notes.txt',
      text: 'Notes.\n',
      hint: 'Use read_file for the rest.',
    });
    assert.deepEqual(await read(at('src')), { kind: 'folder', name: 'src', entries: ['numbers.ts'] });
  });

  it('P3: reads a selection or a symbol as whole lines', async () => {
    const range = new vscode.Range(1, 7, 2, 5);
    assert.deepEqual(await read(new vscode.Location(at('src/numbers.ts'), range)), {
      kind: 'text',
      name: 'src/numbers.ts',
      text: 'export const two = 2;\nexport const three = 3;',
      lines: { first: 2, last: 3 },
      hint: 'Use read_file for the rest.',
    });
  });

  it('P3: reads what is open and not saved as it stands in the editor', async () => {
    const document = await vscode.workspace.openTextDocument(at('notes.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await typeUnsaved(editor, (edit) => edit.insert(new vscode.Position(0, 0), 'Unsaved. '));
    const attachment = await read(at('notes.txt'));
    assert.equal(attachment.kind === 'text' && attachment.text, 'Unsaved. Notes.\n');
  });

  it('P3: reads what is not saved also when it was opened by a link', async () => {
    await put('draft.txt', 'saved\n');
    await symlink('draft.txt', join(root.fsPath, 'alias.txt'));
    const editor = await vscode.window.showTextDocument(at('alias.txt'));
    await typeUnsaved(editor, (edit) => edit.insert(new vscode.Position(0, 0), 'typed, not '));
    for (const path of ['draft.txt', 'alias.txt']) {
      const attachment = await read(at(path));
      assert.equal(attachment.kind === 'text' && attachment.text, 'typed, not saved\n');
    }
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(at('alias.txt').fsPath);
  });

  it('P3: tells images, PDFs and other binary files by their bytes', async () => {
    const kinds = await Promise.all([
      read(await put('photo.dat', png(3, 3))),
      read(await put('manual', '%PDF-1.4\n%%EOF\n')),
      read(await put('tool.bin', new Uint8Array([1, 0, 2]))),
      read(await put('latin.txt', new Uint8Array([0x4a, 0xfc, 0x72, 0x67, 0x0a]))),
    ]);
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['image', 'pdf', 'unreadable', 'text'],
    );
  });

  it('P3: reads pasted images, problems, terminal selections and strings', async () => {
    const pasted = await read(
      { mimeType: 'image/png', data: async () => png(2, 2) },
      { name: 'Pasted Image' },
    );
    assert.deepEqual(pasted, { kind: 'image', name: 'Pasted Image', bytes: png(2, 2) });
    const problem = new vscode.Diagnostic(new vscode.Range(4, 2, 4, 5), 'Cannot find name', 0);
    assert.deepEqual(await read({ diagnostics: [[at('src/numbers.ts'), [problem]]] }), {
      kind: 'text',
      name: 'attached',
      text: 'src/numbers.ts:5:3: error: Cannot find name',
    });
    assert.deepEqual(await read('npm ERR!', { name: 'terminal' }), {
      kind: 'text',
      name: 'terminal',
      text: 'npm ERR!',
    });
    const terminal = vscode.Uri.parse('vscode-terminal:/1/2');
    const described = await read(terminal, { modelDescription: 'npm test: 1 failed' });
    assert.equal(described.kind === 'text' && described.text, 'npm test: 1 failed');
  });

  it('P3: says what cannot be read, and reads the rest', async () => {
    const references = [
      { id: 'a', value: at('gone.txt') },
      { id: 'b', value: 7 },
      { id: 'c', value: 'text' },
    ];
    const read3 = await readAttachments(references, () => false, signal);
    assert.deepEqual(
      read3.map(({ kind, name }) => [kind, name]),
      [
        ['unreadable', 'gone.txt'],
        ['unreadable', 'b'],
        ['text', 'c'],
      ],
    );
  });

  it('P3, L6: one that cannot be had does not outlast Stop', async () => {
    const stop = new AbortController();
    const value = {
      mimeType: 'image/png',
      data: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    };
    await assert.rejects(
      readAttachments([{ id: 'a', value }], () => false, stop.signal),
      { name: 'AbortError' },
    );
  });

  it('S4: a secret that was only open is left out; one that was attached is not', async () => {
    const uri = await put('prod.env', 'TOKEN=1\n');
    assert.equal((await read(uri, { id: 'vscode.implicit.file' })).kind, 'unreadable');
    assert.equal((await read(uri)).kind, 'text');
  });

  it('A12, S4: what VS Code adds by itself is no link out of the workspace and none to a secret', async () => {
    await put('prod.env', 'TOKEN=1\n');
    const link = async (name: string, target: string) => {
      await rm(join(root.fsPath, name), { force: true });
      await symlink(target, join(root.fsPath, name));
      return at(name);
    };
    const leaving = await link('style.instructions.md', '/etc/hostname');
    const covered = await link('tone.instructions.md', 'prod.env');
    const harmless = await link('words.instructions.md', 'notes.txt');
    const id = 'vscode.instructions.file';
    const kinds = await Promise.all(
      [leaving, covered, harmless].map(async (uri) => (await read(uri, { id })).kind),
    );
    assert.deepEqual(kinds, ['unreadable', 'unreadable', 'text']);
  });

  it('P3: instructions that VS Code attaches by itself are left out where the system prompt has them', () => {
    const instruction = (kind: string, value: vscode.Uri) => ({ id: `${kind}__${value.toString()}`, value });
    const kept = [
      { id: 'vscode.file', value: at('AGENTS.md') },
      instruction('vscode.instructions.file.root', vscode.Uri.file('/home/somebody/own.instructions.md')),
      instruction('vscode.instructions.file.root', at('.github/copilot-instructions.md')),
      { id: 'vscode.customizations.index', value: 'an index' },
    ];
    const twice = [
      instruction('vscode.instructions.file.root', at('AGENTS.md')),
      instruction('vscode.prompt.instructions.root', at('CLAUDE.md')),
    ];
    assert.deepEqual(withoutInstructionFiles([...twice, ...kept]), kept);
  });

  it('P3, F15: a turn goes on with the rest when an image is broken, and one of 12 MB is scaled down', async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
    standIn.script(reply(text('I see two images.')), reply(text('Still fine.')));
    const attachFiles = [
      // Under other names: VS Code would drop attached image files of a remote machine by itself.
      await put('broken.dat', png(40, 30).subarray(0, 40)),
      await put('large.dat', noise(2000, 2000)),
      await put('good.dat', png(40, 30)),
      at('src/numbers.ts'),
    ];
    const ask = (query: string, more: object = {}) =>
      vscode.commands.executeCommand('workbench.action.chat.open', {
        query,
        blockOnResponse: true,
        ...more,
      });
    await ask('@assistant what is this', { attachFiles });
    const { messages } = standIn.journal.messages[0]!.body as { messages: { content: object[] }[] };
    const sent = messages[0]!.content.map((block) => ('text' in block ? String(block.text) : 'image'));
    // VS Code 1.110 cannot scale it, so that it is left out.
    const isScaled = (await vscode.commands.getCommands()).includes('_chat.resizeImage');
    assert.equal(sent.filter((part) => part === 'image').length, isScaled ? 2 : 1);
    assert.equal(
      /left out: large\.dat: it is too large \(11\.\d MB, at most 7\.5 MB\)/.test(sent.join('\n')),
      !isScaled,
    );
    assert.match(sent.join('\n'), /left out: broken\.dat: it is not a complete PNG/);
    assert.ok(standIn.journal.messages[0]!.bodyText.length < 10 * 1024 * 1024);
    assert.match(sent.join('\n'), /<attachment name="src\/numbers\.ts">\nexport const one/);
    await ask('@assistant and now');
    assert.match(standIn.journal.messages[1]!.bodyText, /\[Image sent: photo\]/);
  });

  it('P3, P7: a message that repeats one that failed, as Retry below it does, takes its attachments along', async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    // An empty answer is a failure that offers to retry.
    standIn.script(reply(), reply(), reply(text('One, two, three.')), reply(text('No.')));
    const ask = (words: string, more: object = {}) =>
      vscode.commands.executeCommand('workbench.action.chat.open', {
        query: `@assistant ${words}`,
        blockOnResponse: true,
        ...more,
      });
    const attached = () =>
      /<attachment name=\\"src\/numbers\.ts\\">/.test(standIn.journal.messages.at(-1)!.bodyText);
    await ask('count them', { attachFiles: [at('src/numbers.ts')] });
    assert.ok(attached());
    await ask('count them');
    assert.ok(attached(), 'the first Retry');
    await ask('count them');
    assert.ok(attached(), 'the second one');
    const before = standIn.journal.messages.at(-1)!.bodyText;
    await ask('count them');
    const [, ...later] = standIn.journal.messages.at(-1)!.bodyText.split('One, two, three.');
    assert.ok(
      before.includes('count them') && !later.join('').includes('<attachment'),
      'what was answered is asked anew',
    );
  });
});
