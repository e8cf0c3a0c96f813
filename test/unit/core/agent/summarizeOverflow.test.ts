import assert from 'node:assert/strict';
import { array, assert as assertProperty, asyncProperty, constantFrom, record } from 'fast-check';
import { evictedBy, tokensOfSummary, tokensOfTurn } from '../../../../src/core/conversation/view';
import { ModelError } from '../../../../src/core/errors';
import type { Message, Usage } from '../../../../src/core/messages';
import type { Model, ModelEvent, ModelRequest } from '../../../../src/core/ports';
import { refusal } from '../../../support/conversation/accepted';
import { isSummaryRequest, summarizingAssistant, toldIn } from '../../../support/conversation/summaries';
import {
  exchange,
  remembered,
  TestWorkspace,
  type TestWindow,
} from '../../../support/conversation/testWorkspace';
import { answer, text, textDelta } from '../../../support/scriptedModel';

const summaryUsage: Usage = { input: 40, cacheRead: 0, cacheWrite: 0, output: 4, cost: 0.25 };
const answerUsage: Usage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 10, cost: 1 };

/** Answers everything, and summaries as it is told to. */
class Claude implements Model {
  readonly requests: ModelRequest[] = [];
  summary: (request: ModelRequest) => ModelEvent | Error = () =>
    answer([text(`Summary ${this.summaries.length}.`)], 'end_turn', { usage: summaryUsage });

  get summaries(): readonly ModelRequest[] {
    return this.requests.filter(isSummaryRequest);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.requests.push(structuredClone(request));
    signal.throwIfAborted();
    const event = isSummaryRequest(request)
      ? this.summary(request)
      : answer([text('An answer.')], 'end_turn', { usage: answerUsage });
    signal.throwIfAborted();
    if (event instanceof Error) throw event;
    if (event.type === 'answer') yield textDelta('…');
    yield event;
  }
}

const overloaded = () => new ModelError('overloaded', 'busy', { isRetryable: true });

