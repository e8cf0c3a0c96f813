import assert from 'node:assert/strict';
import type { ArchivedConversation } from '../../../../../src/core/conversation/archive/archivedForm';
import { ArchiveSearch } from '../../../../../src/core/conversation/archive/searchArchive';
import type { Message } from '../../../../../src/core/messages';

describe('searching the archive', () => {
  const search = new ArchiveSearch([
    archived('Fix the total', [
      { role: 'user', content: [{ type: 'text', text: '<attachment name="x">\nZebra\n</attachment>' }] },
      {
        role: 'assistant',
        content: [{ type: 'text', text: `${'Well. '.repeat(20)}Straße\n and İstanbul 😀 next` }],
      },
    ]),
    archived('Tests', [
      { role: 'user', content: 'Add tests for the Invoice totals' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'zebra', input: { path: 'zebra' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Zebra' }] },
      { role: 'assistant', content: 'Added.' },
    ]),
  ]);
  const titles = (query: string) => search.find(query).map(({ archived: { title } }) => title);

  it('M20: gives all of them, in their order, when nothing is asked for', () => {
    assert.deepEqual(titles('  '), ['Fix the total', 'Tests']);
  });

  it('M20: finds words in titles, prompts and answers, whatever their case, and all of them', () => {
    assert.deepEqual(titles('TOTAL'), ['Fix the total', 'Tests']);
    assert.deepEqual(titles('invoice tests'), ['Tests']);
    assert.deepEqual(titles('straße fix'), ['Fix the total']);
    assert.deepEqual(titles('invoice straße'), []);
  });

  it('M20: looks neither into what was attached nor into what tools returned', () => {
    assert.deepEqual(titles('zebra'), []);
  });

  it('M20: shows where the words stand, unless the title does', () => {
    const [first, second] = search.find('total');
    assert.equal(first?.excerpt, undefined);
    assert.equal(second?.excerpt, 'Add tests for the Invoice totals');
    const [found] = search.find('next');
    assert.match(found?.excerpt ?? '', /^….*😀 next$/);
  });
});

function archived(title: string, messages: readonly Message[]): ArchivedConversation {
  const turn = {
    id: 'a',
    order: 1,
    revision: 1,
    startedAt: 1,
    endedAt: 1,
    outcome: 'finished',
    messages,
  } as const;
  const conversation = { id: 'w', lastActive: 1, turns: [turn], params: {}, waitingRevision: 0 };
  return { id: title, ending: { kind: 'left' }, title, endedAt: 1, conversation, isDamaged: false };
}
