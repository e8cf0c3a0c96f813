import assert from 'node:assert/strict';
import { withoutWords, type LedgerRecord } from '../../../../src/core/ledger/record';
import { withRemembered } from '../../../../src/core/ledger/withRemembered';
import { noUsage } from '../../../../src/core/messages';
import { TestWorkspace } from '../../../support/conversation/testWorkspace';

const turnOf = (turn: string) => ({ turn, words: `question ${turn}`, tokens: 1 });
const records: readonly LedgerRecord[] = [
  {
    ...{ version: 1, kind: 'answer', conversation: 'workspace', startedAt: 1, endedAt: 2, model: 'm' },
    ...{ end: 'answered', requests: 1, usage: noUsage },
    turn: 'one',
    words: 'question one',
    sent: [
      { kind: 'system', tokens: 1 },
      { kind: 'turn', ...turnOf('two') },
    ],
    leftOut: [{ ...turnOf('one'), reason: 'full' }],
  },
  {
    ...{ version: 1, kind: 'left', conversation: 'workspace', at: 3, reason: 'cleared' },
    turns: [turnOf('one'), turnOf('two')],
  },
];

describe('records of what was erased', () => {
  it('M20, M24: have their words again once an Undo has brought the turns back, and only then', async () => {
    const workspace = new TestWorkspace();
    const { memory, chat } = await workspace.reopen();
    for (const name of ['one', 'two']) await chat.saveTurn(workspace.turn(name));
    const erased = await chat.clear();
    const wordless = records.map((record) => withoutWords(record, new Set(['one', 'two'])));
    assert.deepEqual(withRemembered(wordless, memory.conversations()), wordless);
    assert.ok(erased);
    await chat.restore(erased);
    assert.deepEqual(withRemembered(wordless, memory.conversations()), records);
  });
});
