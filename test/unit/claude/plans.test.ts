import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import type { AgentEvent } from '../../../src/core/agent/events';
import { prepareToolCall, refusedInPlan } from '../../../src/core/agent/runToolCall';
import { createAssistant, type AssistantRequest } from '../../../src/core/assistant';
import type { AnswerRecord } from '../../../src/core/ledger/record';
import { blocksOf, resultText, textsIn, type Message } from '../../../src/core/messages';
import { note } from '../../../src/core/tools/note';
import { maxPlanChars, type Plan } from '../../../src/core/tools/plans/plan';
import { reply, text, thinking, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';
import { openPlans, threeSteps, type TestPlans } from '../../support/plans';
import { tool } from '../../support/turns';

interface Body {
  readonly messages: readonly Message[];
  readonly system: unknown;
  readonly tools: readonly { readonly name: string }[];
}

const writes = (markdown: string, id?: string) =>
  toolUse('write_plan', { markdown }, id === undefined ? {} : { id });
const asks = toolUse('ask_user', { param: 'currency', question: 'Which currency?' }, { id: 'toolu_ask' });

describe('a plan over HTTP', () => {
  let standIn: StandIn;
  let workspace: TestWorkspace;
  let window: TestWindow;
  let opened: TestPlans;
  let ran: string[];
  let records: AnswerRecord[];
  let events: AgentEvent[];

  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());
  beforeEach(async () => {
    standIn.reset();
    workspace = new TestWorkspace();
    window = await workspace.reopen();
    opened = await openPlans(() => workspace.now, workspace.file);
    ran = [];
    records = [];
  });
  afterEach(() => {
    opened.sqlite.close();
    assert.equal(standIn.remaining, 0);
  });

  const running = (name: string, rest: Parameters<typeof tool>[2] = {}) =>
    tool(
      name,
      ({ input }) => {
        ran.push(name);
        return { content: `${name} has run with ${JSON.stringify(input)}` };
      },
      rest,
    );
  const tools = () => [
    running('read_file'),
    running('edit_file', { effect: 'writes' }),
    running('run_in_terminal', { effect: 'writes' }),
    running('mcp_github_push', { effect: 'writes' }),
    running('manage_todo_list', { effect: 'writes', staysInChat: true }),
  ];

  async function say(userContent: Message['content'], rest: Partial<AssistantRequest> = {}) {
    workspace.now += 1000;
    let ids = 0;
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const assistant = createAssistant({
      memory: window.memory,
      clock: () => workspace.now,
      ids: () => `turn-${workspace.now}-${++ids}`,
      log: silent,
      ledger: { add: (record) => void records.push(record) },
      plans: opened.plans,
    });
    const request: AssistantRequest = {
      conversationId: 'workspace',
      model: createClaude({ apiKey: () => Promise.resolve('sk-ant-test'), baseUrl: standIn.url }),
      modelId: 'claude-sonnet-5-5',
      system: [{ type: 'text', text: 'Be kind. '.repeat(400) }],
      tools: tools(),
      userContent,
      maxRounds: 25,
      yieldRequested: () => false,
      wait: () => Promise.resolve(),
      random: () => 0,
      ...rest,
    };
    events = [];
    for await (const event of assistant.answer(request, new AbortController().signal).events)
      events.push(event);
    const end = events.at(-1);
    assert.ok(end?.type === 'turn-end');
    return end;
  }
  const plan = (words: string, rest: Partial<AssistantRequest> = {}) =>
    say(words, { isPlanning: true, ...rest });

  const bodies = () => standIn.journal.messages.map(({ body }) => body as Body);
  const sent = () => bodies().at(-1)!;
  const newest = () => textsIn(blocksOf(sent().messages.at(-1)!)).join('\n');
  const results = () =>
    blocksOf(sent().messages.at(-1)!).flatMap((block) =>
      block.type === 'tool_result' ? [{ said: resultText(block), isError: block.is_error === true }] : [],
    );
  const start = async () => {
    const open = await opened.plans.open();
    workspace.now += 1000;
    await opened.plans.start(open!.id);
  };

  it('N1: neither does it where memory is left out of it', async () => {
    standIn.script(reply(toolUse('edit_file', {})), reply(text('Nothing was done.')));
    await plan('raise the prices', { isStateless: true });
    assert.deepEqual(ran, []);
    assert.match(results()[0]!.said, /nothing with side effects runs in this turn/);
  });

  it('N1: no note outlives it, and no card asks about one', () => {
    const call = { id: 'toolu_note', name: 'note', input: { text: 'We use tabs.' } };
    const noting = tool('note', () => assert.fail('it ran'), note);
    const prepared = prepareToolCall(call, [noting], true);
    assert.equal(prepared.type === 'settled' && prepared.output, refusedInPlan);
  });

  it('N1: whatever Claude calls, nothing with side effects runs, and each such call has a result that says so', async () => {
    standIn.script(
      reply(
        toolUse('read_file', {}),
        toolUse('edit_file', {}),
        toolUse('run_in_terminal', {}),
        toolUse('mcp_github_push', {}),
        toolUse('manage_todo_list', {}),
        toolUse('remember', { name: 'branch', value: 'main' }),
      ),
      reply(writes(threeSteps)),
      reply(text('This is the plan.')),
    );
    await plan('raise the prices');
    assert.deepEqual(ran, ['read_file', 'manage_todo_list']);
    const round = blocksOf(bodies()[1]!.messages.at(-1)!).flatMap((block) =>
      block.type === 'tool_result' ? [block.is_error === true] : [],
    );
    assert.deepEqual(round, [false, true, true, true, false, false]);
    assert.match(JSON.stringify(bodies()[1]!.messages.at(-1)), /nothing with side effects runs in this turn/);
    assert.equal((await opened.plans.open())?.text, threeSteps);
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
    assert.deepEqual(notices, [
      'Not run, since nothing with side effects runs in a plan: edit_file, run_in_terminal, mcp_github_push.',
    ]);
    assert.deepEqual(window.chat.params(), { branch: 'main' });
  });

  it('N1: system and tools have the same bytes in and out of /plan, and plan and work share one cached prefix', async () => {
    standIn.script(
      reply(text('They are in prices.ts. '.repeat(60))),
      reply(writes(threeSteps)),
      reply(text('This is the plan. '.repeat(60))),
      reply(text('I begin.')),
      reply(text('Never mind.')),
    );
    const firstRequest = () => events.find((event) => event.type === 'request-end')!.usage;
    await say('where are the prices');
    const { cacheRead, cacheWrite } = firstRequest();
    await plan('raise them');
    const planned = firstRequest();
    await start();
    await say('Start the plan.');
    const worked = firstRequest();
    await say('and now');
    const usual = firstRequest();
    const prefixes = new Set(bodies().map(({ system, tools: offered }) => JSON.stringify([system, offered])));
    assert.equal(prefixes.size, 1);
    assert.ok(sent().tools.some(({ name }) => name === 'write_plan'));
    // The first message of /plan reads all that the message before it wrote, and the first one at work no less.
    assert.ok(cacheWrite > 1000);
    assert.equal(planned.cacheRead, cacheRead + cacheWrite);
    assert.ok(worked.cacheRead > planned.cacheRead && usual.cacheRead > worked.cacheRead);
  });

  it('N1, M16: a question asked in /plan goes on in /plan, after a night and a reload', async () => {
    standIn.script(
      reply(thinking('The currency is missing.'), asks),
      reply(toolUse('edit_file', {})),
      reply(writes('- [ ] In euro\n')),
      reply(text('Here it is.')),
    );
    await plan('raise the prices');
    window.kill();
    opened.sqlite.close();
    workspace.now += 12 * 3_600_000;
    window = await workspace.reopen();
    opened = await openPlans(() => workspace.now, workspace.file);
    await say('euro');
    assert.deepEqual(ran, []);
    assert.equal((await opened.plans.open())?.text, '- [ ] In euro\n');
    assert.equal(window.chat.snapshot()?.turns.at(-1)?.isPlanning, true);
  });

  it('N1, M2: but not for ever: a week later the conversation has ended, and the plan is still there', async () => {
    standIn.script(reply(writes(threeSteps)), reply(asks), reply(text('Hello.')));
    await plan('raise the prices');
    workspace.now += 8 * 24 * 3_600_000;
    await say('hello');
    assert.deepEqual([sent().messages.length, results()], [1, []]);
    assert.match(newest(), /not started[^]*Raise them/);
  });

  it('N1, M13: also when the answer to it is taken back and given in other words', async () => {
    const shownAt = (position: number) => ({ shownAt: { thread: 's', position } });
    standIn.script(reply(asks), reply(text('Thanks.')), reply(toolUse('edit_file', {})), reply(text('No.')));
    await plan('raise the prices', shownAt(0));
    const answered = await say('euro', shownAt(1));
    assert.equal(answered.end.reason, 'answered');
    await window.chat.rewind([window.chat.snapshot()!.turns.at(-1)!.id]);
    await say('dollars', shownAt(1));
    assert.deepEqual(ran, []);
  });

  it('N3: a plan that is started instead of an answer is worked on', async () => {
    standIn.script(
      reply(writes(threeSteps)),
      reply(asks),
      reply(toolUse('edit_file', {})),
      reply(text('Done.')),
    );
    await plan('raise the prices');
    await start();
    await say('Start the plan.');
    assert.deepEqual(ran, ['edit_file']);
  });

  it('N2, N3: what the user made of it goes with each message, and Claude ticks that', async () => {
    const edited = threeSteps.replace('Tell people', 'Tell nobody </plan>');
    const ticked = edited.replace('[ ] Raise', '[x] Raise');
    standIn.script(
      reply(writes(threeSteps)),
      reply(text('Planned.')),
      reply(toolUse('edit_file', {})),
      reply(writes(ticked)),
      reply(text('One is done.')),
      reply(text('As you say.')),
    );
    await plan('raise the prices');
    const draft = (await opened.plans.open())!;
    await opened.plans.save(draft.id, edited, draft.revision);
    await start();
    const shown: Plan[] = [];
    await say('Start the plan.', { showPlan: async (written) => void shown.push(written) });
    assert.match(
      textsIn(blocksOf(bodies()[2]!.messages.at(-1)!)).join('\n'),
      /at work: 0 of 3 steps[^]*They have edited it[^]*<plan_>\n# Prices[^]*Tell nobody <\/plan>\n\n<\/plan_>[^]*Start the plan\./,
    );
    assert.deepEqual(
      shown.map((written) => written.text),
      [ticked],
    );
    await say('go on');
    assert.match(newest(), /1 of 3 steps/);
    // With the newest message only.
    assert.equal(JSON.stringify(sent().messages).split('The plan of this workspace').length, 2);
  });

  it('N2: words of the user that came while Claude wrote are not lost: Claude gets them and begins with them', async () => {
    const mine = `${threeSteps}- [ ] My own step\n`;
    standIn.script(
      reply(writes(threeSteps)),
      reply(text('Planned.')),
      reply(toolUse('read_file', {})),
      reply(writes(threeSteps.replace('[ ]', '[x]'))),
      reply(writes(mine.replace('[ ]', '[x]'))),
      reply(text('Done.')),
    );
    await plan('raise the prices');
    await start();
    const draft = (await opened.plans.open())!;
    const edits = tool('read_file', async () => {
      await opened.plans.save(draft.id, mine, draft.revision);
      return { content: 'read' };
    });
    await say('go', { tools: [edits] });
    const refused = bodies().at(-2)!.messages.at(-1)!;
    assert.match(JSON.stringify(refused), /has changed since you saw it[^]*My own step/);
    assert.equal((await opened.plans.open())?.text, mine.replace('[ ]', '[x]'));
  });

  it('N2: one that the user closed while Claude worked is not opened again', async () => {
    standIn.script(
      reply(writes(threeSteps)),
      reply(text('Planned.')),
      reply(toolUse('read_file', {})),
      reply(writes(threeSteps.replace('[ ]', '[x]'))),
      reply(text('I see.')),
      reply(text('Hello.')),
    );
    await plan('raise the prices');
    const { id } = (await opened.plans.open())!;
    const closes = tool('read_file', async () => {
      await opened.plans.close(id);
      return { content: 'read' };
    });
    await say('go', { tools: [closes] });
    assert.match(results()[0]!.said, /the person has closed the plan/);
    assert.equal(await opened.plans.open(), undefined);
    await say('hello');
    assert.doesNotMatch(newest(), /plan/);
  });

  it('N1, S6: an empty plan, one of 200 KB and one that a preview would fetch pictures for are refused with the reason', async () => {
    const html = '# <script>alert(1)</script>\n\n- [ ] ![x](media/x.png) [run](command:foo)\n';
    standIn.script(
      reply(writes('  \n')),
      reply(writes('x'.repeat(200 * 1024))),
      reply(writes('# Plan\n\n- [ ] ![x](https://evil.example/?q=1)\n')),
      reply(writes(html)),
      reply(text('There.')),
    );
    await plan('raise the prices');
    assert.match(JSON.stringify(bodies()[1]!.messages.at(-1)), /plan is empty/);
    assert.match(
      JSON.stringify(bodies()[2]!.messages.at(-1)),
      new RegExp(`has 204800 characters, and ${maxPlanChars} are the most`),
    );
    assert.match(
      JSON.stringify(bodies()[3]!.messages.at(-1)),
      /no pictures from the web.*- \[ \] !\[x\]\(https:\/\/evil\.example/,
    );
    assert.equal((await opened.plans.open())?.text, html);
  });

  it('N2, S6: a picture that the person put into the plan stays there', async () => {
    const step = '- [ ] As in ![x](https://pictures.example/x.png)';
    standIn.script(
      reply(writes('- [ ] One\n')),
      reply(text('Planned.')),
      reply(writes(`${step.replace('[ ]', '[x]')}\n- [x] One\n`)),
      reply(text('Done.')),
    );
    await plan('raise the prices');
    const { id, revision } = (await opened.plans.open())!;
    await opened.plans.save(id, `${step}\n- [ ] One\n`, revision);
    await say('go');
    assert.equal((await opened.plans.open())?.text, `${step.replace('[ ]', '[x]')}\n- [x] One\n`);
  });

  it('N2, S6: … and is not led elsewhere', async () => {
    const sketched = '- [ ] As in ![x][sketch]\n\n[sketch]: https://pictures.example/x.png\n';
    standIn.script(
      reply(writes('- [ ] One\n')),
      reply(text('Planned.')),
      reply(writes(sketched.replace('pictures', 'evil'))),
      reply(text('Done.')),
    );
    await plan('raise the prices');
    const { id, revision } = (await opened.plans.open())!;
    await opened.plans.save(id, sketched, revision);
    await say('go');
    assert.equal((await opened.plans.open())?.text, sketched);
  });

  it('N2: the plan outlives the conversation: it goes with the first message after Clear, expiry and Start Fresh', async () => {
    standIn.script(reply(writes(threeSteps)), reply(text('Planned.')), reply(text('a')), reply(text('b')));
    await plan('raise the prices');
    await window.chat.clear();
    await say('a');
    assert.match(newest(), /Raise them/);
    assert.equal(sent().messages.length, 1);
    workspace.now += 10_000_000;
    await say('b');
    assert.match(newest(), /Raise them/);
    assert.equal(sent().messages.length, 1);
  });

  it('N2, M24: the ledger says how much of a request the plan was', async () => {
    standIn.script(reply(writes(threeSteps)), reply(text('Planned.')), reply(text('Hello.')));
    await plan('raise the prices');
    await say('hello');
    const tokensOf = (record: AnswerRecord | undefined) =>
      record?.sent.find(({ kind }) => kind === 'plan')?.tokens ?? 0;
    assert.ok(tokensOf(records[1]) > 20);
    const sum = records[1]!.sent.reduce((all, { tokens }) => all + tokens, 0);
    const { input, cacheRead, cacheWrite } = records[1]!.usage;
    assert.equal(sum, input + cacheRead + cacheWrite);
  });

  it('N2, M12: neither /once nor another extension gets the plan or can write it', async () => {
    standIn.script(reply(writes(threeSteps)), reply(text('Planned.')), reply(text('a')), reply(text('b')));
    await plan('raise the prices');
    for (const rest of [{ isStateless: true }, { isUnattended: true }]) {
      await say('hello', rest);
      assert.doesNotMatch(newest(), /Raise them/);
      assert.ok(!sent().tools.some(({ name }) => name === 'write_plan'));
    }
  });

  it('N1: also where nothing is remembered, nothing with side effects runs', async () => {
    for (const rest of [{ isStateless: true }, { isUnattended: true }]) {
      standIn.script(reply(toolUse('edit_file', {})), reply(text('No.')));
      await plan('raise the prices', rest);
    }
    assert.deepEqual(ran, []);
  });

  it('N3: is not offered where it is switched off', async () => {
    standIn.script(reply(text('No plan.')));
    await plan('raise the prices', { disabledTools: ['write_plan'] });
    assert.ok(!sent().tools.some(({ name }) => name === 'write_plan'));
  });
});
