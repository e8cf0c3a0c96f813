import assert from 'node:assert/strict';
import { ThoughtSentences } from '../../../../src/core/agent/thoughtSentences';
import { cpuTime } from '../../../support/cpuTime';

const thought = '**Looking**\n\nI look for the code. Then I read it\nall.\n\nNow the files';

describe('what Claude thinks, while it thinks', () => {
  it('L10: is the first sentence of each paragraph, however the pieces are cut', () => {
    for (const size of [1, 2, 7, thought.length]) {
      const sentences = new ThoughtSentences();
      const pieces = thought.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const told = [...pieces.flatMap((piece) => sentences.add(piece)), ...sentences.end()];
      assert.deepEqual(told, ['Looking', 'I look for the code.', 'Now the files']);
    }
  });

  it('L10: is told as soon as it is whole, or too long to wait for', () => {
    const sentences = new ThoughtSentences();
    assert.deepEqual(sentences.add('I look'), []);
    assert.deepEqual(sentences.add(' for it. And'), ['I look for it.']);
    assert.deepEqual(sentences.add(' more. And more.'), []);
    assert.deepEqual(sentences.end(), []);
    assert.equal(sentences.add('x'.repeat(201)).length, 1);
  });

  it('L10: takes no time, however long a line of it is', () => {
    const took = cpuTime(() => new ThoughtSentences().add(`a${'_'.repeat(60_000)}b`));
    assert.ok(took < 500, `${took} ms`);
  });

  it('starts anew after its end', () => {
    const sentences = new ThoughtSentences();
    assert.deepEqual([...sentences.add('One'), ...sentences.end()], ['One']);
    assert.deepEqual([...sentences.add(' \n\n '), ...sentences.end()], []);
    assert.deepEqual([...sentences.add('Two.'), ...sentences.end()], ['Two.']);
  });
});
