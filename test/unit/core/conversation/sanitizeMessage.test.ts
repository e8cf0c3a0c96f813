import assert from 'node:assert/strict';
import { sanitizeMessage } from '../../../../src/core/conversation/sanitizeMessage';

describe('a message as the API takes it', () => {
  const blocks = (role: string, ...content: readonly unknown[]): unknown =>
    sanitizeMessage({ role, content: [...content, { type: 'text', text: 'end' }] })?.content.slice(0, -1);
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'seen' };
  const use = { type: 'tool_use', id: 't1', name: 'look', input: { at: 'a' } };

  it('M9: keeps calls in what Claude said, and results in what it was told', () => {
    assert.deepEqual([blocks('assistant', use), blocks('user', result)], [[use], [result]]);
    assert.deepEqual([blocks('user', use), blocks('assistant', result)], [[], []]);
  });

  it('M9: takes out a call or a result whose id or name the API refuses', () => {
    for (const id of [undefined, 7, '', 'a b', 'ü', 'a/b']) {
      assert.deepEqual(blocks('user', { ...result, tool_use_id: id }), [], String(id));
      assert.deepEqual(blocks('assistant', { ...use, id }), [], String(id));
    }
    for (const name of [undefined, 7, '', 'a b', 'x'.repeat(129)]) {
      assert.deepEqual(blocks('assistant', { ...use, name }), [], String(name));
    }
  });

  it('M4: keeps nothing else of a block', () => {
    const { content: _content, ...bare } = result;
    assert.deepEqual(blocks('user', { ...result, is_error: true, cache_control: {} }), [
      { ...result, is_error: true },
    ]);
    assert.deepEqual(blocks('user', { ...result, is_error: 'yes', content: ' ' }), [bare]);
    assert.deepEqual(blocks('assistant', { ...use, input: 'text', caller: {} }), [{ ...use, input: {} }]);
    assert.deepEqual(blocks('user', { type: 'text', text: ' ' }, { type: 'new' }, 7, null), []);
  });
});
