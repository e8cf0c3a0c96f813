import assert from 'node:assert/strict';
import { createApi } from '../../../src/core/api';
import type { Message } from '../../../src/core/messages';
import { exchange, TestWorkspace } from '../../support/conversation/testWorkspace';

function setUp() {
  const workspace = new TestWorkspace();
  const { memory } = workspace.open();
  let count = 0;
  const api = createApi({
    memory,
    defaultConversation: () => 'workspace',
    clock: () => workspace.now,
    ids: () => `turn-${++count}`,
    ask: async (prompt, { stateless }) => `${prompt}${stateless ? ' (stateless)' : ''}`,
  });
  return { workspace, memory, api };
}

const call: Message = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: {} }],
};

describe('public API', () => {
  it('M25: saves, reads and clears the conversation of the workspace, or the one that is named', async () => {
    const { api } = setUp();
    await api.saveTurn(exchange('a'));
    await api.saveTurn(exchange('b'), 'other');
    assert.deepEqual(await api.getHistory(), exchange('a'));
    assert.deepEqual(await api.getHistory('other'), exchange('b'));
    await api.clearHistory('other');
    assert.deepEqual([await api.getHistory(), await api.getHistory('other')], [exchange('a'), []]);
    assert.equal(api.version, 1);
  });

  it('M25: turns saved in one moment keep their order', async () => {
    const { api } = setUp();
    const names = Array.from({ length: 10 }, (_, index) => `n${9 - index}`);
    for (const name of names) await api.saveTurn(exchange(name));
    assert.deepEqual(await api.getHistory(), names.flatMap(exchange));
  });

  it('M25: what callers do to their lists does not reach memory', async () => {
    const { api } = setUp();
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'mine' }] },
      exchange('a')[1]!,
    ];
    await api.saveTurn(messages);
    const before = await api.getHistory();
    Object.assign(messages[0]!, { content: 'changed' });
    Object.assign((await api.getHistory())[0]!, { content: 'changed' });
    assert.deepEqual(await api.getHistory(), before);
  });

  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['no list', 'hello', /messages is a list/],
    ['nothing', [], /messages is a list/],
    ['no message', [null], /messages\[0\] is not an object/],
    ['a wrong start', [exchange('a')[1]], /messages\[0\]\.role is not 'user'/],
    ['two in a row', [exchange('a')[0], exchange('a')[0]], /messages\[1\]\.role is not 'assistant'/],
    ['content of another kind', [{ role: 'user', content: 7 }], /content is neither/],
    ['no answer', [exchange('a')[0]], /end with the answer/],
    ['an empty text', [{ role: 'user', content: ' ' }, exchange('a')[1]], /hold text/],
    ['a missing result', [exchange('a')[0], call, ...exchange('a')], /answer every tool_use/],
    ['an open tool use', [exchange('a')[0], call], /answer every tool_use/],
  ];
  for (const [what, messages, reason] of refused) {
    it(`M25: refuses ${what}, says why, and saves nothing`, async () => {
      const { api } = setUp();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers in JavaScript pass anything.
      await assert.rejects(api.saveTurn(messages as Message[]), reason);
      assert.deepEqual(await api.getHistory(), []);
    });
  }

  it('M25: refuses an id that cannot be one', async () => {
    const { api } = setUp();
    await assert.rejects(api.getHistory(''), /conversation id/);
    await assert.rejects(api.clearHistory('x'.repeat(201)), /conversation id/);
  });

  it('M25: hands a question on, and refuses an empty one', async () => {
    const { api } = setUp();
    assert.equal(await api.ask('why?', { stateless: true }), 'why? (stateless)');
    await assert.rejects(api.ask('  '), /prompt is empty/);
  });
});
