import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { searchQuery, searchWords, typedQuery } from '../../src/core/conversation/recall/searchQuery';
import { noLimits } from '../support/conversation/limits';
import { TestWorkspace } from '../support/conversation/testWorkspace';
import { hostileText } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** What people and Claude look for in what was said: whatever they write is valid, and what was said is found by it. */
export async function recallQueryTarget(): Promise<FuzzTarget> {
  const workspace = new TestWorkspace();
  workspace.limits = { ...noLimits };
  const { memory, chat, kill } = await workspace.reopen();
  for (const [id, [asked, answered]] of said.entries()) {
    const messages = [
      { role: 'user', content: asked },
      { role: 'assistant', content: answered },
    ] as const;
    await chat.saveTurn(workspace.turn(`t${id}`, messages));
  }
  const find = (query: string) =>
    memory.search((search) => search.match(query, { limit: 10, withCut: true })) ?? [];
  return fuzzTarget({
    name: 'recall query',
    share: 6,
    input: fc.record({ text: hostileText, word: fc.constantFrom(...telling) }),
    holds: async ({ text, word: [word, turn] }) => {
      const query = searchQuery(text);
      for (const one of [query?.words, query?.related, typedQuery(text)]) {
        for (const { score, turn: found } of one === undefined ? [] : ((await find(one)) ?? [])) {
          assert.ok(Number.isFinite(score) && /^t\d$/.test(found));
        }
      }
      for (const piece of searchWords(text)) assert.ok(piece !== '' && piece === piece.toLowerCase());
      const found = await find(searchQuery(`${word} ${text}`)?.words ?? '');
      assert.ok(
        found?.some((one) => one.turn === turn),
        `${word} is not found`,
      );
    },
    close: async () => kill(),
  });
}

const said = [
  ['How is the price of an order computed?', 'In src/orders.ts by totalPrice, with a discount of 15 %.'],
  ['Wo steht die Mehrwertsteuer?', 'In steuer_satz, Änderungen überall: größere Beträge zuerst.'],
  ['请问发票号码在哪里？', '发票号码写在 config/invoice.json 里面。'],
  ['Pourquoi le test échoue-t-il ?', 'Parce que naïveté et cœur diffèrent; voir e2e/café.test.ts.'],
] as const;

/** Words that say what it is about, and in which turn they were said. */
const telling = [
  ['price', 't0'],
  ['totalPrice', 't0'],
  ['orders', 't0'],
  ['Mehrwertsteuer', 't1'],
  ['größere', 't1'],
  ['steuer_satz', 't1'],
  ['发票号码', 't2'],
  ['invoice.json', 't2'],
  ['échoue', 't3'],
  ['naïveté', 't3'],
] as const;
