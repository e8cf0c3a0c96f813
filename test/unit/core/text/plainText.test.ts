import assert from 'node:assert/strict';
import { asPlainName, withoutIcons, withoutLinks } from '../../../../src/core/text/plainText';

/** How VS Code finds links in a notification, after it has made one line of it. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('A32: plain text', () => {
  it('has no link that VS Code would make of words of others', () => {
    for (const text of [
      '[Open Settings](command:assistant.removeApiKey)',
      '“[a](b](command:x)” is deleted',
      '[x](https://example.com "title")',
      '[x]]((command:y)',
    ]) {
      assert.doesNotMatch(withoutLinks(text).replace(/[\r\n]+/g, ' '), link);
    }
    assert.equal(withoutLinks('[ok](command:x)'), '[ok] (command:x)');
    assert.equal(
      withoutLinks('Exported 2 turns to notes (old)[1].md.'),
      'Exported 2 turns to notes (old)[1].md.',
    );
  });

  it('has no link in a name that VS Code would take for Markdown', () => {
    assert.equal(asPlainName('[x](command:y)\n<command:z> $(ok)'), '[x] (command:y) ‹command:z> $ (ok)');
    for (const id of ['claude-sonnet-5-5', 'us.anthropic.claude-v1:0', 'a/claude@2025_[1m]', 'Opus (new)']) {
      assert.equal(asPlainName(id), id);
    }
  });

  it('has no icon that VS Code would draw', () => {
    assert.equal(withoutIcons('$(verified) Checked'), '\\$(verified) Checked');
    assert.equal(withoutIcons('costs $5 (now)'), 'costs $5 (now)');
  });

  it('shows what turns letters round or hides, and leaves emoji and other scripts alone', () => {
    assert.equal(withoutLinks('a\u202Egnp.exe\u200B\u0007'), 'a⟨U+202E⟩gnp.exe⟨U+200B⟩⟨U+0007⟩');
    assert.equal(withoutIcons('\u2066x'), '⟨U+2066⟩x');
    assert.equal(withoutLinks('⚠️ 👩‍💻 می‌خواهم 10\u202F000\n漢'), '⚠️ 👩‍💻 می‌خواهم 10\u202F000\n漢');
  });
});
