import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkImportSize, fromPortable } from '../../../../../src/core/conversation/archive/fromPortable';
import { toPortable } from '../../../../../src/core/conversation/archive/portable';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import { flatHistory, historyOf } from '../../../../../src/core/conversation/view';
import { UserError } from '../../../../../src/core/errors';
import { refusal } from '../../../../support/conversation/accepted';
import { conversations } from '../../../../support/conversation/conversations';
import { aConversation, aTurn } from '../../../../support/conversation/stored';
import { damagedMessages, mangledTurns } from '../../../../support/conversation/storedMessages';
import { exchange, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const whole = { withValues: true, secrets: [] } as const;
const imported = (text: string) => {
  let count = 0;
  return fromPortable(text, { now: 5, ids: () => `new-${++count}` });
};

/** The value of one param was remembered under another name before. */
const alike: Conversation = {
  id: 'workspace',
  lastActive: 1_000_000_000,
  summarized: [],
  params: [{ name: 'chosen', value: 'a', at: 0 }],
  turns: [
    {
      id: 'turn 0',
      startedAt: 0,
      endedAt: 0,
      outcome: 'finished',
      order: 0,
      messages: [
        { role: 'user', content: 'please' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'r', name: 'remember', input: { name: 'order_id', value: 'a' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'r', content: 'Remembered.' }] },
        { role: 'assistant', content: 'Done.' },
      ],
    },
  ],
};

