import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkImportSize, fromPortable } from '../../../../../src/core/conversation/archive/fromPortable';
import { toPortable } from '../../../../../src/core/conversation/archive/portable';
import { transcriptOf } from '../../../../../src/core/conversation/transcript';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import { UserError } from '../../../../../src/core/errors';
import type { ContentBlock, Message } from '../../../../../src/core/messages';
import { refusal } from '../../../../support/conversation/accepted';
import { conversations } from '../../../../support/conversation/conversations';
import { damagedMessages, mangledTurns } from '../../../../support/conversation/storedMessages';
import { exchange, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const masked = { withValues: false, secrets: [] } as const;
const whole = { withValues: true, secrets: [] } as const;
const imported = (text: string) => {
  let count = 0;
  return fromPortable(text, { now: 5, ids: () => `new-${++count}` });
};

/** The value of one param was remembered under another name before. */
const alike: Conversation = {
  id: 'workspace',
  lastActive: 1_000_000_000,
  waitingRevision: 0,
  params: { chosen: { value: 'a', at: 0, revision: 1 } },
  turns: [
    {
      id: 'turn 0',
      startedAt: 0,
      endedAt: 0,
      outcome: 'finished',
      order: 0,
      revision: 1,
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
    const summary = { text: 'Before.', at: 3, turns: 2, revision: 8 };
    const json = toPortable({ ...conversation([turn]), summary }, masked);
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
        await window.chat.restore(random);
        const before = window.chat.snapshot();
        assert.ok(before);
        const first = toPortable(before, { withValues, secrets: [] });
        await window.memory.deleteAll();
        assert.equal(window.chat.snapshot(), undefined);
        const { conversation: back, notes } = imported(first);
        assert.deepEqual(notes, []);
        await window.chat.restore(back);
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
        const { turns, summary } = result.conversation;
        assert.equal(refusal(transcriptOf(turns, summary)), undefined);
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
          if (result) assert.equal(refusal(transcriptOf(result.conversation.turns)), undefined);
        },
      ),
      { numRuns: 2000 },
    );
  });

  const sentences: readonly (readonly [string, string, RegExp])[] = [
    ['an empty file', '', /not complete: it ends in the middle of its JSON, in line 1/],
    [
      'a file that was cut',
      '{"format": "claude-assistant-conversation",\n"turns": [',
      /ends in the middle.*line 2/,
    ],
    ['no JSON', '# A Markdown export', /not JSON: it breaks in line 1, column 1/],
    ['a comma too many', '{"a": [1,\n2,]}', /not JSON: it breaks in line 2, column 3/],
    ['a list', '[]', /not a conversation that Claude Assistant exported: its "format" is missing/],
    ['another format', '{"format": "x"}', /its "format" is "x" instead of "claude-assistant-conversation"/],
    [
      'a newer version',
      form({ version: 2 }),
      /newer version of Claude Assistant \(format version 2; this one reads 1\)/,
    ],
    ['no version', form({ version: '1' }), /The "version" of this conversation is not a number/],
    ['no turns', form({ turns: {} }), /has no list of "turns"/],
    ['an empty list of turns', form({ turns: [] }), /no turn in this file that can be used/],
    [
      'a turn without messages',
      form({ turns: [{ id: 'a' }] }),
      /Turn 1 was left out: it has no list of messages/,
    ],
    ['a turn that is none', form({ turns: [7] }), /Turn 1 was left out: it is not an object/],
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
    assert.deepEqual(result.params, { order_id: { value: 'O-1', at: 1, revision: 1 } });
    assert.deepEqual(notes, [
      'Turn 2 was repaired: id.',
      'Turn 3 was repaired: messages, times, outcome.',
      'Turn 4 was left out: it has no message of the person that can be sent.',
      'A remembered value was left out: it is damaged, or there are too many.',
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
    assert.deepEqual(Object.keys(large.conversation.params), ['p1', 'p2']);
  });

  it('M21: a file nested deeper than any stack is no danger', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const messages = `[{"role":"user","content":[{"type":"text","text":"hi","x":${deep}}]}]`;
    const text = form({ turns: ['HERE'] }).replace('"HERE"', `{"id":${deep},"messages":${messages}}`);
    assert.deepEqual(imported(text).notes, ['Turn 1 was repaired: messages, id, times, outcome.']);
  });

  it('S7: no key goes into an export, in whatever form it stands there', () => {
    const secret = 'gateway "key" \\ 1';
    const said: Message[] = [
      { role: 'user', content: `my key is sk-ant-api03-abc_DEF-123 and ${secret}` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'u', name: 'x', input: { 'sk-ant-1': ['sk-ant-2'] } }],
      },
    ];
    const json = toPortable(conversation([{ ...stored('a'), messages: said }]), {
      ...whole,
      secrets: [secret],
    });
    assert.doesNotMatch(json, /sk-ant|gateway/);
    assert.match(json, /my key is \[key\] and \[key\]/);
    JSON.parse(json);
  });

  it('M21: no value goes into an export unless the person ticked it, wherever it was said', () => {
    const said: Message[] = [
      { role: 'user', content: 'My order is O-54321, code 7; not 47.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will remember O-54321 (7).' },
          { type: 'tool_use', id: 'a', name: 'remember', input: { name: 'order_id', value: ' O-54321' } },
          { type: 'tool_use', id: 'b', name: 'ask_user', input: { param: 'code', question: 'Which code?' } },
          { type: 'tool_use', id: 'c', name: 'remember', input: { name: 'old', value: 'forgotten since' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'Remembered order_id.' },
          { type: 'tool_result', tool_use_id: 'b', content: '7' },
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [{ type: 'text', text: 'It was forgotten since.' }],
          },
        ],
      },
      { role: 'assistant', content: 'Order O-54321.' },
    ];
    const params = {
      order_id: { value: 'O-54321', at: 1, revision: 1, turnId: 'a' },
      code: { value: '7', at: 1, revision: 1 },
    };
    const talk = { ...conversation([{ ...stored('a'), messages: said }]), params };
    const summary = { text: 'About O-54321.', at: 1, turns: 1, revision: 1 };
    const json = toPortable({ ...talk, summary }, masked);
    assert.doesNotMatch(json, /\bO-54321|forgotten since|params/);
    for (const expected of [
      'My order is [order_id], code 7; not 47.',
      '"value": "[order_id]"',
      '"content": "[code]"',
      'It was [old].',
      'About [order_id].',
    ]) {
      assert.ok(json.includes(expected), expected);
    }
    const ticked = JSON.parse(toPortable(talk, whole));
    assert.deepEqual(ticked.params, {
      order_id: { value: 'O-54321', at: 1, turnId: 'a' },
      code: { value: '7', at: 1 },
    });
  });

  describe('M21: without values, finds them', () => {
    const masksAs = (said: string, expected: string, values: Readonly<Record<string, string>>): void => {
      const params = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { value, at: 1, revision: 1 }]),
      );
      const messages: Message[] = [
        { role: 'user', content: said },
        { role: 'assistant', content: 'Yes.' },
      ];
      const json = toPortable({ ...conversation([{ ...stored('a'), messages }]), params }, masked);
      assert.equal(JSON.parse(json).turns[0].messages[0].content, expected);
    };
    const order = { order: 'AB-10042' };

    it('between letters of scripts without spaces, and in longer names', () => {
      masksAs('订单AB-10042已取消', '订单[order]已取消', order);
      masksAs('注文AB-10042をキャンセル', '注文[order]をキャンセル', order);
      masksAs('order_AB-10042, orderAB-10042s', 'order_[order], order[order]s', order);
      masksAs('大阪府庁の天気', '[city]の天気', { city: '大阪府庁' });
    });

    it('in other letter case and with other white space', () => {
      masksAs('ab-10042 and Ab-10042', '[order] and [order]', order);
      masksAs('to JANE\n  doe and jane doe', 'to [name] and [name]', { name: 'Jane Doe' });
    });

    it('escaped for JSON, HTML or an address', () => {
      const path = { path: String.raw`C:\Users\jane & "co"/日本` };
      masksAs(JSON.stringify(path), '{"path":"[path]"}', path);
      masksAs(JSON.stringify(JSON.stringify(path)), String.raw`"{\"path\":\"[path]\"}"`, path);
      masksAs(String.raw`"C:\\Users\\jane & \"co\"\/\u65e5\u672c"`, '"[path]"', path);
      masksAs(`?path=${encodeURIComponent(path.path)}&x`, '?path=[path]&x', path);
      masksAs('<b>C:\\Users\\jane &amp; &quot;co&quot;/日本</b>', '<b>[path]</b>', path);
    });

    it('but not inside of words and numbers, when they are short', () => {
      masksAs('the latest test, tested', 'the latest [word], tested', { word: 'test' });
      masksAs('4711, 14711 and 47110, no4711x', '[pin], 14711 and 47110, no[pin]x', { pin: '4711' });
    });
  });

  it('M21: an answer that was replaced since is a value too, given in place or with the next message', () => {
    const asked = (id: string): ContentBlock => ({
      ...{ type: 'tool_use', id, name: 'ask_user' },
      input: { param: 'order', question: 'Which order?' },
    });
    const waits = 'Asked the person. Their answer comes with their next message.';
    const result = (id: string, content: string): Message => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content }],
    });
    const turns: Message[][] = [
      [
        { role: 'user', content: 'Cancel my order' },
        { role: 'assistant', content: [asked('a')] },
        result('a', 'AB-10042'),
        { role: 'assistant', content: 'Not ab-10042: it has gone out. Another?' },
      ],
      [
        { role: 'user', content: 'Then the other one' },
        { role: 'assistant', content: [asked('b')] },
        result('b', waits),
        { role: 'assistant', content: 'Which order?' },
      ],
      [
        { role: 'user', content: 'CD-20099' },
        { role: 'assistant', content: [{ type: 'text', text: 'CD-20099 is none.' }, asked('c')] },
        result('c', waits),
        { role: 'assistant', content: 'Which order?' },
      ],
      [
        { role: 'user', content: [{ type: 'text', text: '77' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Is it one?' }, asked('d')] },
        result('d', 'Why do you ask so much?'),
        { role: 'assistant', content: [asked('e')] },
        result('e', '5'),
        { role: 'assistant', content: 'Done.' },
      ],
    ];
    const params = { order: { value: 'EF-30001', at: 1, revision: 1 } };
    const found = { note: { value: 'an older note', at: 1 } };
    const talk = conversation(
      turns.map((messages, index) => Object.assign(stored(`t${index}`), { order: index, messages, found })),
    );
    const summary = { text: 'There was an older note, and GH-40404.', at: 1, turns: 1, revision: 1 };
    const folded = [
      {
        ...stored('f'),
        messages: [
          { role: 'user' as const, content: 'Cancel my order' },
          { role: 'assistant' as const, content: [asked('z')] },
          result('z', 'GH-40404'),
          { role: 'assistant' as const, content: 'Done.' },
        ],
      },
    ];
    const json = toPortable({ ...talk, params, summary: { ...summary, folded } }, masked);
    assert.doesNotMatch(json, /10042|20099|40404|older note|"77"|"5"/i);
    assert.match(json, /Why do you ask so much\?/);
    assert.match(json, /Asked the person\./);
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
  const messages = exchange(id);
  return { id, order: 1, revision: 1, startedAt: 1, endedAt: 2, outcome: 'finished', messages };
}

function conversation(turns: readonly StoredTurn[]): Conversation {
  return { id: 'workspace', lastActive: 1, turns, params: {}, waitingRevision: 0 };
}
