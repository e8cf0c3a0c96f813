import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { withAttachments } from '../../../src/core/agent/attachments';
import type { AgentEvent } from '../../../src/core/agent/events';
import { createAssistant, type AssistantRequest } from '../../../src/core/assistant';
import { blocksOf, resultText, type Message } from '../../../src/core/messages';
import type { Tool } from '../../../src/core/tools/tool';
import { noise } from '../../support/claude/sampleImages';
import { apiError, reply, text, thinking, toolSearch, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';
import { tool } from '../../support/turns';

const question = { param: 'order_id', question: 'Which order?' };
const asks = (input: object = question) => toolUse('ask_user', input, { id: 'toolu_ask' });

describe('a question that waits for the person', () => {
  let standIn: StandIn;
  let workspace: TestWorkspace;
  let window: TestWindow;
  let looked: unknown[];
  const look = tool('look_up', ({ input }) => {
    looked.push(input);
    return { content: 'shipped' };
  });

  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());
  beforeEach(async () => {
    standIn.reset();
    workspace = new TestWorkspace();
    window = await workspace.reopen();
    looked = [];
  });
  afterEach(() => assert.equal(standIn.remaining, 0));

  /** Sends a message of the person and runs its turn to the end. */
  async function say(userContent: Message['content'], rest: Partial<AssistantRequest> = {}) {
    workspace.now += 1000;
    const { memory } = window;
    let ids = 0;
    const log = {
      info: (line: string) => workspace.logged.push(line),
      warn: (line: string) => workspace.logged.push(line),
      error: (line: string) => workspace.logged.push(line),
    };
    const assistant = createAssistant({
      memory,
      clock: () => workspace.now,
      ids: () => `turn-${workspace.now}-${++ids}`,
      log,
    });
    const events: AgentEvent[] = [];
    const request: AssistantRequest = {
      conversationId: 'workspace',
      model: createClaude({ apiKey: () => Promise.resolve('sk-ant-test'), baseUrl: standIn.url }),
      modelId: 'claude-sonnet-5-5',
      system: [{ type: 'text', text: 'Be kind.' }],
      tools: [look],
      userContent,
      maxRounds: 25,
      yieldRequested: () => false,
      wait: () => Promise.resolve(),
      random: () => 0,
      ...rest,
    };
    for await (const event of assistant.answer(request, new AbortController().signal).events)
      events.push(event);
    const end = events.at(-1);
    assert.ok(end?.type === 'turn-end');
    return end;
  }

  async function reload(): Promise<void> {
    window.kill();
    window = await workspace.reopen();
  }

  const lastSent = () => {
    const body = standIn.journal.messages.at(-1)?.body as { messages: Message[] };
    return body.messages;
  };

  for (const [how, prepare] of [
    ['at once', () => Promise.resolve()],
    ['after a reload', reload],
  ] as const) {
    it(`M16: is answered ${how} as the result of that very tool use, with Claude’s thoughts in place`, async () => {
      standIn.script(
        reply(thinking('I need the id.'), text('Let me see. '), asks()),
        reply(thinking('There it is.'), toolUse('look_up', { id: 'O-12345' })),
        reply(text('It was shipped.')),
      );
      assert.equal((await say('I want to check my order')).end.reason, 'asked');
      await prepare();
      assert.deepEqual((await say("It's O-12345")).end, { reason: 'answered' });

      assert.deepEqual(standIn.journal.refused, []);
      const [opening, asked, answer] = lastSent();
      assert.deepEqual(
        [opening, asked].map((message) => message && blocksOf(message).map(({ type }) => type)),
        [['text'], ['thinking', 'text', 'tool_use']],
      );
      const [result] = answer ? blocksOf(answer) : [];
      assert.ok(result?.type === 'tool_result');
      assert.equal(result.tool_use_id, 'toolu_ask');
      assert.equal(result.content, "It's O-12345");
      assert.deepEqual(looked, [{ id: 'O-12345' }]);
      assert.equal(window.chat.waiting(), undefined);
      assert.deepEqual(window.chat.params(), { order_id: "It's O-12345" });
    });
  }

  it('M16, M25: still waits after another extension has asked something, and is answered all the same', async () => {
    standIn.script(reply(asks()));
    await say('Cancel my order', { shownAt: { thread: 'panel', position: 0 } });
    standIn.script(reply(text('Rain.')));
    const other = await say('How is the weather?', { isUnattended: true });
    assert.equal(other.end.reason, 'answered');
    assert.equal(window.chat.waiting()?.param, 'order_id');
    await reload();
    standIn.script(reply(text('Cancelled.')));
    assert.equal((await say('O-1', { shownAt: { thread: 'panel', position: 1 } })).end.reason, 'answered');
    assert.match(JSON.stringify(lastSent().at(-1)), /"tool_use_id":"toolu_ask","content":"O-1"/);
    assert.match(JSON.stringify(lastSent().slice(0, 2)), /How is the weather\?[^]*Rain\./);
    assert.deepEqual(standIn.journal.refused, []);
    assert.deepEqual([window.chat.waiting(), window.chat.params()], [undefined, { order_id: 'O-1' }]);
  });

  it('M16: goes on in words when its thoughts no longer fit, because the history was trimmed', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    standIn.script(
      reply(text('Hello.')),
      reply(thinking('hm'), asks()),
      reply(text('It was shipped.')),
      reply(text('Yes.')),
    );
    await say('hello');
    await say('I want to check my order');
    await reload();
    assert.equal((await say('O-12345')).end.reason, 'answered');
    assert.match(JSON.stringify(lastSent()), /Called ask_user[^]*Result of ask_user[^]*O-12345/);
    await say('thanks');
  });

  for (const [how, thoughts] of [
    ['', []],
    [', thoughts and all,', [thinking('Which tool?')]],
  ] as const) {
    it(`L12, L15, M16: a search before it${how} does not hold it up when a tool that it found is gone`, async () => {
      const ticket = (number: number) =>
        tool(`ticket_${number}`, () => ({ content: 'found' }), { deferral: 'other' });
      standIn.script(reply(...thoughts, toolSearch('ticket_1'), asks()), reply(text('Done.')));
      await say('check', { tools: [look, ticket(1), ticket(2)] });
      assert.equal((await say('O-1', { tools: [look, ticket(2)] })).end.reason, 'answered');
      assert.match(JSON.stringify(lastSent().at(-1)), /O-1/);
      assert.match(JSON.stringify(standIn.journal.refused[0]), /Tool reference 'ticket_1' not found/);
    });
  }

  it('M16: keeps the results of its siblings for when the answer comes', async () => {
    standIn.script(
      reply(thinking('both'), toolUse('look_up', { id: 1 }, { id: 'toolu_look' }), asks()),
      reply(text('Done.')),
    );
    await say('check');
    await reload();
    await say('O-1');
    const results = blocksOf(lastSent().at(-1)!).map(
      (block) => block.type === 'tool_result' && block.content,
    );
    assert.deepEqual(results, ['shipped', 'O-1']);
    assert.equal(looked.length, 1);
    assert.deepEqual(standIn.journal.refused, []);
  });

  /** Takes seven turns, of which the last one asks; before that, `tool` is called in the same round. */
  async function askBeside(sibling: Tool): Promise<void> {
    const calls = Array.from({ length: 7 }, (_, index) =>
      toolUse(sibling.name, { index }, { id: `toolu_beside_${index}` }),
    );
    standIn.script(...Array.from({ length: 6 }, () => reply(text('Fine.'))), reply(...calls, asks()));
    for (let turn = 1; turn <= 6; turn++) await say(`message ${turn}`);
    await say('check', { tools: [sibling] });
    window.store.flush();
  }
  const turnsKept = () => window.chat.snapshot()?.turns.length;

  it('M5, M23: keeps no image that a sibling returned, and no turn has to leave for it', async () => {
    const data = Buffer.from(noise(400, 400)).toString('base64');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } } as const;
    await askBeside(tool('screenshot', () => ({ content: [image] })));
    assert.equal(turnsKept(), 7);
    assert.ok(workspace.state.bytes < 256 * 1024);
    assert.doesNotMatch(JSON.stringify(window.chat.snapshot()), new RegExp(data.slice(0, 40)));
    assert.match(JSON.stringify(window.chat.waiting()?.results), /\[Image sent: photo\]/);
    await reload();
    standIn.script(reply(text('Done.')));
    await say('O-1');
    assert.match(JSON.stringify(lastSent().at(-1)), /\[Image sent: photo\][^]*O-1/);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('M16, M23: keeps long results of siblings once, and goes on with them', async () => {
    await askBeside(tool('read', ({ input }) => ({ content: JSON.stringify(input).padEnd(30_000, 'x') })));
    assert.equal(turnsKept(), 7);
    assert.ok(workspace.state.bytes < 256 * 1024);
    await reload();
    standIn.script(reply(text('Done.')));
    await say('O-1');
    const results = blocksOf(lastSent().at(-1)!).map((block) =>
      block.type === 'tool_result' ? resultText(block).slice(0, 11) : block.type,
    );
    const read = Array.from({ length: 7 }, (_, index) => `{"index":${index}}`);
    assert.deepEqual(results, [...read, 'O-1']);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('M17: is asked again, and a question within the answer of a question goes on as well', async () => {
    standIn.script(
      reply(thinking('one'), asks()),
      reply(
        thinking('two'),
        toolUse('ask_user', { ...question, question: 'It has to begin with O.' }, { id: 'toolu_2' }),
      ),
      reply(text('Done.')),
    );
    await say('check');
    await say('12345');
    assert.deepEqual(
      [window.chat.waiting()?.tries, window.chat.params()],
      [2, {}],
      'what did not fit is no value',
    );
    await reload();
    await say('O-12345');
    assert.deepEqual(standIn.journal.refused, []);
    assert.deepEqual(window.chat.params(), { order_id: 'O-12345' });
    assert.equal(lastSent().length, 5);
  });

  it('M17: a third try without options or examples is refused, one with them is asked', async () => {
    const again = (id: string, input: object) => toolUse('ask_user', { ...question, ...input }, { id });
    standIn.script(
      reply(asks()),
      reply(again('t2', {})),
      reply(again('t3', {})),
      reply(again('t3b', { question: 'Which order would you like to cancel?' })),
      reply(again('t4', { options: ['O-1', 'O-2'] })),
    );
    await say('check');
    await say('one');
    await say('two');
    for (const at of [-3, -1]) {
      const refusal = blocksOf(lastSent().at(at)!)[0];
      assert.ok(refusal?.type === 'tool_result' && refusal.is_error);
      assert.match(JSON.stringify(refusal.content), /options, or with an example/);
    }
    const { tries, options, sentWith } = window.chat.waiting()!;
    assert.deepEqual([tries, options], [3, ['O-1', 'O-2']]);
    const [first, second] = window.chat.snapshot()!.turns;
    assert.deepEqual(sentWith, [first?.id, second?.id], 'whose words go with it when it is answered');
  });

  for (const example of [
    'Which order? It looks like O-1.',
    'Which order, for instance O-1?',
    '¿Qué pedido, p. ej. O-1?',
    'どの注文ですか（例：O-1）',
    '哪个订单？比如 O-1',
  ]) {
    it(`M17: a third try with an example is asked: ${example}`, async () => {
      standIn.script(
        reply(asks()),
        reply(asks()),
        reply(toolUse('ask_user', { ...question, question: example }, { id: 'toolu_3' })),
      );
      for (const words of ['check', 'one', 'two']) await say(words);
      assert.equal(window.chat.waiting()?.question, example);
    });
  }

  it('L10, M16: answered with another model picked, it is sent without the thoughts of the one before', async () => {
    for (const askInPlace of [undefined, () => Promise.resolve(undefined)]) {
      standIn.script(reply(thinking('I need the id.'), asks()), reply(text('It was shipped.')));
      await say('I want to check my order', { ...(askInPlace && { askInPlace }) });
      await reload();
      await say('O-12345', { modelId: 'claude-opus-5-5' });
      assert.match(JSON.stringify(lastSent().at(-1)), /toolu_ask[^]*O-12345/);
      assert.doesNotMatch(JSON.stringify(lastSent()), /"type":"thinking"/);
      await window.chat.clear();
    }
  });

  it('M17: another subject reaches Claude as the result and is not kept as the value', async () => {
    standIn.script(reply(asks()), reply(text('It is noon.')), reply(text('Bye.')));
    await say('check');
    await say('What time is it?');
    assert.match(JSON.stringify(lastSent().at(-1)), /"tool_use_id":"toolu_ask"[^]*What time is it\?/);
    assert.deepEqual([window.chat.waiting(), window.chat.params()], [undefined, {}]);
    await say('bye');
  });

  it('M2, M17: ends with clear, and with the conversation when that expires', async () => {
    const later = () => (workspace.now += 1801 * 1000);
    for (const end of [() => window.chat.clear(), later]) {
      standIn.script(reply(asks()), reply(text('Hello.')));
      await say('check');
      await end();
      await say('O-12345');
      assert.deepEqual(
        lastSent().map(({ content }) => JSON.stringify(content).includes('tool_result')),
        [false],
      );
      assert.deepEqual([window.chat.waiting(), window.chat.params()], [undefined, {}]);
      await window.chat.clear();
    }
  });

  it('M17: is answered by an attachment or by nothing at all, and neither is kept as the value', async () => {
    const left = { kind: 'unreadable', name: 'order.bin', reason: 'it is too large', shown: '' } as const;
    for (const attachments of [[left], []]) {
      standIn.script(reply(asks()), reply(text('Thank you.')));
      await say('check');
      await say(withAttachments('', attachments).content);
      assert.match(JSON.stringify(lastSent().at(-1)), /"tool_use_id":"toolu_ask"/);
      assert.deepEqual([window.chat.waiting(), window.chat.params()], [undefined, {}]);
      await window.chat.clear();
    }
  });

  it('M17: is answered with a tool attached, and the words alone are the value', async () => {
    standIn.script(reply(asks()), reply(text('Thank you.')));
    await say('check');
    await say(withAttachments('O-12345', [], ['(Prefer look_up.)']).content);
    assert.match(JSON.stringify(lastSent().at(-1)), /Prefer look_up[^]*O-12345/);
    assert.deepEqual(window.chat.params(), { order_id: 'O-12345' });
  });

  it('M13, M16: is answered again when the answer was retried or edited', async () => {
    standIn.script(reply(asks()), reply(text('Thank you.')), apiError(401), reply(text('Better.')));
    const shownAt = { thread: 's', position: 0 };
    await say('check', { shownAt });
    await say('O-1', { shownAt });
    assert.deepEqual(window.chat.params(), { order_id: 'O-1' });
    await window.chat.rewind([window.chat.snapshot()!.turns.at(-1)!.id]);
    assert.deepEqual(window.chat.params(), {});
    assert.equal((await say('O-2', { shownAt })).end.reason, 'failed');
    await say('O-3', { shownAt });
    const [result] = blocksOf(lastSent().at(-1)!);
    assert.ok(result?.type === 'tool_result');
    assert.deepEqual([result.tool_use_id, result.content], ['toolu_ask', 'O-3']);
    assert.deepEqual(window.chat.params(), { order_id: 'O-3' });
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('M17, M20: a question of a turn that no thread shows, as one that was resumed, is not answered', async () => {
    standIn.script(reply(asks()), reply(text('Hello.')));
    await say('check');
    await window.chat.setWaiting(undefined);
    await say('O-1', { shownAt: { thread: 's', position: 0 } });
    assert.doesNotMatch(JSON.stringify(lastSent().at(-1)), /tool_result/);
  });

  it('M7: still waits when the answer could not be sent', async () => {
    standIn.script(reply(asks()), apiError(401), reply(text('Thank you.')));
    await say('check');
    assert.equal((await say('O-12345')).end.reason, 'failed');
    assert.deepEqual([window.chat.waiting()?.param, window.chat.params()], ['order_id', {}]);
    assert.equal((await say('O-12345')).end.reason, 'answered');
    assert.match(JSON.stringify(lastSent().at(-1)), /toolu_ask/);
  });

  it('M16: is safe before it is shown in place, and the same turn goes on with the answer', async () => {
    standIn.script(reply(thinking('hm'), asks()), reply(text('Thank you.')));
    let atQuestion: unknown;
    const end = await say('check', {
      askInPlace: async () => {
        window.store.flush();
        const other = await workspace.reopen();
        atQuestion = [other.chat.waiting()?.toolUse.id, other.chat.history().length];
        return 'O-12345';
      },
    });
    assert.deepEqual(atQuestion, ['toolu_ask', 4]);
    assert.equal(end.end.reason, 'answered');
    assert.match(JSON.stringify(lastSent().at(-1)), /toolu_ask[^]*O-12345/);
    assert.deepEqual(window.chat.params(), { order_id: 'O-12345' });
    assert.equal(window.chat.waiting(), undefined);
    assert.equal(window.chat.snapshot()?.turns.length, 1);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('M2, M16: keeps its conversation for as long as the card is open', async () => {
    standIn.script(
      reply(text('Hello.')),
      reply(thinking('hm'), asks()),
      reply(text('Thank you.')),
      reply(text('Yes.')),
    );
    await say('hello');
    const askInPlace = async () => {
      workspace.now += 3600_000;
      await window.memory.refresh();
      return 'O-12345';
    };
    assert.equal((await say('check', { askInPlace })).end.reason, 'answered');
    await say('still there?');
    assert.match(JSON.stringify(lastSent()), /hello[^]*check[^]*O-12345[^]*still there/);
    assert.deepEqual(await window.memory.archived(), []);
    assert.deepEqual(window.chat.params(), { order_id: 'O-12345' });
  });

  it('M16: a window that dies with the question open leaves it waiting', async () => {
    standIn.script(reply(thinking('hm'), asks()), reply(text('Thank you.')));
    await new Promise<void>((resolve) => {
      const askInPlace = () => {
        resolve();
        return new Promise<undefined>(() => undefined);
      };
      void say('check', { askInPlace });
    });
    await reload();
    await say('O-12345');
    assert.match(JSON.stringify(lastSent().at(-1)), /"tool_use_id":"toolu_ask"[^]*O-12345/);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('M15: params come with every message, outlive their turns, and their values are never logged', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    standIn.script(
      reply(toolUse('remember', { name: 'order_id', value: 'O-54321' })),
      reply(text('Noted.')),
      ...Array.from({ length: 4 }, () => reply(text('Fine.'))),
      reply(toolUse('forget', { name: 'order_id' })),
      reply(text('Gone.')),
      reply(text('No.')),
    );
    await say('my order is O-54321');
    for (const message of ['a', 'b', 'c', 'd']) await say(message);
    assert.match(JSON.stringify(lastSent().at(-1)), /remembered[^]*order_id: .{1,4}O-54321/);
    assert.doesNotMatch(JSON.stringify(lastSent().slice(0, -1)), /O-54321/);
    await say('forget it');
    await say('what is my order?');
    assert.doesNotMatch(JSON.stringify(lastSent().at(-1)), /O-54321/);
    assert.match(workspace.logged.join('\n'), /params=\[order_id\]/);
    assert.doesNotMatch(workspace.logged.join('\n'), /O-54321|sk-ant/);
  });

  it('M13, M15: what Claude forgot in a turn is remembered again when that turn is taken back', async () => {
    standIn.script(
      reply(toolUse('remember', { name: 'order_id', value: 'O-54321' })),
      reply(text('Noted.')),
      reply(toolUse('forget', { name: 'order_id' })),
      reply(text('Gone.')),
    );
    await say('my order is O-54321');
    await say('forget it');
    assert.deepEqual(window.chat.params(), {});
    const [, forgetting] = window.chat.snapshot()?.turns ?? [];
    await window.chat.rewind(forgetting ? [forgetting.id] : []);
    assert.deepEqual(window.chat.params(), { order_id: 'O-54321' });
  });

  it('M12: what is asked once, or by another extension, neither answers the question nor asks one', async () => {
    standIn.script(reply(asks()), reply(text('Noon.')), reply(text('Four.')));
    await say('check');
    const before = structuredClone(window.chat.snapshot());
    await say('what time is it', { isStateless: true });
    assert.deepEqual(window.chat.snapshot(), before);
    const { messages, tools } = standIn.journal.messages[1]!.body as {
      messages: [];
      tools: { name: string }[];
    };
    assert.deepEqual([messages.length, tools.map(({ name }) => name)], [1, ['look_up']]);
    await say('two and two', { isUnattended: true });
    assert.doesNotMatch(JSON.stringify(lastSent().at(-1)), /toolu_ask/);
  });
});