describe('the portable form', () => {
  it('N2, M21: carries the plan that is open, and takes it back', () => {
    const talk = { ...conversation([stored('one')]), params: [{ name: 'order', value: 'O-54321', at: 1 }] };
    const plan = '- [ ] Ship O-54321\n';
    const take = (json: string) => fromPortable(json, { now: 1, ids: () => 'id' });
    assert.equal(take(toPortable(talk, { ...whole, plan })).plan, plan);
    assert.equal(take(toPortable(talk, { ...whole, withValues: false, plan })).plan, '- [ ] Ship [order]\n');
    assert.equal(take(toPortable(talk, whole)).plan, undefined);
    const damaged = toPortable(talk, { ...whole, plan: 'x'.repeat(50_001) });
    assert.deepEqual(take(damaged).notes, ['The plan was left out: it is damaged, empty or too long.']);
  });

  it('M21: holds what was said, by whom and when, and nothing of this window', () => {
    const turn: StoredTurn = {
      ...stored('one'),
      model: 'claude-sonnet-5-5',
      usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, cost: 0.5 },
      tokens: 7,
      thread: 'thread-1',
      activation: 'w1',
      isPinned: true,
    };
    const summary = { text: 'Before.', at: 3, turns: 2 };
    const json = toPortable({ ...conversation([turn]), summary }, { withValues: false, secrets: [] });
    assert.equal(json, `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`, 'a person can read it, too');
    assert.deepEqual(JSON.parse(json), {
      format: 'claude-assistant-conversation',
      version: 1,
      turns: [
        {
          id: 'one',
          startedAt: 1,
          endedAt: 2,
          outcome: 'finished',
          model: 'claude-sonnet-5-5',
          usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, cost: 0.5 },
          tokens: 7,
          isPinned: true,
          messages: exchange('one'),
        },
      ],
      summary: { text: 'Before.', at: 3, turns: 2 },
    });
  });

  it('M21: export, delete all, import, export gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, fc.boolean(), async (random, withValues) => {
        const workspace = new TestWorkspace();
        const window = await workspace.reopen();
        await window.chat.restore({ conversation: random });
        const before = window.chat.snapshot();
        assert.ok(before);
        const first = toPortable(before, { withValues, secrets: [] });
        await window.memory.deleteAll();
        assert.equal(window.chat.snapshot(), undefined);
        const { conversation: back, notes } = imported(first);
        assert.deepEqual(notes, []);
        await window.chat.restore({ conversation: back });
        const again = window.chat.snapshot();
        assert.ok(again);
        assert.equal(toPortable(again, { withValues, secrets: [] }), first);
      }),
      // Two values alike, one of them still remembered: once they were told apart by chance.
      { numRuns: 300, examples: [[alike, false]] },
    );
  });

  it('M9, M21: of a hostile file comes a valid conversation or a sentence', () => {
    const messages = fc.oneof(damagedMessages, mangledTurns, fc.jsonValue({ maxDepth: 2 }));
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(-1, 1e308, 1e16, '\uD800', '', '__proto__'),
    );
    const turn = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record(
        {
          id: fc.oneof(odd, fc.constantFrom('a', 'b')),
          startedAt: fc.oneof(odd, fc.nat()),
          endedAt: fc.oneof(odd, fc.nat()),
          outcome: fc.oneof(odd, fc.constant('finished')),
          model: odd,
          usage: odd,
          tokens: odd,
          thread: odd,
          isPinned: odd,
          messages,
        },
        { requiredKeys: ['messages'] },
      ),
    );
    const file = fc.record(
      {
        format: fc.constant('claude-assistant-conversation'),
        version: fc.constant(1),
        turns: fc.array(turn, { maxLength: 5 }),
        params: fc.oneof(odd, fc.dictionary(fc.string(), fc.oneof(odd, fc.record({ value: odd, at: odd })))),
        summary: fc.oneof(odd, fc.record({ text: odd, at: odd, turns: odd })),
      },
      { requiredKeys: ['format', 'version', 'turns'] },
    );
    let accepted = 0;
    fc.assert(
      fc.property(file, (hostile) => {
        const result = attempt(() => imported(JSON.stringify(hostile)));
        if (!result) return;
        accepted++;
        const { turns } = result.conversation;
        assert.equal(refusal(flatHistory(historyOf(result.conversation))), undefined);
        const json = toPortable(result.conversation, whole);
        assert.equal(toPortable(imported(json).conversation, whole), json);
        assert.ok(turns.every(({ thread }) => thread === undefined));
      }),
      { numRuns: 2000 },
    );
    assert.ok(accepted > 500, `only ${accepted} were taken`);
  });

  it('M21: any change of a byte gives a conversation or a sentence', () => {
    const json = toPortable(conversation([stored('one'), stored('two')]), whole);
    fc.assert(
      fc.property(
        fc.nat(json.length),
        fc.nat(json.length),
        fc.constantFrom('', '"', '}', '9', ','),
        (from, to, put) => {
          const text = json.slice(0, from) + put + json.slice(to);
          const result = attempt(() => imported(text));
          if (result) assert.equal(refusal(flatHistory(historyOf(result.conversation))), undefined);
        },
      ),
      { numRuns: 2000 },
    );
  });

  const sentences: readonly (readonly [string, string, RegExp])[] = [
    ['an empty file', '', /is not JSON, or it is not complete/],
    ['a file that was cut', '{"format": "claude-assistant-conversation",\n"turns": [', /not complete/],
    ['no JSON', '# A Markdown export', /This file is not JSON/],
    ['a comma too many', '{"a": 1,\n }', /This file is not JSON/],
    ['a list', '[]', /not a conversation that Claude Assistant exported: it has no "format"/],
    ['another format', '{"format": "x"}', /its "format" is "x" instead of "claude-assistant-conversation"/],
    [
      'a newer version',
      form({ version: 2 }),
      /newer version of Claude Assistant \(format version 2; this one reads 1\)/,
    ],
    ['no version', form({ version: '1' }), /This conversation is damaged: its "version" is missing or wrong/],
    ['no turns', form({ turns: {} }), /damaged: its "turns" is missing or wrong/],
    ['an empty list of turns', form({ turns: [] }), /no turn in this file that can be used/],
    ['a turn without messages', form({ turns: [{ id: 'a' }] }), /no turn in this file that can be used/],
    ['a turn that is none', form({ turns: [7] }), /no turn in this file that can be used/],
  ];
  for (const [what, text, sentence] of sentences) {
    it(`M21: says what is wrong with ${what}`, () => {
      assert.throws(() => imported(text), sentence);
      assert.throws(() => imported(text), UserError);
    });
  }

  it('M21: repairs what can be repaired and says what it did', () => {
    const text = form({
      turns: [
        { id: 'a', startedAt: 1, endedAt: 2, outcome: 'finished', messages: exchange('one') },
        { id: 'a', startedAt: 3, endedAt: 4, outcome: 'finished', messages: exchange('two') },
        { id: 'c', messages: exchange('three').slice(0, 1) },
        { id: 'd', messages: [] },
      ],
      params: { order_id: { value: 'O-1', at: 1 }, broken: 7 },
      summary: 'no',
    });
    const { conversation: result, notes } = imported(text);
    assert.deepEqual(
      result.turns.map(({ id, startedAt, order }) => [id, startedAt, order]),
      [
        ['a', 1, 1],
        ['new-1', 3, 3],
        ['c', 4, 4],
      ],
    );
    assert.deepEqual(result.params, [{ name: 'order_id', value: 'O-1', at: 1 }]);
    assert.deepEqual(notes, [
      'Turns that had to be repaired: 2.',
      'Turns that were left out, since they cannot be read: 1.',
      'Some remembered values were left out: they are damaged, or there are too many.',
      'The summary of earlier turns was left out: it is damaged.',
    ]);
  });

  it('M21: what was taken is whole: taken again, it is the same', () => {
    const exported = JSON.parse(toPortable(conversation([stored('one')]), whole)) as object;
    const odd = { order: { value: 'O-1', at: 1, turnId: 'half \ud83d' } };
    const first = imported(JSON.stringify({ ...exported, params: odd }));
    assert.deepEqual(imported(toPortable(first.conversation, whole)), { ...first, notes: [] });
  });

  it('M21: takes at most 20 MB, 1000 turns and as many values as memory holds', () => {
    assert.throws(() => checkImportSize(21 * 1024 * 1024), /it has 21 MB.*at most 20 MB/);
    checkImportSize(20 * 1024 * 1024);
    const turns = Array.from({ length: 1001 }, (_, index) => ({ ...stored(`t${index}`), order: undefined }));
    const { conversation: many, notes } = imported(form({ turns }));
    assert.equal(many.turns.length, 1000);
    assert.equal(many.turns[0]?.id, 't1');
    assert.deepEqual(notes, ['Of 1001 turns only the last 1000 were taken.']);
    const params = Object.fromEntries([1, 2, 3].map((n) => [`p${n}`, { value: 'x'.repeat(7000), at: 1 }]));
    const large = imported(form({ turns: [stored('a')], params }));
    assert.deepEqual(
      large.conversation.params.map(({ name }) => name),
      ['p1', 'p2'],
    );
  });

  it('M21: a file nested deeper than any stack is no danger', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const messages = `[{"role":"user","content":[{"type":"text","text":"hi","x":${deep}}]}]`;
    const text = form({ turns: ['HERE'] }).replace('"HERE"', `{"id":${deep},"messages":${messages}}`);
    assert.deepEqual(imported(text).notes, ['Turns that had to be repaired: 1.']);
  });
});

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    assert.ok(error.message.endsWith('.'), error.message);
    return undefined;
  }
}

function form(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ format: 'claude-assistant-conversation', version: 1, turns: [], ...parts });
}

function stored(id: string): StoredTurn {
  return aTurn(id, { endedAt: 2 });
}

function conversation(turns: readonly StoredTurn[]): Conversation {
  return aConversation('workspace', { turns });
}