describe('turns that no longer fit', () => {
  let workspace: TestWorkspace;
  let window: TestWindow;
  let claude: Claude;
  let ask: ReturnType<typeof summarizingAssistant>;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 4, whenFull: 'summarize' };
    window = await workspace.reopen();
    claude = new Claude();
    ask = summarizingAssistant(workspace, window);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await save(id);
  });

  async function save(id: string, messages: readonly Message[] = exchange(id)): Promise<void> {
    workspace.now += 1_000;
    await window.chat.saveTurn(workspace.turn(id, messages));
  }

  const notices = (events: Awaited<ReturnType<typeof ask>>) =>
    events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const ends = (events: Awaited<ReturnType<typeof ask>>) =>
    events.flatMap((event) => (event.type === 'turn-end' ? [event] : []));

  it('M2: a message that came in time keeps the conversation, however long the summary takes', async () => {
    workspace.now += 1799_000;
    const { summary } = claude;
    claude.summary = (request) => {
      workspace.now += 60_000;
      return summary(request);
    };
    await ask(claude);
    assert.match(JSON.stringify(claude.requests.at(-1)?.messages), /Summary 1[^]*question e/);
    assert.deepEqual(await window.memory.archived(), []);
  });

  it('M18: are folded, the older half at once, before Claude is asked, and what is left goes first', async () => {
    const events = await ask(claude);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['summary-start', 'request-start', 'text-delta', 'request-end', 'turn-end'],
    );
    assert.deepEqual(events[0], { type: 'summary-start', turns: 2 });
    const [fold, asked] = claude.requests;
    assert.deepEqual([fold?.model, asked?.model], ['claude-haiku-5-5', 'claude-sonnet-5-5']);
    assert.match(toldIn(fold), /question a[^]*question b[^]*<\/turns>/);
    assert.doesNotMatch(toldIn(fold), /question c/);
    assert.match(JSON.stringify(asked?.messages[0]), /<summary>\\nSummary 1\.\\n<\/summary>/);
    assert.match(JSON.stringify(asked?.messages[2]), /question c/);
    assert.equal(window.chat.snapshot()?.summary?.turns, 2);
    // Three were left and one came: the next request finds nothing to fold, the one after it does.
    await ask(claude);
    assert.equal(claude.summaries.length, 1);
    await ask(claude);
    assert.equal(claude.summaries.length, 2);
    assert.match(toldIn(claude.summaries[1]), /<summary>\nSummary 1\.\n/);
  });

  it('L9: keeps the bytes of the summary while nothing is folded', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 10 };
    for (const id of ['f', 'g', 'h', 'i', 'j', 'k']) await save(id);
    for (let index = 0; index < 5; index++) await ask(claude);
    const firsts = claude.requests.filter((request) => !isSummaryRequest(request));
    assert.equal(claude.summaries.length, 1);
    assert.equal(new Set(firsts.map(({ messages }) => JSON.stringify(messages[0]))).size, 1);
  });

  it('P3: what the summary took is part of what the turn took, once', async () => {
    const end = ends(await ask(claude))[0];
    const both = { input: 140, cacheRead: 0, cacheWrite: 0, output: 14, cost: 1.25 };
    assert.deepEqual(end?.usage, both);
    assert.deepEqual(window.chat.snapshot()?.turns.at(-1)?.usage, both);
  });

  it('M18: starts from the words that the person put in place of the summary', async () => {
    await ask(claude);
    await window.chat.setSummary('My own words.');
    for (const id of ['f', 'g']) await save(id);
    await ask(claude);
    assert.match(toldIn(claude.summaries.at(-1)), /<summary>\nMy own words\.\n/);
  });

  it('M18: the summary counts towards the budget', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 0, tokenBudget: 1_000 };
    await window.chat.clear();
    for (const id of ['a', 'b', 'c', 'd']) {
      workspace.now += 1_000;
      await window.chat.saveTurn({ ...workspace.turn(id), tokens: 240 });
    }
    assert.equal(window.chat.evicted().length, 0);
    await window.chat.setSummary('word '.repeat(120));
    assert.deepEqual(
      window.chat.evicted().map(({ id }) => id),
      ['a'],
    );
  });

  it('M18, F39: a failure costs no answer: it is said, the turns wait, and after three they leave', async () => {
    claude.summary = overloaded;
    const first = await ask(claude);
    assert.deepEqual(notices(first), [
      'The oldest turn could not be summarized, so it is left out of this answer. The next message tries again.',
    ]);
    assert.equal(ends(first)[0]?.end.reason, 'answered');
    assert.deepEqual(
      window.chat.evicted().map(({ id }) => id),
      ['a', 'b'],
    );
    await ask(claude);
    assert.equal(window.chat.evicted().length, 3);
    const third = await ask(claude);
    assert.deepEqual(notices(third), [
      'The 3 oldest turns could not be summarized in 3 tries and are no longer remembered.',
    ]);
    assert.deepEqual(
      window.chat.evicted().map(({ id }) => id),
      ['d'],
    );
    assert.doesNotMatch(workspace.logged.join('\n'), /question|answer \w/);
    assert.match(workspace.logged.join('\n'), /summary of 2 turns failed kind=overloaded/);
  });

  it('M18: counts failures from the last success', async () => {
    for (let round = 0; round < 3; round++) {
      claude.summary = overloaded;
      assert.match(notices(await ask(claude))[0] ?? '', /tries again/);
      assert.match(notices(await ask(claude))[0] ?? '', /tries again/);
      claude.summary = () => answer([text('Good.')]);
      assert.deepEqual(notices(await ask(claude)), []);
      for (const id of ['1', '2', '3']) await save(`${round}${id}`);
    }
  });

  it('says nothing of a failure that the answer itself will report, and lets nothing go', async () => {
    claude.summary = () => new ModelError('no-key', 'none');
    for (let tries = 0; tries < 5; tries++) assert.deepEqual(notices(await ask(claude)), []);
    assert.equal(
      window.chat.evicted().some(({ id }) => id === 'a'),
      true,
    );
  });

  it('F1, F39: stopped by the person, it ends the turn and leaves all as it was', async () => {
    const before = window.chat.snapshot()?.turns;
    const stopper = new AbortController();
    claude.summary = () => {
      stopper.abort();
      return answer([text('Too late.')]);
    };
    const events = await ask(claude, {}, stopper.signal);
    assert.equal(ends(events)[0]?.end.reason, 'cancelled');
    assert.deepEqual(notices(events), []);
    assert.deepEqual([window.chat.snapshot()?.turns, window.chat.evicted().length], [before, 1]);
  });

  it('M19, M20: brings back nothing that was forgotten or edited while Claude was at it', async () => {
    claude.summary = () => {
      void window.chat.forget({ turns: ['a'] });
      return answer([text('With a secret of a.')]);
    };
    await ask(claude);
    assert.equal(window.chat.snapshot()?.summary, undefined);
    claude.summary = () => {
      void window.chat.setSummary('My own words.');
      return answer([text('Not mine.')]);
    };
    await save('f');
    await ask(claude);
    assert.equal(window.chat.snapshot()?.summary?.text, 'My own words.');
  });

  it('M20, F39: what another window cleared while Claude was at it is not sent, though it failed', async () => {
    const other = await workspace.reopen();
    let cleared: Promise<unknown> | undefined;
    const stream = claude.stream.bind(claude);
    claude.stream = async function* (request, signal) {
      if (isSummaryRequest(request)) await (cleared ??= other.chat.clear());
      yield* stream(request, signal);
    };
    claude.summary = overloaded;
    await ask(claude);
    assert.ok(cleared);
    assert.equal(claude.requests.at(-1)?.messages.length, 1, 'the question alone');
  });

  it('M12: are not folded for a stateless request, nor for one that nobody watches, nor when they are to be dropped', async () => {
    await ask(claude, { isStateless: true });
    await ask(claude, { isUnattended: true });
    assert.equal(claude.summaries.length, 0);
    workspace.limits = { ...workspace.limits, whenFull: 'drop' };
    await ask(claude);
    assert.deepEqual([claude.summaries.length, window.chat.snapshot()?.summary], [0, undefined]);
  });

  it('M19: pinned turns stay while others can go', async () => {
    await window.chat.setPinned('a', true);
    await ask(claude);
    assert.deepEqual(remembered(window.memory).slice(1, 4), ['a', 'd', 'e']);
  });

  it('two windows that fold at once leave one summary and every turn in one place', async () => {
    const second = await workspace.reopen();
    const askThere = summarizingAssistant(workspace, second);
    await Promise.all([ask(claude), askThere(claude, { conversationId: 'workspace' })]);
    for (const { memory, chat } of [window, second]) {
      await memory.refresh();
      assert.equal(refusal(chat.history()), undefined);
      assert.equal(chat.snapshot()?.summary?.turns, 2);
      assert.equal(
        chat.history().filter(({ content }) => JSON.stringify(content).includes('question a')).length,
        0,
      );
    }
    assert.deepEqual(window.chat.snapshot()?.summary, second.chat.snapshot()?.summary);
  });

  it('M9, M18: whatever fails, what is sent is valid and within the limits, and no turn is in two places', async () => {
    const what = constantFrom('good', 'long', 'overloaded', 'refused', 'empty', 'crash', 'stop', 'no-key');
    await assertProperty(
      asyncProperty(
        record({
          maxTurns: constantFrom(0, 1, 2, 5),
          eviction: constantFrom('oldest' as const, 'half' as const),
          tokenBudget: constantFrom(0, 600, 1_500),
          sizes: array(constantFrom(1, 10, 300, 900), { minLength: 3, maxLength: 8 }),
          outcomes: array(what, { minLength: 8, maxLength: 8 }),
          pinned: constantFrom(-1, 0, 1),
        }),
        async ({ sizes, outcomes, pinned, ...limits }) => {
          workspace = new TestWorkspace();
          workspace.limits = { ...workspace.limits, ...limits, whenFull: 'summarize' };
          window = await workspace.reopen();
          const asking = summarizingAssistant(workspace, window);
          for (const [index, size] of sizes.entries()) {
            const model = new Claude();
            const stopper = new AbortController();
            model.summary = () => summaryFor(outcomes[index] ?? 'good', stopper);
            await asking(model, { userContent: 'word '.repeat(size) }, stopper.signal);
            const first = window.chat.snapshot()?.turns[pinned];
            if (first) await window.chat.setPinned(first.id, true);
            for (const request of model.requests.filter((one) => !isSummaryRequest(one)))
              assert.equal(refusal(request.messages.slice(0, -1)), undefined);
            assertBounds();
            const { summary, summarized = [] } = window.chat.snapshot() ?? {};
            assert.equal(summary?.turns ?? 0, summarized.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  function assertBounds(): void {
    const conversation = window.chat.snapshot();
    if (!conversation) return;
    const { turns, summary } = conversation;
    const { maxTurns, tokenBudget } = workspace.limits;
    assert.deepEqual(evictedBy(conversation, { ...workspace.limits, eviction: 'oldest' }), []);
    assert.ok(maxTurns === 0 || turns.length <= maxTurns);
    const tokens = turns.reduce(
      (sum, turn) => sum + tokensOfTurn(turn),
      summary ? tokensOfSummary(summary) : 0,
    );
    assert.ok(tokenBudget === 0 || turns.length === 1 || tokens <= tokenBudget);
  }
});

function summaryFor(outcome: string, stopper: AbortController): ModelEvent | Error {
  switch (outcome) {
    case 'long':
      return answer([text('blah '.repeat(3_000))]);
    case 'overloaded':
      return overloaded();
    case 'refused':
      return answer([text('I')], 'refusal');
    case 'empty':
      return answer([]);
    case 'crash':
      return new Error('bug');
    case 'no-key':
      return new ModelError('no-key', 'none');
    case 'stop':
      stopper.abort();
      return answer([text('Too late.')]);
    default:
      return answer([text('In short.')]);
  }
}
