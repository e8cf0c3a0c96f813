import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/agent/events';
import { createAssistant, type Assistant, type AssistantRequest } from '../../../src/core/assistant';
import { ModelError } from '../../../src/core/errors';
import { decodeRecord } from '../../../src/core/ledger/decodeRecord';
import { partsOf, type AnswerRecord } from '../../../src/core/ledger/record';
import { inputTokens } from '../../../src/core/messages';
import type { Model } from '../../../src/core/ports';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../src/storage/sqlite';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import {
  answer,
  says,
  scriptedModel,
  text as textBlock,
  toolUse,
  type Step,
} from '../../support/scriptedModel';

const lookUp: Step = [answer([toolUse('t1', 'look', {})], 'tool_use')];
const fails: Step = [new ModelError('bad-request', 'no')];

describe('the assistant', () => {
  let workspace: TestWorkspace;
  let window: ReturnType<TestWorkspace['open']>;

  let causes: unknown[];

  beforeEach(async () => {
    causes = [];
    workspace = new TestWorkspace();
    window = await workspace.reopen();
  });

  function openAssistant(records: AnswerRecord[] = []): Assistant {
    let ids = 0;
    return createAssistant({
      memory: window.memory,
      ledger: { add: (record) => void records.push(record) },
      clock: () => workspace.now,
      ids: () => `turn-${++ids}`,
      log: {
        info: (line) => workspace.logged.push(line),
        warn: (line) => workspace.logged.push(line),
        error: (line, cause) => {
          workspace.logged.push(line);
          if (cause !== undefined) causes.push(cause);
        },
      },
    });
  }

  function ask(
    model: Model,
    more: Partial<AssistantRequest> = {},
    signal = new AbortController().signal,
    assistant = openAssistant(),
  ) {
    const request: AssistantRequest = {
      conversationId: 'workspace',
      model,
      modelId: 'scripted',
      system: [],
      tools: [
        {
          name: 'look',
          description: 'Looks.',
          inputSchema: { type: 'object' },
          effect: 'reads',
          run: async () => ({ content: 'a secret garden' }),
        },
      ],
      userContent: 'where is the garden',
      maxRounds: 25,
      yieldRequested: () => false,
      wait: () => Promise.resolve(),
      random: () => 0,
      ...more,
    };
    return assistant.answer(request, signal);
  }

  async function finish(events: AsyncIterable<AgentEvent>): Promise<void> {
    for await (const event of events) if (event.type === 'turn-end') return;
  }

  it('has saved a turn before it reports its end', async () => {
    const { id, events } = ask(scriptedModel(says('Behind the wall.')));
    for await (const event of events) {
      if (event.type === 'turn-end') assert.equal(window.chat.snapshot()?.turns[0]?.id, id);
    }
    assert.equal(window.chat.snapshot()?.turns[0]?.outcome, 'finished');
  });

  it('keeps the system prompt for an hour in the cache once somebody has paused, also in other conversations', async () => {
    const model = scriptedModel(says('one'), says('two'), says('three'));
    const assistant = openAssistant();
    const system = [{ type: 'text', text: 'Be kind.' }] as const;
    for (const conversationId of ['a', 'a', 'b']) {
      await finish(ask(model, { conversationId, system }, undefined, assistant).events);
      workspace.now += 600_000;
    }
    assert.deepEqual(
      model.requests.map((request) => request.system[0]?.cache_control?.ttl),
      [undefined, '1h', '1h'],
    );
  });

  it('gives Claude what was said before', async () => {
    await finish(ask(scriptedModel(says('Behind the wall.'))).events);
    const second = scriptedModel(says('As I said.'));
    await finish(ask(second, { userContent: 'and now' }).events);
    assert.match(
      JSON.stringify(second.requests[0]?.messages),
      /where is the garden[^]*Behind the wall\.[^]*and now/,
    );
  });

  it('M7: leaves memory as it was when a turn fails before a tool round is complete', async () => {
    await finish(ask(scriptedModel(says('Before.'))).events);
    const before = window.chat.history();
    await finish(ask(scriptedModel(fails)).events);
    assert.deepEqual(window.chat.history(), before);
  });

  it('M7: keeps a turn that fails after a tool round, as interrupted', async () => {
    await finish(ask(scriptedModel(lookUp, fails)).events);
    const [turn] = window.chat.snapshot()?.turns ?? [];
    assert.equal(turn?.outcome, 'interrupted');
    assert.match(JSON.stringify(turn?.messages), /a secret garden[^]*failed before this was finished/);
  });

  it('M8: has each round on the disk while the turn still runs', async () => {
    const { events } = ask(scriptedModel(lookUp, says('Found.')));
    for await (const event of events) {
      if (event.type !== 'round-end') continue;
      window.kill();
      const after = await workspace.reopen();
      assert.equal(after.chat.snapshot()?.turns[0]?.outcome, 'interrupted');
      assert.match(JSON.stringify(after.chat.history()), /a secret garden/);
      return;
    }
    assert.fail('There was no round.');
  });

  it('M7: keeps what was done when whoever shows the turn fails in the middle', async () => {
    const { events } = ask(scriptedModel(lookUp, says('Found.')));
    await assert.rejects(async () => {
      for await (const event of events) if (event.type === 'round-end') throw new Error('the panel broke');
    });
    assert.equal(window.chat.snapshot()?.turns[0]?.outcome, 'interrupted');
  });

  it('M12: neither reads nor writes memory for a stateless request', async () => {
    await finish(ask(scriptedModel(says('Before.'))).events);
    const before = window.chat.snapshot();
    const model = scriptedModel(says('Alone.'));
    await finish(ask(model, { isStateless: true }).events);
    assert.equal(model.requests[0]?.messages.length, 1);
    assert.deepEqual(window.chat.snapshot(), before);
  });

  const noted = (id: number, text: string) => ({
    id,
    text,
    at: 0,
    origin: { isAskedFor: true, after: [] },
  });

  it('M28: sends the notes of the workspace as the last part of the system prompt, and says so in the ledger', async () => {
    const model = scriptedModel(says('Tabs.'));
    const records: AnswerRecord[] = [];
    const system = [{ type: 'text', text: 'Be kind.' }] as const;
    const many = Array.from({ length: 40 }, (_, at) => noted(at + 1, `${at} ${'word '.repeat(90).trim()}`));
    await finish(ask(model, { system, notes: many }, undefined, openAssistant(records)).events);
    const [instructions, section, ...rest] = model.requests[0]?.system ?? [];
    assert.equal(instructions?.text, 'Be kind.');
    assert.deepEqual(rest, []);
    const sent = many.filter(({ text }) => section?.text.includes(`: ${text}`)).map(({ id }) => id);
    assert.ok(sent.length > 10 && sent.length < 40 && sent.at(-1) === 40);
    const [record] = records;
    assert.deepEqual(
      record?.sent.flatMap((item) => (item.kind === 'note' ? [item.note] : [])),
      sent,
    );
    assert.deepEqual(
      record?.unsentNotes,
      many.map(({ id }) => id).filter((id) => !sent.includes(id)),
    );
    const tokens = record?.sent.reduce((sum, item) => sum + item.tokens, 0);
    assert.equal(tokens, record && inputTokens(record.usage));
    assert.doesNotMatch(JSON.stringify(record), /word/);
  });

  it('M12, M28: sends none with a stateless request, and nothing more where there are none', async () => {
    const model = scriptedModel(says('Alone.'), says('Bare.'));
    const notes = [noted(1, 'We use tabs.')];
    await finish(ask(model, { isStateless: true, notes }).events);
    await finish(ask(model, { notes: [] }).events);
    assert.deepEqual(
      model.requests.map(({ system }) => system),
      [[], []],
    );
  });

  describe('when a turn fails', () => {
    const failing = (error: unknown): Step =>
      async function* fail() {
        yield* [];
        throw error;
      };

    it('L7: logs kind, status and request id, of tries that are repeated too', async () => {
      const busy = new ModelError('overloaded', 'no', { status: 529, requestId: 'req_1', isRetryable: true });
      const gone = new ModelError('unreachable', 'getaddrinfo ENOTFOUND nowhere');
      await finish(ask(scriptedModel(failing(busy), failing(gone))).events);
      assert.deepEqual(
        workspace.logged.filter((line) => !/^(received|responded)/.test(line)),
        [
          'retry kind=overloaded status=529 request=req_1',
          'failed kind=unreachable status=none request=none: getaddrinfo ENOTFOUND nowhere',
        ],
      );
    });

    it('hands on the exception, if it is a bug of ours', async () => {
      const bug = new TypeError('undefined is not iterable');
      await finish(ask(scriptedModel(failing(bug))).events);
      assert.ok(workspace.logged.includes('failed kind=unexpected status=none request=none'));
      assert.deepEqual(causes, [bug]);
    });

    it('M22: logs nothing that was said, remembered or read, whoever repeats it', async () => {
      const canary = 'canary-4711';
      await window.chat.merge({ order_id: canary });
      const echoes: readonly unknown[] = [
        new ModelError('bad-request', `messages.0: ${canary}`, { status: 400 }),
        new ModelError('not-claude', canary, { gatewayMessage: `You said: ${canary}` }),
        new ModelError('server-error', canary, { gatewayMessage: canary, isRetryable: true, status: 500 }),
      ];
      for (const error of echoes) {
        const steps = Array.from({ length: 5 }, () => failing(error));
        await finish(ask(scriptedModel(lookUp, ...steps), { userContent: `the plan is ${canary}` }).events);
      }
      assert.deepEqual(
        workspace.logged.filter((line) => line.includes('canary')),
        [],
      );
    });
  });

  it('M22: logs one line when a message is received and one when it was answered, without a word of it', async () => {
    await window.chat.merge({ order_id: 'O-12345' });
    await finish(ask(scriptedModel(lookUp, says('Behind the wall.'))).events);
    assert.deepEqual(
      workspace.logged.map((line) => line.split(' ')[0]),
      ['received', 'responded'],
    );
    assert.match(workspace.logged[0] ?? '', /conversation=workspace .*params=\[order_id\] waiting=none/);
    assert.match(workspace.logged[1] ?? '', /end=answered rounds=2 tokens=.* duration=0ms/);
    assert.doesNotMatch(workspace.logged.join('\n'), /garden|wall|O-12345/);
  });

  it('looks at the database once for a message, and makes each turn ready to be sent once', async () => {
    const counts = { looks: 0, reads: 0 };
    const counted = new TestWorkspace();
    const open = async () => {
      const database = createMemoryDatabase(await Sqlite.open(counted.file));
      return {
        ...database,
        hasNews: () => {
          counts.looks++;
          return database.hasNews();
        },
        read: () => {
          counts.reads++;
          return database.read();
        },
      };
    };
    [workspace, window] = [counted, await counted.reopen({ open })];
    for (let turn = 0; turn < 10; turn++) await window.chat.saveTurn(workspace.turn(`t${turn}`));
    const history = window.chat.view()?.history;
    Object.assign(counts, { looks: 0, reads: 0 });
    await window.memory.refresh();
    await finish(ask(scriptedModel(says('Fine.')), { shownAt: { thread: 's', position: 10 } }).events);
    assert.deepEqual(counts, { looks: 1, reads: 0 });
    assert.equal(history?.length, 10);
    assert.equal(window.chat.view()?.history, window.chat.view()?.history, 'all that read it get one value');
  });

  it('M27: offers recall where there is a memory to look into, which finds what is not in sight', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await finish(
      ask(scriptedModel(says('It is 8124.')), { canRecall: true, userContent: 'which port' }).events,
    );
    workspace.now += 1000;
    await finish(ask(scriptedModel(says('Fine.')), { turnId: 'b', userContent: 'the port again' }).events);
    workspace.now += 1000;
    const seen: (readonly string[])[] = [];
    const model = scriptedModel(
      [answer([toolUse('t1', 'recall', { query: 'port' })], 'tool_use')],
      says('8124.'),
    );
    const results: string[] = [];
    for await (const event of ask(model, { turnId: 'c', canRecall: true }).events)
      if (event.type === 'tool-end') results.push(JSON.stringify(event.output.content));
    assert.equal(results.length, 1);
    assert.match(results[0] ?? '', /turn turn-1\][^]*8124/);
    assert.doesNotMatch(results[0] ?? '', /turn b\]/);

    for (const more of [
      { canRecall: true, isStateless: true },
      { canRecall: false },
      { canRecall: true, disabledTools: ['recall'] },
    ]) {
      const offered = scriptedModel(says('Yes.'));
      await finish(ask(offered, { ...more, turnId: `d${seen.length}` }).events);
      seen.push((offered.requests[0]?.tools ?? []).map((tool) => ('name' in tool ? tool.name : '')));
    }
    assert.deepEqual(
      seen.map((names) => names.includes('recall')),
      [false, false, false],
    );
  });

  it('L16: what scouts take is part of the turn, with a part of its own in the ledger', async () => {
    const cost = (input: number, output: number) => ({
      input,
      cacheRead: 0,
      cacheWrite: 0,
      output,
      cost: input,
    });
    const own = scriptedModel(
      [
        answer([toolUse('t1', 'explore', { questions: ['which garden'] })], 'tool_use', {
          usage: cost(10, 1),
        }),
      ],
      [answer([textBlock('The rose garden.')], 'end_turn', { usage: cost(20, 2) })],
    );
    const scout = scriptedModel(
      [answer([toolUse('s1', 'look', {})], 'tool_use', { usage: cost(100, 5) })],
      [answer([textBlock('Roses.')], 'end_turn', { usage: cost(200, 6) })],
    );
    const model: Model = {
      stream: (request, signal) => (request.model === 'cheap' ? scout : own).stream(request, signal),
    };
    const look = { name: 'look', description: '', inputSchema: { type: 'object' }, effect: 'reads' } as const;
    const tools = [{ ...look, run: async () => ({ content: 'a thousand roses' }) }];
    const records: AnswerRecord[] = [];
    const scouts = { modelId: 'cheap', system: [], tools };
    const { events } = ask(model, { scouts, isPlanning: true }, undefined, openAssistant(records));
    const ends: AgentEvent[] = [];
    for await (const event of events) if (event.type === 'turn-end') ends.push(event);
    const [end] = ends;
    assert.ok(end?.type === 'turn-end');
    assert.deepEqual(end.usage, cost(330, 14));
    assert.deepEqual(end.side, [{ kind: 'scouts', requests: 2, usage: { ...cost(300, 11), cost: 300 } }]);
    const [record] = records;
    assert.ok(record);
    assert.deepEqual(record.sent.at(-1), {
      kind: 'scouts',
      tokens: 300,
      output: 11,
      requests: 2,
      cost: 300,
    });
    assert.equal(record.requests, 4);
    assert.equal(
      record.sent.reduce((sum, { tokens }) => sum + tokens, 0),
      inputTokens(record.usage),
    );
    assert.deepEqual(decodeRecord(JSON.parse(JSON.stringify(record))), record);
    const parts = partsOf(record);
    assert.deepEqual([parts.scouts, parts.answer], [311, 3]);
    const kept = JSON.stringify(window.chat.snapshot());
    assert.match(kept, /Roses\./);
    assert.equal(kept.includes('a thousand roses'), false, 'what they read is not remembered');
  });

  it('L6, L16: what scouts took until Stop is in the receipt and in the ledger', async () => {
    const spent = { input: 40, cacheRead: 0, cacheWrite: 0, output: 4, cost: 1 };
    const stop = new AbortController();
    const own = scriptedModel([
      answer([toolUse('t1', 'explore', { questions: ['which garden'] })], 'tool_use'),
    ]);
    const waiting = scriptedModel(async function* (_request, signal) {
      setTimeout(() => stop.abort(), 5);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      // As over a network: a moment later.
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield { type: 'spent', usage: spent };
      throw new Error('stopped');
    });
    const model: Model = {
      stream: (request, signal) => (request.model === 'cheap' ? waiting : own).stream(request, signal),
    };
    const records: AnswerRecord[] = [];
    const scouts = { modelId: 'cheap', system: [], tools: [] };
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const { events } = ask(model, { scouts, wait }, stop.signal, openAssistant(records));
    const ends: AgentEvent[] = [];
    for await (const event of events) if (event.type === 'turn-end') ends.push(event);
    const [end] = ends;
    assert.ok(end?.type === 'turn-end');
    assert.deepEqual(end.side, [{ kind: 'scouts', requests: 1, usage: spent }]);
    assert.equal(records[0]?.usage.cost, 1);
  });

  it('L16: there are no scouts where there is nothing for them to read with', async () => {
    const model = scriptedModel(says('hello'));
    await finish(ask(model).events);
    assert.equal(JSON.stringify(model.requests[0]?.tools).includes('explore'), false);
  });
});
