import assert from 'node:assert/strict';
import { compact, describeCompact, type CompactOutcome } from '../../../../src/core/agent/summarizeTurns';
import { ModelError } from '../../../../src/core/errors';
import { compactRecord } from '../../../../src/core/ledger/compactRecord';
import { partsOf } from '../../../../src/core/ledger/record';
import { patientWait, toldIn } from '../../../support/conversation/summaries';
import {
  exchange,
  remembered,
  TestWorkspace,
  type TestWindow,
} from '../../../support/conversation/testWorkspace';
import { answer, says, scriptedModel, text, type Step } from '../../../support/scriptedModel';

describe('/compact', () => {
  let workspace: TestWorkspace;
  let window: TestWindow;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    window = await workspace.reopen();
  });

  async function save(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      workspace.now += 1_000;
      const [question, said] = exchange(id);
      await window.chat.saveTurn(
        workspace.turn(id, [question!, { ...said!, content: `answer ${id} ${'word '.repeat(300)}` }]),
      );
    }
  }

  async function run(steps: readonly Step[], focus?: string, signal = new AbortController().signal) {
    const model = scriptedModel(...steps);
    const work = compact(
      window.chat,
      {
        model,
        modelId: 'cheap',
        fallbackModelId: 'dear',
        limits: workspace.limits,
        wait: patientWait,
        random: () => 0,
        focus,
      },
      signal,
    );
    for (;;) {
      const { done, value } = await work.next();
      if (done) return { outcome: value, model };
    }
  }

  const told = (outcome: CompactOutcome) => describeCompact(outcome);

  it('P4: folds all but the newest and the pinned turns, also where full memory is dropped, and says so', async () => {
    await save('a', 'b', 'c', 'd');
    await window.chat.setPinned('b', true);
    const { outcome, model } = await run([says('- a\n- c')], 'the letters');
    assert.deepEqual(remembered(window.memory).slice(1), ['b', 'd']);
    assert.deepEqual(
      [window.chat.snapshot()?.summary?.text, window.chat.snapshot()?.summary?.turns],
      ['- a\n- c', 2],
    );
    assert.match(JSON.stringify(model.requests[0]?.messages), /kept above all: the letters/);
    assert.match(
      told(outcome).markdown,
      /^2 turns are in the summary now\. What is remembered takes about 1\.\dk tokens of each request; before, it took 2\.\dk\. The newest turn and those you pinned stay as they are\.\n\n> - a\n> - c$/,
    );
    const again = await run([], '');
    assert.deepEqual(again.outcome, { type: 'nothing', pinned: 1 });
    assert.match(told(again.outcome).markdown, /only pinned ones/);
  });

  it('P4: folds what waits unseen too, and starts from the summary so far', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 2, whenFull: 'summarize' };
    await save('a', 'b', 'c', 'd');
    await run([says('a to c')]);
    await save('e');
    const { outcome, model } = await run([says('a to d')]);
    assert.match(toldIn(model.requests[0]), /<summary>\na to c\n/);
    assert.deepEqual(
      [remembered(window.memory).slice(1), window.chat.snapshot()?.summary?.turns],
      [['e'], 4],
    );
    assert.match(told(outcome).markdown, /^1 turn is in the summary now/);
  });

  it('P4: can be taken back, with what waited unseen and the summary so far', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 2, whenFull: 'summarize' };
    await save('a', 'b', 'c', 'd');
    await run([says('a to c')]);
    await save('e', 'f');
    const before = [window.chat.history(), window.chat.evicted().map(({ id }) => id)];
    const { outcome } = await run([says('a to e')]);
    assert.ok(outcome.type === 'summary' && (await window.chat.undoSummary(outcome.made)));
    assert.deepEqual([window.chat.history(), window.chat.evicted().map(({ id }) => id)], before);
  });

  it('P3: is recorded with what it took, without the words behind it', async () => {
    await save('a', 'b');
    const usage = { input: 90, cacheRead: 0, cacheWrite: 0, output: 10, cost: 0.5 };
    const { outcome } = await run([[answer([text('a')], 'end_turn', { usage })]], 'my secret');
    const about = { turn: 't', conversation: 'workspace', startedAt: 1, endedAt: 2 };
    const record = compactRecord(outcome, about);
    assert.deepEqual(record && [record.model, record.end, record.command, record.usage], [
      'cheap',
      'answered',
      'compact',
      usage,
    ]);
    assert.deepEqual(record && partsOf(record), {
      system: 0,
      history: 90,
      results: 0,
      text: 0,
      scouts: 0,
      web: 0,
      answer: 10,
    });
    const { outcome: nothing } = await run([]);
    assert.equal(compactRecord(nothing, about), undefined);
  });

  it('P4: asks nobody when there is nothing to fold', async () => {
    for (const saved of [[], ['a']]) {
      await save(...saved);
      const { outcome, model } = await run([]);
      assert.equal(model.requests.length, 0);
      assert.equal(
        told(outcome).markdown,
        'There is nothing to summarize: at most the newest turn is remembered.',
      );
    }
  });

  it('P4: changes nothing when it fails, is stopped or overtaken, and says what helps', async () => {
    await save('a', 'b');
    const noKey = await run([[new ModelError('no-key', 'none')]]);
    assert.deepEqual(told(noKey.outcome), {
      markdown: String.raw`Claude needs an API key\. Set one, then ask again\. Nothing was changed.`,
      remedy: 'set-api-key',
    });
    const words = 'no ![x](file:///etc/passwd)';
    const refused = await run([
      [new ModelError('bad-request', words)],
      [new ModelError('bad-request', words)],
    ]);
    assert.doesNotMatch(told(refused.outcome).markdown, /!\[x\]/);
    const half: Step = [answer([text('half')], 'max_tokens')];
    const cut = await run([half, half]);
    assert.deepEqual(told(cut.outcome), {
      markdown: 'The summary came out too long, twice. Nothing was changed.',
    });
    const stopped = await run([says('x')], '', AbortSignal.abort());
    assert.equal(told(stopped.outcome).markdown, 'Stopped. Nothing was changed.');
    const overtaken = await run([
      async function* (request, signal) {
        await window.chat.forget({ turns: ['a'] });
        yield* scriptedModel(says('about a')).stream(request, signal);
      },
    ]);
    assert.match(told(overtaken.outcome).markdown, /changed meanwhile/);
    assert.deepEqual([remembered(window.memory), window.chat.snapshot()?.summary], [['b'], undefined]);
  });
});
