import assert from 'node:assert/strict';
import { createArchiveSearch } from '../../../../../src/core/conversation/archive/searchArchive';
import type { ArchivedHeader } from '../../../../../src/core/conversation/store';
import type { Conversation } from '../../../../../src/core/conversation/turn';
import type { Message } from '../../../../../src/core/messages';
import { aConversation, aTurn } from '../../../../support/conversation/stored';

describe('searching the archive', () => {
  const all = [
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
  ];
  let loads = 0;
  const search = createArchiveSearch(
    all.map(({ header }) => header),
    async (id) => {
      loads++;
      return all.find(({ header }) => header.id === id)?.conversation;
    },
  );
  const titles = async (query: string) => (await search(query)).map(({ archived: { title } }) => title);

  it('M20: gives all of them, in their order, when nothing is asked for, and reads none', async () => {
    assert.deepEqual(await titles('  '), ['Fix the total', 'Tests']);
    assert.equal(loads, 0);
  });

  it('M20: finds words in titles, prompts and answers, whatever their case, and all of them', async () => {
    assert.deepEqual(await titles('TOTAL'), ['Fix the total', 'Tests']);
    assert.deepEqual(await titles('invoice tests'), ['Tests']);
    assert.deepEqual(await titles('straße fix'), ['Fix the total']);
    assert.deepEqual(await titles('invoice straße'), []);
    assert.equal(loads, 2, 'each is read once');
  });

  it('M20: looks neither into what was attached nor into what tools returned', async () => {
    assert.deepEqual(await titles('zebra'), []);
  });

  it('M20: shows where the words stand, unless the title does', async () => {
    const [first, second] = await search('total');
    assert.equal(first?.excerpt, undefined);
    assert.equal(second?.excerpt, 'Add tests for the Invoice totals');
    const [found] = await search('next');
    assert.match(found?.excerpt ?? '', /^….*😀 next$/);
  });
});

function archived(
  title: string,
  messages: readonly Message[],
): { readonly header: ArchivedHeader; readonly conversation: Conversation } {
  const conversation = aConversation('w', { turns: [aTurn('a', { messages })] });
  return { header: { id: title, ending: { kind: 'left' }, title, endedAt: 1, turns: 1 }, conversation };
}
