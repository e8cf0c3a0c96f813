import assert from 'node:assert/strict';
import { firstSentence } from '../../../src/core/agent/thoughtSentences';
import { escapeMarkdown } from '../../../src/core/text/markdown';

describe('firstSentence', () => {
  it('takes the first sentence of the first line, without Markdown', () => {
    assert.equal(firstSentence('**Reading** the `orders`. Then more.\nAnd more.'), 'Reading the orders.');
    assert.equal(
      firstSentence('_Now_ `read_file` with __init__ is next.'),
      'Now read_file with init is next.',
    );
  });

  it('shortens what does not end, between characters', () => {
    assert.equal(firstSentence('🙂'.repeat(200)), `${'🙂'.repeat(160)}…`);
  });

  it('is nothing for nothing', () => {
    assert.equal(firstSentence(' \n '), '');
  });
});

describe('escapeMarkdown', () => {
  it('A24: leaves no link, image or command to be rendered', () => {
    const text = '![x](https://example.com?d=1) [y](command:z) `code` <b> $(icon)';
    assert.doesNotMatch(escapeMarkdown(text).replaceAll(/\\./g, ''), /[![\]()`<>$]/);
  });
});
