import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { describeEnd } from '../../../src/core/agent/describeEnd';
import type { AgentEvent } from '../../../src/core/agent/events';
import type { BudgetLimits } from '../../../src/core/agent/spending';
import { TurnModel } from '../../../src/core/agent/turnModel';
import { createAssistant, type AssistantRequest } from '../../../src/core/assistant';
import { OverBudget } from '../../../src/core/errors';
import type { Model } from '../../../src/core/ports';
import { apiError, drop, reply, text, toolUse, viaGateway, type Reply } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';
import { answer, scriptedModel, text as textBlock } from '../../support/scriptedModel';
import { openSpending, type TestSpending } from '../../support/spending';
import { tool } from '../../support/turns';

type End = Extract<AgentEvent, { type: 'turn-end' }>;

/** But for what only says that it takes too long. */
const noWait: AssistantRequest['wait'] = (ms, signal) =>
  ms < 60_000
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a budget', () => {
  let standIn: StandIn;
  let workspace: TestWorkspace;
  let window: TestWindow;
  let here: TestSpending;
  let there: TestSpending;
  let turns = 0;

  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());
  beforeEach(async () => {
    standIn.reset();
    workspace = new TestWorkspace();
    window = await workspace.reopen();
    here = await openSpending(() => workspace.now, workspace.file);
    there = await openSpending(() => workspace.now, workspace.file);
  });
  afterEach(() => {
    here.sqlite.close();
    there.sqlite.close();
  });

  /** Reads something else in each round, for as long as it may. */
  const works = (rounds: number): Reply[] =>
    Array.from({ length: rounds }, (_, round) => reply(toolUse('look', { round }), text('On. '.repeat(300))));

  async function ask(
    script: readonly Reply[],
    budget: BudgetLimits,
    more: Partial<AssistantRequest> = {},
    { spending } = here,
  ): Promise<{ readonly end: End; readonly notices: readonly string[] }> {
    const claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url });
    const replies = [...script];
    // What is never asked for must not be in the way of the next turn.
    const model: Model = {
      stream(request, signal) {
        standIn.script(...replies.splice(0, 1));
        return claude.stream(request, signal);
      },
    };
    const assistant = createAssistant({
      memory: window.memory,
      clock: () => workspace.now,
      ids: () => `turn-${++turns}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      summaries: { limits: () => workspace.limits, modelId: 'claude-haiku-5-5' },
      spending,
    });
    const turn = assistant.answer(
      {
        conversationId: 'workspace',
        model,
        modelId: 'claude-sonnet-5-5',
        system: [{ type: 'text', text: 'Be kind. '.repeat(1000) }],
        tools: [
          tool('look', ({ input }) => ({ content: `${JSON.stringify(input)} ${'a garden '.repeat(500)}` })),
        ],
        userContent: 'look around',
        maxRounds: 500,
        maxOutputTokens: 32_000,
        budget,
        yieldRequested: () => false,
        wait: noWait,
        random: () => 0,
        ...more,
      },
      new AbortController().signal,
    );
    const notices: string[] = [];
    let end: End | undefined;
    for await (const event of turn.events) {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type === 'turn-end') end = event;
    }
    assert.ok(end);
    return { end, notices };
  }

  const noLimit = { turn: 0, day: 0 };
  /** What is remembered there is not sent with what is asked here. */
  const elsewhere = { conversationId: 'elsewhere' };
  const costOf = ({ usage }: End) => usage.cost ?? 0;

  it('L14: a turn that would spend ten times its budget is stopped within it, and says what it took', async () => {
    const { end: free } = await ask([...works(40), reply(text('Done.'))], noLimit, elsewhere);
    assert.equal(free.end.reason, 'answered');
    const turn = costOf(free) / 10;
    const { end } = await ask(works(41), { turn, day: 0 });
    assert.equal(end.end.reason, 'budget');
    assert.ok(costOf(end) <= turn, `${costOf(end)} of ${turn}`);
    assert.ok(costOf(end) > turn / 3, `${costOf(end)} of ${turn}`);
    const kept = window.chat.snapshot()?.turns.at(-1);
    assert.equal(kept?.outcome, 'interrupted');
    assert.match(JSON.stringify(kept?.messages.at(-1)), /Stopped by the person's budget/);
    const { text: said = '', remedy } = describeEnd(end.end) ?? {};
    assert.match(said, new RegExp(`Stopped after \\$${costOf(end).toFixed(4)}: .*assistant\\.budget\\.turn`));
    assert.equal(remedy, 'continue-beyond');
  });

  it('L14: stays within it when the API drops its cache with every request', async () => {
    const drops = tool('look', ({ input }) => {
      standIn.dropCache();
      return { content: `${JSON.stringify(input)} ${'a garden '.repeat(500)}` };
    });
    const { end: free } = await ask([...works(40), reply(text('Done.'))], noLimit, {
      tools: [drops],
      ...elsewhere,
    });
    for (const part of [3, 10, 30]) {
      const turn = costOf(free) / part;
      const { end } = await ask(works(41), { turn, day: 0 }, { tools: [drops], conversationId: `${part}` });
      assert.equal(end.end.reason, 'budget');
      assert.ok(costOf(end) <= turn, `${costOf(end)} of ${turn}`);
    }
  });

  it('L14: stays within it when the cache is gone after many rounds that read from it', async () => {
    let rounds = 0;
    const dropsLate = tool('look', ({ input }) => {
      if (++rounds >= 8) standIn.dropCache();
      return { content: `${JSON.stringify(input)} ${'a garden '.repeat(500)}` };
    });
    const turn = 0.15;
    const { end } = await ask(works(41), { turn, day: 0 }, { tools: [dropsLate] });
    assert.equal(end.end.reason, 'budget');
    assert.ok(rounds >= 8 && costOf(end) <= turn, `${costOf(end)} of ${turn} in ${rounds}`);
  });

  it('L14: says what is likely where the worst is far from it', async () => {
    const { end: free } = await ask([...works(12), reply(text('Done.'))], noLimit);
    const { end } = await ask(works(12), { turn: costOf(free) / 3, day: 0 });
    const { text: said = '' } = describeEnd(end.end) ?? {};
    assert.match(said, /With what should be cached it is about \$0\.\d+, but the cache can be gone\./);
  });

  it('L14: gives the answer no more room than is left', async () => {
    const { end } = await ask([reply(text('Here.'))], { turn: 0.05, day: 0 });
    assert.equal(end.end.reason, 'answered');
    const sent = JSON.stringify(standIn.journal.messages.at(-1)?.body);
    const room = Number(/"max_tokens":(\d+)/.exec(sent)?.[1]);
    const input = costOf(end) - (end.usage.output * 10) / 1_000_000;
    assert.ok(input + (room * 10) / 1_000_000 <= 0.05, `${room} tokens`);
    assert.ok(room > 1000 && room < 5000, `${room} tokens`);
  });

  it('L14: two windows stay within the budget of the day together, whoever asks when', async () => {
    const { end: free } = await ask([...works(20), reply(text('Done.'))], noLimit, elsewhere);
    const day = costOf(free) / 2;
    workspace.now += 24 * 3_600_000;
    let spent = 0;
    for (let index = 0; index < 6; index++) {
      const limits = { turn: day / 3, day };
      const conversation = { conversationId: `${index}` };
      const { end } = await ask(works(20), limits, conversation, index % 2 === 0 ? here : there);
      assert.equal(end.end.reason, 'budget');
      spent += costOf(end);
    }
    assert.ok(spent <= day, `${spent} of ${day}`);
    assert.ok(spent > day / 2, `${spent} of ${day}`);
    assert.ok(Math.abs((await there.spending.today()).cost - spent) < 1e-9);
  });

  it('L14: requests of two windows at the same moment do not pass the limit of the day together', async () => {
    const { end: free } = await ask([reply(text('Done.'))], noLimit);
    workspace.now += 24 * 3_600_000;
    // Enough for one of them, with the shortest answer that is worth asking for.
    const limits = { turn: 0, day: costOf(free) + 0.015 };
    const gates = [here, there].map(({ spending }) => spending.gate(limits));
    const request = (index: number) => ({
      model: 'claude-sonnet-5-5',
      system: [],
      tools: [],
      messages: [{ role: 'user', content: `${index} ${'word '.repeat(1000)}` }] as const,
      maxOutputTokens: 32_000,
    });
    const admitted = await Promise.allSettled(
      gates.map((gate, index) => gate.admit(request(index), 'answer')),
    );
    assert.deepEqual(admitted.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const passed = admitted.find((one) => one.status === 'fulfilled');
    await passed?.value.settle({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 });
    await gates[0]?.admit(request(2), 'answer');
  });

  it('L14: a turn held before its first request says so, leaves nothing behind, and Continue sends it', async () => {
    await ask([reply(text('Before.'))], noLimit);
    const before = window.chat.history();
    const limits = { turn: 0.000_1, day: 0 };
    const { end } = await ask([reply(text('Never.'))], limits);
    assert.ok(end.end.reason === 'budget' && end.end.isHeld);
    assert.equal(costOf(end), 0);
    assert.deepEqual(window.chat.history(), before);
    const { text: said = '', remedy } = describeEnd(end.end) ?? {};
    assert.match(said, /^Not sent: this can take \$0\.\d+ or more, and one turn may take \$0\.0001 /);
    assert.equal(remedy, 'retry-beyond');
    const again = await ask([reply(text('Here.'))], limits, { isBeyondBudget: true });
    assert.equal(again.end.end.reason, 'answered');
  });

  it('L14: Continue goes on once: the next turn is held again, and a long one stops again', async () => {
    const { end: free } = await ask([...works(20), reply(text('Done.'))], noLimit);
    const limits = { turn: 0, day: costOf(free) / 2 };
    const { end: held } = await ask(works(1), limits);
    assert.ok(held.end.reason === 'budget' && held.end.isHeld);
    const { end: beyond } = await ask(works(20), limits, { isBeyondBudget: true });
    assert.equal(beyond.end.reason, 'budget');
    assert.ok(costOf(beyond) > 0 && costOf(beyond) <= limits.day, `${costOf(beyond)} of ${limits.day}`);
    const { end: after } = await ask(works(1), limits);
    assert.ok(after.end.reason === 'budget' && after.end.isHeld);
  });

  it('L14: scouts, the web and summaries count, and are held like the rest', async () => {
    const scouts = {
      modelId: 'claude-opus-5-5',
      system: [{ type: 'text', text: 'Look. '.repeat(2000) }] as const,
      tools: [tool('look', ({ input }) => ({ content: JSON.stringify(input) }))],
    };
    const sends = reply(toolUse('explore', { questions: ['Where?'] }));
    const { end } = await ask([sends, reply(text('There.')), reply(text('It is there.'))], noLimit, {
      scouts,
    });
    const side = end.side?.find(({ kind }) => kind === 'scouts')?.usage.cost ?? 0;
    assert.ok(side > 0);
    assert.ok(Math.abs((await there.spending.today()).cost - costOf(end)) < 1e-9);
    // Enough for Claude, and not for a scout.
    const turn = 0.035;
    const { end: short } = await ask([sends, reply(text('Without it.'))], { turn, day: 0 }, { scouts });
    assert.equal(short.end.reason, 'answered');
    assert.equal(short.side, undefined);
    assert.match(JSON.stringify(short.messages), /This scout was stopped: it would have passed/);
    assert.ok(costOf(short) <= turn);

    workspace.limits = { ...workspace.limits, maxTurns: 1, whenFull: 'summarize' };
    const day = (await here.spending.today()).cost;
    const { end: folded } = await ask([reply(text('They looked.')), reply(text('Done.'))], noLimit);
    assert.equal(folded.end.reason, 'answered');
    const models = standIn.journal.messages
      .slice(-2)
      .map(({ bodyText }) => /"model":"([^"]+)/.exec(bodyText)?.[1]);
    assert.deepEqual(models, ['claude-haiku-5-5', 'claude-sonnet-5-5']);
    assert.ok(Math.abs((await here.spending.today()).cost - day - costOf(folded)) < 1e-9);
  });

  it('L14: what other chats ask counts for the day, and is held by its limit', async () => {
    const claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url });
    const request = {
      model: 'claude-sonnet-5-5',
      system: [],
      tools: [],
      messages: [{ role: 'user', content: 'word '.repeat(1000) }] as const,
    };
    const send = async (limits: BudgetLimits, { spending } = here) => {
      standIn.script(reply(text('Here.')));
      for await (const event of spending
        .forOthers(claude, limits)
        .stream(request, new AbortController().signal))
        if (event.type === 'answer') return event.answer.usage.cost ?? 0;
      return 0;
    };
    // One turn of ours may take less; this is none.
    const cost = await send({ turn: 0.000_1, day: 0 });
    assert.ok(cost > 0);
    assert.equal((await there.spending.today()).cost, cost);
    await assert.rejects(send({ turn: 0, day: cost * 1.5 }, there), OverBudget);
    const { end } = await ask([], { turn: 0, day: cost * 1.5 });
    assert.ok(end.end.reason === 'budget' && end.end.stop.limit === 'day');
  });

  it('L14: a search of the web is held with all that it may take', async () => {
    const silent = scriptedModel();
    const model = new TurnModel(silent);
    model.guard(here.spending.gate({ turn: 0.032, day: 0 }));
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 } as const;
    const request = {
      model: 'claude-haiku-5-5',
      system: [],
      tools: [search],
      messages: [{ role: 'user', content: 'When?' }] as const,
      maxOutputTokens: 4000,
    };
    const { signal } = new AbortController();
    await assert.rejects(async () => {
      for await (const event of model.aside('web').stream(request, signal)) assert.fail(event.type);
    }, OverBudget);
    assert.deepEqual(silent.requests, []);
  });

  it('L14: a summary that would pass it is not made, and the turn is held', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1, whenFull: 'summarize' };
    await ask([reply(text('One.'))], noLimit);
    await ask([reply(text('Two.'))], noLimit);
    const { length } = standIn.journal.messages;
    const { end } = await ask([reply(text('Never.'))], { turn: 0.000_01, day: 0 });
    assert.ok(end.end.reason === 'budget' && end.end.isHeld);
    assert.equal(standIn.journal.messages.length, length);
  });

  it('L14: a model whose price is not known is said, counted in tokens and not stopped', async () => {
    const limits = { turn: 0.000_1, day: 0.000_1 };
    const usage = { input: 2000, cacheRead: 0, cacheWrite: 0, output: 500 };
    const says = answer([textBlock('Here.')], 'end_turn', { usage });
    const gateway = { modelId: 'gateway-model', model: scriptedModel([says], [says]) };
    const { end, notices } = await ask([], limits, gateway);
    assert.equal(end.end.reason, 'answered');
    assert.match(notices.join(' '), /The price of gateway-model is not known/);
    assert.deepEqual(await there.spending.today(), { cost: 0, unpricedTokens: 2500 });
    const next = await ask([], noLimit, gateway);
    assert.deepEqual(next.notices, []);
  });

  it('L14: the sum of the day begins anew with the day, and is kept while there is no limit', async () => {
    const { end } = await ask([reply(text('Here.'))], noLimit);
    assert.ok(costOf(end) > 0);
    assert.equal((await there.spending.today()).cost, costOf(end));
    workspace.now += 24 * 3_600_000;
    assert.equal((await there.spending.today()).cost, 0);
  });

  it('L14: what a window held that is gone counts with its input, and no longer with its answer', async () => {
    const gate = here.spending.gate({ turn: 0, day: 1 });
    await gate.admit(
      {
        model: 'claude-sonnet-5-5',
        system: [],
        tools: [],
        messages: [{ role: 'user', content: 'word '.repeat(1000) }],
        maxOutputTokens: 32_000,
      },
      'answer',
    );
    const held = () => here.sqlite.get('SELECT total(most) AS most, total(least) AS least FROM held');
    assert.ok(Number(held()?.['most']) > 0.3);
    workspace.now += 1_000_000;
    const { end } = await ask([reply(text('Here.'))], { turn: 0, day: 0.1 });
    assert.equal(end.end.reason, 'answered');
    const spent = (await here.spending.today()).cost + Number(held()?.['least']);
    const { end: stopped } = await ask([], { turn: 0, day: spent });
    assert.ok(stopped.end.reason === 'budget' && Math.abs(stopped.end.stop.spentToday - spent) < 1e-9);
  });

  it('L14: what scouts ask at the same moment does not pass the limit of their turn together', async () => {
    const request = (index: number) => ({
      model: 'claude-sonnet-5-5',
      system: [],
      tools: [],
      messages: [{ role: 'user', content: `${index} ${'word '.repeat(1000)}` }] as const,
      maxOutputTokens: 2_000,
    });
    const gate = here.spending.gate({ turn: 0.03, day: 0 });
    const admitted = await Promise.allSettled([1, 2, 3].map((index) => gate.admit(request(index), 'scouts')));
    assert.deepEqual(admitted.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected']);
  });

  it('L14: a database that cannot be used holds nobody back, and the turn keeps its own limit', async () => {
    here.sqlite.close();
    const { end } = await ask([reply(text('Here.'))], { turn: 0, day: 1 });
    assert.equal(end.end.reason, 'answered');
    assert.ok(here.warnings.length > 0);
    assert.equal((await here.spending.today()).cost, costOf(end));
    const { end: held } = await ask([reply(text('Here.'))], { turn: 0.000_1, day: 1 });
    assert.equal(held.end.reason, 'budget');
  });

  const words = (content: string, more = {}) => ({
    model: 'claude-sonnet-5-5',
    system: [],
    tools: [],
    messages: [{ role: 'user', content }] as const,
    maxOutputTokens: 32_000,
    ...more,
  });

  const took = (cost: number) => ({ input: 1, cacheRead: 0, cacheWrite: 0, output: 1, cost });

  it('L14: requests of one turn at the same moment, such as those of scouts, do not pass its limit together', async () => {
    for (const day of [0, 10]) {
      const turn = 0.1;
      const gate = here.spending.gate({ turn, day });
      const asked = [1, 2, 3, 4].map((scout) =>
        gate.admit(words(`${scout} ${'word '.repeat(1000)}`), 'scouts'),
      );
      const admitted = await Promise.allSettled(asked);
      const most = admitted.map((one) =>
        one.status === 'fulfilled' ? ((one.value.request.maxOutputTokens ?? 0) * 10) / 1_000_000 : 0,
      );
      const sum = most.reduce((all, one) => all + one, 0);
      assert.ok(sum > 0 && sum <= turn, `${sum} of ${turn}`);
    }
  });

  it('L14: four scouts stay within the budget of the turn together', async () => {
    const scouts = {
      modelId: 'claude-opus-5-5',
      system: [{ type: 'text', text: 'Look. '.repeat(2000) }] as const,
      tools: [],
    };
    const sends = reply(toolUse('explore', { questions: ['A?', 'B?', 'C?', 'D?'] }));
    const long = reply(text('There. '.repeat(1200)));
    const turn = 0.12;
    const { end } = await ask(
      [sends, long, long, long, long, reply(text('Done.'))],
      { turn, day: 0 },
      { scouts },
    );
    assert.ok(costOf(end) <= turn, `${costOf(end)} of ${turn} ${end.end.reason}`);
  });

  it('L14: Continue sends it, also when Claude is busy at first', async () => {
    const limits = { turn: 0.000_1, day: 0 };
    const { end } = await ask([apiError(529), reply(text('Here.'))], limits, { isBeyondBudget: true });
    assert.equal(end.end.reason, 'answered');
  });

  it('L14: a turn that went on beyond the limit of one day keeps that of the next', async () => {
    const limits = { turn: 0, day: 1 };
    await (await here.spending.gate({ turn: 0, day: 0 }).admit(words('x'), 'answer')).settle(took(5));
    const gate = here.spending.gate(limits, { isBeyond: true });
    await (await gate.admit(words('x'), 'answer')).settle(took(0.1));
    workspace.now += 24 * 3_600_000;
    await (await gate.admit(words('x'), 'answer')).settle(took(0.999));
    await assert.rejects(gate.admit(words('x'), 'answer'), OverBudget);
  });

  it('L14: a prompt that may be just long enough for the dearer price is held for it', async () => {
    const gate = here.spending.gate({ turn: 0.03, day: 0 });
    const long = words('word '.repeat(58_000), { model: 'claude-haiku-5-5' });
    await assert.rejects(gate.admit(long, 'answer'), OverBudget);
    await gate.admit(words('word '.repeat(40_000), { model: 'claude-haiku-5-5' }), 'answer');
  });

  it('L14: a text of another kind than those before it is not taken for a short one', async () => {
    const claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url });
    const model = here.spending.forOthers(claude, { turn: 0, day: 0.2 });
    const send = async (content: string) => {
      standIn.script(reply(text('Here.')));
      const { signal } = new AbortController();
      for await (const event of model.stream(words(content), signal)) assert.ok(event);
    };
    await send('庭を見てください。'.repeat(3000));
    await assert.rejects(send('a garden '.repeat(40_000)), OverBudget);
    assert.ok((await here.spending.today()).cost <= 0.2);
  });

  it('L14: holds also where a gateway says nothing of what was used', async () => {
    const silent = (rounds: number) =>
      Array.from({ length: rounds }, (_, round) =>
        viaGateway(['no usage'], text('On. '.repeat(300)), toolUse('look', { round })),
      );
    const { end: free } = await ask([...works(40), reply(text('Done.'))], noLimit, elsewhere);
    const limit = costOf(free) / 4;
    const { end } = await ask(silent(40), { turn: limit, day: 0 });
    assert.ok(end.end.reason === 'budget' && !end.end.isHeld);
    assert.ok(end.end.stop.spent > 0 && end.end.stop.spent <= limit, `${end.end.stop.spent} of ${limit}`);
    const day = (await there.spending.today()).cost + limit;
    assert.equal((await ask(silent(40), { turn: 0, day })).end.end.reason, 'budget');
    const { end: beyond } = await ask(silent(40), { turn: limit, day: 0 }, { isBeyondBudget: true });
    assert.equal(beyond.end.reason, 'budget');
  });

  it('L14: the limit of the day holds whatever number a gateway has reported', async () => {
    const { cost } = (await ask(works(1).concat(reply(text('Done.'))), noLimit)).end.usage;
    const most = { input: Number.MAX_SAFE_INTEGER, cacheRead: 0, cacheWrite: 0, output: 10 };
    for (let times = 0; times < 3; times++)
      await ask([], noLimit, {
        modelId: 'gateway-model',
        model: scriptedModel([answer([textBlock('Here.')], 'end_turn', { usage: most })]),
      });
    const today = await there.spending.today();
    assert.equal(today.cost, cost);
    assert.ok(today.unpricedTokens > 2 * Number.MAX_SAFE_INTEGER);
    const { end } = await ask(works(1), { turn: 0, day: 0.000_1 });
    assert.ok(end.end.reason === 'budget' && end.end.isHeld);
  });

  it('L14: a count that cannot be is not learned from', async () => {
    const gate = here.spending.gate({ turn: 0.2, day: 0 });
    const request = words('word '.repeat(30_000));
    // As gateways report it until the answer is complete.
    await (await gate.admit(request, 'answer')).settle(took(0.1));
    await assert.rejects(gate.admit(request, 'answer'), OverBudget);
  });

  it('L14: a turn that was sent and has to stop before it is sent again says what it took, and keeps what was shown', async () => {
    const { end } = await ask([reply(text('A long beginning. '.repeat(300)), drop()), reply(text('Here.'))], {
      turn: 0.03,
      day: 0,
    });
    assert.ok(end.end.reason === 'budget');
    assert.ok(costOf(end) > 0);
    const { text: said = '' } = describeEnd(end.end) ?? {};
    assert.match(said, /^Stopped after \$/);
    assert.match(JSON.stringify(end.messages), /A long beginning/);
  });

  it('L14: what is no longer read is paid all the same', async () => {
    const claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url });
    standIn.script(reply(text('One ', 'two ', 'three '), text('four')));
    const model = here.spending.forOthers(claude, { turn: 0, day: 1 });
    for await (const event of model.stream(words('word '.repeat(1000)), new AbortController().signal))
      if (event.type === 'text-delta') break;
    assert.ok((await here.spending.today()).cost > 0);
  });
});
