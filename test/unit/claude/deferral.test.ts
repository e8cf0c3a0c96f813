import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { createAssistant, type AssistantRequest } from '../../../src/core/assistant';
import type { Tool } from '../../../src/core/tools/tool';
import { reply, stop, text, thinking, toolSearch, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import { sessionTools } from '../../support/session';
import { ranTurn, tool } from '../../support/turns';

interface Body {
  readonly tools: readonly {
    readonly name: string;
    readonly type?: string;
    readonly defer_loading?: boolean;
  }[];
  readonly messages: readonly { readonly content: readonly { readonly type: string }[] }[];
}

/** Tools of others, as many as these; each says what it is for. */
const foreign = (count: number, attached: readonly number[] = []): readonly Tool[] =>
  Array.from({ length: count }, (_, index) =>
    tool(`mcp_server_${String(index).padStart(3, '0')}`, () => ({ content: `did ${index}` }), {
      effect: 'writes',
      description: `Does thing${index} with a ticket.`,
      deferral: attached.includes(index) ? 'attached' : 'other',
    }),
  );

describe('many foreign tools over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());
  beforeEach(() => standIn.reset());
  afterEach(() => assert.equal(standIn.remaining, 0));

  const model = () => createClaude({ apiKey: async () => 'sk-ant-defer', baseUrl: standIn.url });
  const own = { modelId: 'claude-sonnet-5-5', maxOutputTokens: 1000 };
  const bodies = () => standIn.journal.messages.map(({ body }) => body as Body);
  const names = (body: Body | undefined) => body?.tools.map(({ name }) => name) ?? [];

  it('L15: are deferred, with the search of the API to find them', async () => {
    standIn.script(reply(text('Hello.')));
    await ranTurn({ ...own, model: model(), tools: [...sessionTools, ...foreign(40)] });
    const [body] = bodies();
    assert.equal(body?.tools.filter((one) => one.defer_loading === true).length, 40);
    assert.deepEqual(body?.tools.at(-1), {
      type: 'tool_search_tool_bm25_20251119',
      name: 'tool_search_tool_bm25',
    });
  });

  it('L15, M4: what was found is called; the search goes back within the turn and is not remembered', async () => {
    standIn.script(
      reply(thinking('Which tool?'), toolSearch('thing7'), toolUse('mcp_server_007', {})),
      reply(thinking('Once more.'), toolUse('mcp_server_007', { again: true })),
      reply(text('Done.')),
    );
    const { end, events } = await ranTurn({
      ...own,
      model: model(),
      tools: [...sessionTools, ...foreign(40)],
    });
    assert.equal(end.end.reason, 'answered');
    const outputs = events.flatMap((event) => (event.type === 'tool-end' ? [event.output.content] : []));
    assert.deepEqual(outputs, ['did 7', 'did 7']);
    const sent = bodies()[1]?.messages[1]?.content.map(({ type }) => type);
    assert.deepEqual(sent, ['thinking', 'server_tool_use', 'tool_search_tool_result', 'tool_use']);
    assert.equal(JSON.stringify(end.messages).includes('tool_search'), false);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('L4, L15: a search that paused goes on', async () => {
    standIn.script(
      reply(toolSearch('thing3'), stop('pause_turn')),
      reply(toolUse('mcp_server_003', {})),
      reply(text('Done.')),
    );
    const { end } = await ranTurn({ ...own, model: model(), tools: [...sessionTools, ...foreign(31)] });
    assert.equal(end.end.reason, 'answered');
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('L4, L15: a search that Claude asked for beside a call has no result yet, and the turn goes on', async () => {
    const pending = { tool: 'tool_search_tool_bm25', input: { query: 'thing3' }, found: undefined } as const;
    standIn.script(
      reply(
        ...[thinking('Both.'), { kind: 'server-tool', use: { ...pending, isPaused: true } } as const],
        toolUse(sessionTools[0]?.name ?? '', {}),
      ),
      reply(thinking('Again.'), toolSearch('thing3'), toolUse('mcp_server_003', {})),
      reply(text('Done.')),
    );
    const { end } = await ranTurn({ ...own, model: model(), tools: [...sessionTools, ...foreign(31)] });
    assert.equal(end.end.reason, 'answered');
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('L9, L15: the prefix stays the same while tools come and go', async () => {
    const system = [{ type: 'text', text: 'Be kind. '.repeat(800) }] as const;
    standIn.script(reply(text('One.')), reply(text('Two.')));
    await ranTurn({ ...own, system, model: model(), tools: [...sessionTools, ...foreign(40)] });
    await ranTurn({ ...own, system, model: model(), tools: [...sessionTools, ...foreign(90)] });
    const [first, second] = standIn.journal.messages.map(({ outcome }) => outcome.usage);
    assert.ok((first?.cache_creation_input_tokens ?? 0) > 2000);
    assert.equal(second?.cache_read_input_tokens, first?.cache_creation_input_tokens);
  });

  it('L15: an endpoint that refuses gets the first 100 after one retry, attached ones first', async () => {
    for (const features of [['defer_loading'], ['tool_search_tool_bm25_20251119']]) {
      standIn.reset();
      standIn.lacks(...features);
      standIn.script(reply(text('Hello.')));
      let refused = 0;
      const { end, shown } = await ranTurn({
        ...own,
        model: model(),
        tools: [...sessionTools, ...foreign(120, [119])],
        onToolSearchRefused: () => refused++,
      });
      assert.deepEqual([end.end.reason, shown, refused, bodies().length], ['answered', 'Hello.', 1, 2]);
      const sent = names(bodies()[1]).filter((name) => name.startsWith('mcp_'));
      assert.deepEqual([sent.length, sent.at(-1), sent.at(-2)], [100, 'mcp_server_119', 'mcp_server_098']);
      assert.equal(JSON.stringify(bodies()[1]?.tools).includes('defer_loading'), false);
    }
  });

  it('L15: what an endpoint refused is not tried again with that model, and said in the log', async () => {
    const workspace = new TestWorkspace();
    const window = await workspace.reopen();
    const warnings: string[] = [];
    const assistant = createAssistant({
      memory: window.memory,
      clock: () => workspace.now,
      ids: () => 'turn',
      log: { info: () => undefined, warn: (line) => void warnings.push(line), error: () => undefined },
    });
    const ask = async (modelId: string) => {
      const request: AssistantRequest = {
        conversationId: 'workspace',
        isStateless: true,
        model: model(),
        modelId,
        maxOutputTokens: 1000,
        system: [],
        tools: [...sessionTools, ...foreign(120)],
        userContent: 'hello',
        maxRounds: 5,
        yieldRequested: () => false,
        wait: () => Promise.resolve(),
        random: () => 0,
      };
      for await (const _ of assistant.answer(request, new AbortController().signal).events);
    };
    standIn.lacks('defer_loading');
    standIn.script(reply(text('One.')), reply(text('Two.')));
    await ask('claude-sonnet-5-5');
    await ask('claude-sonnet-5-5');
    assert.equal(bodies().length, 3);
    assert.deepEqual(warnings, [
      'no tool search for claude-sonnet-5-5: of 120 tools of others, 100 at most are sent',
    ]);
    standIn.lacks();
    standIn.script(reply(text('Three.')));
    await ask('claude-opus-5-5');
    assert.equal(JSON.stringify(bodies().at(-1)?.tools).includes('defer_loading'), true);
  });
});
