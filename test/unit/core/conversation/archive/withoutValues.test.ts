import assert from 'node:assert/strict';
import { toPortable } from '../../../../../src/core/conversation/archive/portable';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import type { ContentBlock, Message } from '../../../../../src/core/messages';
import { aConversation, aTurn } from '../../../../support/conversation/stored';
import { cpuTime } from '../../../../support/cpuTime';

const masked = { withValues: false, secrets: [] } as const;
const whole = { withValues: true, secrets: [] } as const;

describe('what an export leaves out', () => {
  it('M21: takes no time for a value that begins with blanks, however many stand somewhere', () => {
    const value = '\n abcdefgh';
    const talk = conversation([
      { ...stored('a'), messages: [{ role: 'user', content: `${' '.repeat(60_000)}x${value}` }] },
    ]);
    const params = [{ name: 'order', value, at: 1 }];
    let json = '';
    assert.ok(cpuTime(() => (json = toPortable({ ...talk, params }, masked))) < 200);
    assert.doesNotMatch(json, /abcdefgh/);
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
    const params = [
      { name: 'order_id', value: 'O-54321', at: 1, turnId: 'a' },
      { name: 'code', value: '7', at: 1 },
    ];
    const talk = { ...conversation([{ ...stored('a'), messages: said }]), params };
    const summary = { text: 'About O-54321.', at: 1, turns: 1 };
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
      const params = Object.entries(values).map(([name, value]) => ({ name, value, at: 1 }));
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

    it('however long they are, in any of these forms', () => {
      const log = (at: number) => `12:00:${at} GET /orders/${at} → "200 ok" \\o/\n`;
      const lines = Array.from({ length: 300 }, (_, at) => log(at))
        .join('')
        .trim();
      const spread = lines.toUpperCase().replaceAll(' ', '\t  ');
      for (const value of [lines, '订单已取消'.repeat(1_000), 'a/'.repeat(4_000)]) {
        const said = [value, JSON.stringify(value), encodeURIComponent(value)].join(' and ');
        masksAs(`${said}.`, '[value] and "[value]" and [value].', { value });
      }
      masksAs(`${spread}; ${lines.slice(0, -1)}`, `[lines]; ${lines.slice(0, -1)}`, { lines });
      // The longest comes first, also where two begin alike.
      masksAs(`${lines} ${lines.slice(0, 5_000)}`, '[all] [part]', {
        part: lines.slice(0, 5_000),
        all: lines,
      });
    });

    it('however long they are, in capitals of any script', () => {
      const letters = 'Ο δρόμος προς τους άλλους τόπους. ſtraſze 𐐨𐐩 '.repeat(20).trim();
      masksAs(`${letters.toUpperCase()} and ${letters}`, '[letters] and [letters]', { letters });
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
    const params = [
      { name: 'note', value: 'an older note', at: 1, turnId: 't0' },
      { name: 'note', value: null, at: 2, turnId: 't1' },
      { name: 'order', value: 'EF-30001', at: 1 },
    ];
    const talk = conversation(
      turns.map((messages, index) => Object.assign(stored(`t${index}`), { order: index, messages })),
    );
    const summary = { text: 'There was an older note, and GH-40404.', at: 1, turns: 1 };
    const summarized = [
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
    const json = toPortable({ ...talk, params, summary, summarized }, masked);
    assert.doesNotMatch(json, /10042|20099|40404|older note|"77"|"5"/i);
    assert.match(json, /Why do you ask so much\?/);
    assert.match(json, /Asked the person\./);
  });
});

function stored(id: string): StoredTurn {
  return aTurn(id, { endedAt: 2 });
}

function conversation(turns: readonly StoredTurn[]): Conversation {
  return aConversation('workspace', { turns });
}
