import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import type { Summarizing } from '../../../../../src/core/conversation/summary';
import { tokensOfTurn } from '../../../../../src/core/conversation/view';
import type { Message } from '../../../../../src/core/messages';
import { refusal } from '../../../../support/conversation/accepted';
import { noLimits } from '../../../../support/conversation/limits';
import { remembered, TestWorkspace, type TestWindow } from '../../../../support/conversation/testWorkspace';

const round = (id: string): Message[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'edit_file', input: { path: id } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'changed' }] },
];
const prompt: Message = { role: 'user', content: 'question a' };

describe('whatever windows do in whatever order', () => {
  it('M6, M8: whatever two windows do and whenever they die, no acknowledged turn is lost', async () => {
    const action = fc.record({
      window: fc.constantFrom(0, 1),
      does: fc.constantFrom(
        'save',
        'record',
        'refresh',
        'refresh',
        'kill',
        'close',
        'restart',
        'wait',
        'wait',
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), async (actions) => {
        const workspace = new TestWorkspace();
        workspace.limits = noLimits;
        const windows: (TestWindow | undefined)[] = [];
        const acknowledged: string[] = [];
        for (const [step, { window, does }] of actions.entries()) {
          workspace.now += 1;
          const id = `t${step}`;
          const open = (windows[window] ??= await workspace.reopen());
          if (does === 'save') {
            await open.chat.saveTurn(workspace.turn(id));
            acknowledged.push(id);
          }
          if (does === 'record') {
            const turn = open.chat.begin(workspace.turn(id));
            await turn.record([{ role: 'user', content: `question ${id}` }, ...round(id)]);
          }
          if (does === 'refresh') await open.memory.refresh();
          if (does === 'wait') {
            workspace.now += 3_000;
            for (const one of windows) one?.store.flush();
          }
          if (does === 'kill' || does === 'close') {
            open[does]();
            windows[window] = undefined;
          }
          if (does === 'restart') {
            // Only the extension host: the window keeps what it did not flush yet.
            open.kill();
            windows[window] = await workspace.reopen({ store: open.store });
          }
        }
        for (const window of windows) window?.kill();
        const { chat, memory, problems } = await workspace.reopen();
        assert.deepEqual(
          acknowledged.filter((id) => !remembered(memory).includes(id)),
          [],
        );
        assert.equal(refusal(chat.history()), undefined);
        assert.deepEqual(problems, []);
      }),
      { numRuns: 150 },
    );
  });

  const restoredByAnother = [
    { window: 1, does: 'save' },
    { window: 1, does: 'clear' },
    { window: 1, does: 'kill' },
    { window: 1, does: 'save' },
    { window: 0, does: 'wait' },
    { window: 0, does: 'close' },
    { window: 1, does: 'refresh' },
    { window: 0, does: 'restore' },
  ];

  it('M6: what one window cleared, and nothing else, stays cleared in all of them', async () => {
    const action = fc.record({
      window: fc.constantFrom(0, 1),
      does: fc.constantFrom('save', 'save', 'clear', 'restore', 'refresh', 'kill', 'close', 'wait', 'wait'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 50, size: 'max' }), async (actions) => {
        const workspace = new TestWorkspace();
        workspace.limits = noLimits;
        const windows: (TestWindow | undefined)[] = [];
        let expected = new Set<string>();
        let cleared: Awaited<ReturnType<TestWindow['chat']['clear']>>;
        for (const [step, { window, does }] of actions.entries()) {
          workspace.now += 1;
          const open = (windows[window] ??= await workspace.reopen());
          if (does === 'save') {
            await open.chat.saveTurn(workspace.turn(`t${step}`));
            expected.add(`t${step}`);
          }
          if (does === 'clear') {
            cleared = await open.chat.clear();
            expected = new Set();
          }
          if (does === 'restore' && cleared) {
            await open.memory.refresh();
            await open.chat.restore(cleared);
            for (const { id } of cleared.conversation.turns) expected.add(id);
          }
          if (does === 'refresh') await open.memory.refresh();
          if (does === 'wait') {
            workspace.now += 3_000;
            for (const one of windows) one?.store.flush();
          }
          if (does === 'kill' || does === 'close') {
            open[does]();
            windows[window] = undefined;
          }
        }
        for (const window of windows) {
          await window?.memory.refresh();
          if (window) assert.deepEqual(new Set(remembered(window.memory)), expected);
          window?.kill();
        }
        assert.deepEqual(new Set(remembered((await workspace.reopen()).memory)), expected);
      }),
      {
        numRuns: 200,
        // Restored by a window that never knew of the removal, beside one that does.
        examples: [[restoredByAnother]],
      },
    );
  });

  it('M3, M8: what the cap dropped never comes back, whichever windows knew it', async () => {
    const action = fc.record({
      window: fc.constantFrom(0, 1),
      does: fc.constantFrom('save', 'save', 'refresh', 'kill', 'close', 'wait'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 50, size: 'max' }), async (actions) => {
        const workspace = new TestWorkspace();
        workspace.limits = { ...noLimits, maxTurns: 2 };
        const windows: (TestWindow | undefined)[] = [];
        const acknowledged: string[] = [];
        for (const [step, { window, does }] of actions.entries()) {
          workspace.now += 1;
          const open = (windows[window] ??= await workspace.reopen());
          if (does === 'save' || does === 'refresh') await open.memory.refresh();
          if (does === 'save') {
            await open.chat.saveTurn(workspace.turn(`t${step}`));
            acknowledged.push(`t${step}`);
          }
          if (does === 'wait') {
            workspace.now += 3_000;
            for (const one of windows) one?.store.flush();
          }
          if (does === 'kill' || does === 'close') {
            open[does]();
            windows[window] = undefined;
          }
        }
        for (const window of windows) window?.kill();
        workspace.limits = { ...workspace.limits, maxTurns: 0 };
        assert.deepEqual(remembered((await workspace.reopen()).memory), acknowledged.slice(-2));
      }),
      { numRuns: 200 },
    );
  });

  it('F26, F28: whatever is done in whatever order, the bounds hold and the API accepts what is sent', async () => {
    const action = fc.record({
      window: fc.constantFrom(0, 1),
      does: fc.constantFrom(
        'save',
        'save',
        'pin',
        'prune',
        'forget',
        'clear',
        'merge',
        'record',
        'refresh',
        'kill',
        'cap',
        'rewind',
        'sum-up',
        'undo-summary',
        'summarize',
        'leave',
        'budget',
      ),
      jump: fc.constantFrom(1, 1, 60_000, -3_600_000, 1_700_000, 86_400_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const workspace = new TestWorkspace();
        workspace.limits = { ...workspace.limits, maxTurns: 3 };
        const windows = [await workspace.reopen(), await workspace.reopen()] as [TestWindow, TestWindow];
        let done: Summarizing | undefined;
        for (const [step, { window, does, jump }] of actions.entries()) {
          workspace.now += jump;
          const { chat, memory } = windows[window];
          const id = `t${step}`;
          const known = chat.snapshot()?.turns.map((turn) => turn.id) ?? [];
          if (does === 'save') {
            await memory.refresh();
            await chat.saveTurn(workspace.turn(id));
            assert.equal(chat.snapshot()?.turns.at(-1)?.id, id, 'what was just said is there, and last');
          }
          if (does === 'pin' && known[0]) await chat.setPinned(known[0], true);
          if (does === 'prune') await chat.prune(2);
          if (does === 'forget') await chat.forget({ turns: known.slice(0, 1), params: ['p'] });
          if (does === 'clear') {
            await chat.clear();
            assert.deepEqual([chat.history(), chat.params()], [[], {}]);
          }
          if (does === 'merge') {
            await chat.merge({ p: id });
            assert.equal(chat.params()['p'], id);
          }
          if (does === 'record') await chat.begin(workspace.turn(id)).record([prompt, ...round(id)]);
          if (does === 'refresh') await memory.refresh();
          if (does === 'rewind') await chat.rewind(known.slice(-1));
          if (does === 'sum-up') {
            // The other window may have cleared what this one still knew.
            await memory.refresh();
            const before = chat.snapshot();
            const oldest = before?.turns[0];
            done = await chat.summarize(`what ${id} saw`, oldest ? [oldest.id] : [], before?.summary);
            if (oldest) assert.equal(chat.snapshot()?.summary?.text, `what ${id} saw`);
          }
          if (does === 'undo-summary' && done) {
            const isBack = await chat.undoSummary(done);
            if (isBack) assert.equal(chat.snapshot()?.summary?.text, done.from?.text);
          }
          if (does === 'leave') {
            await createArchive(memory).startFresh('workspace');
            assert.deepEqual(chat.history(), []);
          }
          if (does === 'summarize') workspace.limits = { ...workspace.limits, whenFull: 'summarize' };
          if (does === 'budget') workspace.limits = { ...workspace.limits, tokenBudget: 60 };
          if (does === 'cap')
            workspace.limits = { ...workspace.limits, maxTurns: 1 + (step % 4), eviction: 'half' };
          if (does === 'kill') {
            windows[window].kill();
            windows[window] = await workspace.reopen();
          }
          const snapshot = windows[window].chat.snapshot();
          assert.ok((snapshot?.turns.length ?? 0) <= workspace.limits.maxTurns);
          const tokens = (snapshot?.turns ?? []).map(tokensOfTurn).reduce((sum, size) => sum + size, 0);
          const { tokenBudget } = workspace.limits;
          assert.ok(tokenBudget === 0 || snapshot?.turns.length === 1 || tokens <= tokenBudget);
          assert.ok((snapshot?.lastActive ?? 0) <= workspace.now, 'no negative age');
          assert.equal(refusal(windows[window].chat.history()), undefined);
        }
        for (const { problems } of windows) assert.deepEqual(problems, []);
      }),
      { numRuns: 200 },
    );
  });
});
