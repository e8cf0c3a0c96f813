import assert from 'node:assert/strict';
import { daySentences } from '../../../../../src/core/conversation/reports/daySum';
import { memoryReport } from '../../../../../src/core/conversation/reports/memoryReport';
import type { NextMessage } from '../../../../../src/core/conversation/reports/nextMessage';
import { statusText } from '../../../../../src/core/conversation/reports/statusText';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import { viewOf, type MemoryLimits } from '../../../../../src/core/conversation/view';
import type { PermissionMode } from '../../../../../src/core/tools/permissions';
import { TestWorkspace } from '../../../../support/conversation/testWorkspace';
import { inLanguage } from '../../../../support/inLanguage';

const now = 10_000_000;
const minute = 60_000;
const limits: MemoryLimits = {
  maxTurns: 10,
  timeoutSeconds: 1800,
  eviction: 'oldest',
  tokenBudget: 100_000,
  whenFull: 'drop',
  archiveSize: 100,
};

describe('the status bar', () => {
  it('P6: shows turns kept and when the conversation ends', () => {
    const { text, spoken, redrawAfter, tooltip } = status(talk(6, { lastActive: now - 6 * 60_000 }));
    assert.equal(text, '6/10 · 24 min');
    assert.equal(redrawAfter, minute);
    assert.equal(
      spoken,
      'Remembered: 6 of 10 turns, ends in 24 min. 600 of at most 100k tokens in each request',
    );
    assert.match(tooltip, /600 of at most 100k tokens/);
  });

  const next: NextMessage = {
    model: 'claude-sonnet-5-5',
    tokens: 180_000,
    windowTokens: 1_000_000,
    parts: { instructions: 3000, tools: 5000, notes: 200, history: 171_000, plan: 0, message: 800 },
    cost: { now: 0.0183, later: [{ at: now + 4 * minute, cost: 0.45 }] },
  };

  it('P6: shows the share of the window that the next message will fill, what fills it, and what it costs now and cold', () => {
    const views = viewOf(
      {
        conversations: new Map([['workspace', talk(6, { lastActive: now - 6 * minute })]]),
        running: new Map(),
      },
      limits,
      now,
    );
    const shown = (more: Partial<NextMessage> = {}, rest: Partial<Parameters<typeof statusText>[1]> = {}) =>
      statusText(views, {
        current: 'workspace',
        limits,
        now,
        next: { ...next, ...more },
        nameOfModel: () => 'Sonnet 5.5',
        timeOfDay: (at) => `14:${String((at - now) / minute).padStart(2, '0')}`,
        ...rest,
      });
    const { text, spoken } = shown();
    assert.equal(text, '6/10 · 24 min · 18 %');
    assert.match(
      spoken,
      /A short message now fills 18 % of the window of Sonnet 5\.5, 180k of 1\.00M tokens: instructions 3\.0k, tools 5\.0k, notes 200, history 171k\. Sending it costs about \$0\.0183 now\. From 14:04 on about \$0\.4500: the cache is cold/,
    );
    assert.equal(shown({ tokens: 900 }).text, '6/10 · 24 min · <1 %');
    assert.match(
      shown({ cost: { now: 0.45, later: [] } }).spoken,
      /costs about \$0\.4500: the cache is cold/,
    );
    const stages = [
      { at: now + 4 * minute, cost: 0.4 },
      { at: now + 59 * minute, cost: 0.45 },
    ];
    assert.match(
      shown({ cost: { now: 0.0183, later: stages } }).spoken,
      /\$0\.0183 now\. From 14:04 on about \$0\.4000: the history is no longer cached\. From 14:59 on about \$0\.4500: the cache is cold/,
    );
    assert.match(
      shown({ cost: { atMost: 0.45 } }).spoken,
      /costs at most about \$0\.4500: what the cache has/,
    );
    const free = [{ now: 0, later: [{ at: now + minute, cost: 0 }] }, { now: 0, later: [] }, { atMost: 0 }];
    for (const cost of free) assert.doesNotMatch(shown({ cost }).spoken, /cost|free|cold/);
    const { cost: _, ...unpriced } = next;
    const unknown = statusText(views, { current: 'workspace', limits, now, next: unpriced });
    assert.match(unknown.spoken, /What it costs is not known/);
  });

  it('L14: says what was spent today, against the limit where there is one', () => {
    const said = (cost: number, limit: number, unpricedTokens = 0) =>
      statusText(new Map(), {
        current: 'workspace',
        limits,
        now,
        today: { spent: { cost, unpricedTokens }, limit },
      }).spoken.replace(/^.*fresh conversation\. ?/, '');
    assert.equal(said(0, 0), '');
    assert.equal(said(0.0123, 0), 'Spent today in this workspace: $0.0123');
    assert.equal(said(0, 5), 'Spent today in this workspace: $0.00 of at most $5.00');
    assert.equal(said(1.234, 5), 'Spent today in this workspace: $1.23 of at most $5.00');
    assert.equal(said(0, 0, 2500), 'At prices that are not known: 2.5k tokens today');
  });

  it('P8: says what was spent today as the words around it are written', () => {
    const spent = { cost: 0.0123, unpricedTokens: 0 };
    const [said] = inLanguage({ en: 'de' }, () => daySentences({ spent, limit: 5 }));
    assert.equal(said, 'Spent today in this workspace: 0,0123\u00a0$ of at most 5,00\u00a0$');
  });

  it('P6: shows itself anew when the cache goes cold', () => {
    const views = viewOf(
      { conversations: new Map([['workspace', talk(1)]]), running: new Map() },
      { ...limits, timeoutSeconds: 0 },
      now,
    );
    const soon = { ...next, cost: { now: 0.1, later: [{ at: now + 5_000, cost: 0.2 }] } };
    const { redrawAfter } = statusText(views, { current: 'workspace', limits, now, next: soon });
    assert.equal(redrawAfter, 5_050);
  });

  it('P6: leaves out the cap and the time when there is none', () => {
    assert.equal(status(talk(6), { ...limits, maxTurns: 0 }).text, '6 · 30 min');
    const endless = status(talk(6), { ...limits, timeoutSeconds: 0 });
    assert.deepEqual([endless.text, endless.redrawAfter], ['6/10', undefined]);
    assert.equal(status(talk(6), { ...limits, maxTurns: 0, timeoutSeconds: 0 }).text, '6');
  });

  it('P6: says when less than a minute is left, and shows itself anew when nothing is', () => {
    const soon = status(talk(1, { lastActive: now - 30 * minute + 5_000 }));
    assert.deepEqual([soon.text, soon.redrawAfter], ['1/10 · <1 min', 5_050]);
    assert.equal(status(talk(1, { lastActive: now - 30 * minute + 3 })).redrawAfter, 1_000);
  });

  it('M2: shows no end while a turn outlasts the timeout, and does not show itself again and again', async () => {
    const workspace = new TestWorkspace();
    const { memory, chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    const running = chat.begin({ id: 'b', startedAt: workspace.now });
    workspace.now += 31 * minute;
    const shown = () => statusText(memory.views(), { current: 'workspace', limits, now: workspace.now });
    assert.deepEqual([shown().text, shown().redrawAfter], ['1/10', undefined]);
    assert.doesNotMatch(shown().spoken, /ends in/);
    const table = memoryReport(chat.view(), limits, workspace.now);
    assert.match(table, /does not end while Claude is answering/);
    await running.abandon();
    assert.equal(shown().text, '0/10');
  });

  it('P6: is still there, without a time, when nothing is remembered', () => {
    const nothing = 'Nothing is remembered. Your next message starts a fresh conversation.';
    for (const empty of [undefined, talk(0)]) {
      assert.deepEqual(status(empty), { text: '0/10', tooltip: nothing, spoken: nothing, isWaiting: false });
    }
  });

  it('M16: marks a question that waits, and says it', () => {
    const waiting: NonNullable<Conversation['waiting']> = {
      param: 'branch',
      question: 'Which *branch*?',
      turnId: 'b',
      askedAt: now,
      tries: 1,
      toolUse: { type: 'tool_use', id: 't', name: 'ask_user', input: {} },
      results: [],
    };
    const asked = status(talk(1, { waiting }));
    assert.equal(asked.isWaiting, true);
    assert.match(asked.spoken, /Claude waits for your answer: Which \*branch\*\?/);
    assert.match(asked.tooltip, /Which \\\*branch\\\*\?/);
  });

  it('M18: marks what is only estimated', () => {
    const turns = talk(1).turns.map(({ tokens: _tokens, ...turn }) => turn);
    assert.match(status(talk(1, { turns })).spoken, /≈\d+ of at most/);
    assert.match(status(talk(1), { ...limits, tokenBudget: 0 }).spoken, /100 tokens in each request/);
  });

  it('M11: is about the current conversation, also when another one is newer, and counts the others', () => {
    const mine = talk(2, { id: 'mine', lastActive: now - minute });
    const newer = talk(5, { id: 'newer' });
    const forgotten = talk(0, { id: 'forgotten' });
    const { text, spoken } = statusOf([newer, mine, forgotten], 'mine');
    assert.equal(text, '2/10 · 29 min');
    assert.match(spoken, /^Remembered: 2 of 10 turns, .*\. 1 other conversation is remembered$/);
    const third = talk(1, { id: 'third' });
    assert.match(statusOf([newer, mine, third], 'mine').tooltip, /2 other conversations are remembered$/);
    assert.doesNotMatch(statusOf([mine], 'mine').spoken, /other/);
  });

  it('M19: does not say that nothing is remembered while another conversation is', () => {
    assert.deepEqual(statusOf([talk(3, { id: 'other', lastActive: now - minute })], 'mine'), {
      text: '0/10',
      tooltip: 'The current conversation is empty.\n\n1 other conversation is remembered',
      spoken: 'The current conversation is empty. 1 other conversation is remembered',
      isWaiting: false,
      redrawAfter: minute,
    });
    const views = viewOf(
      { conversations: new Map([['other', talk(3, { id: 'other', lastActive: now })]]), running: new Map() },
      limits,
      now,
    );
    assert.equal(
      statusText(views, { current: 'mine', limits, now, mode: 'readOnly' }).spoken,
      'The current conversation is empty. 1 other conversation is remembered. Read-only mode: nothing with side effects runs',
    );
  });

  it('R1: shows a permission mode that does not ask about everything, also before anything is remembered', () => {
    const inMode = (mode: PermissionMode, ...conversations: readonly Conversation[]) => {
      const state = { conversations: new Map(conversations.map((one) => [one.id, one])), running: new Map() };
      return statusText(viewOf(state, limits, now), { current: 'mine', limits, mode, now });
    };
    const mine = talk(3, { id: 'mine' });
    assert.match(inMode('edits', mine).text, /^3\/10 · .* · edits$/);
    assert.match(
      inMode('edits', mine).spoken,
      /Edits mode: files of the workspace are changed without asking$/,
    );
    assert.equal(inMode('readOnly').text, '0/10 · read-only');
    assert.match(inMode('readOnly').tooltip, /^Nothing is remembered[^]*Read-only mode: nothing/);
    assert.deepEqual(inMode('ask', mine), statusOf([mine], 'mine'));
  });

  it('M2: holds until the first conversation ends', () => {
    const sooner = talk(1, { id: 'sooner', lastActive: now - 30 * minute + 10_000 });
    assert.equal(statusOf([talk(1, { id: 'mine' }), sooner], 'mine').redrawAfter, 10_050);
  });
});

function status(conversation: Conversation | undefined, given: MemoryLimits = limits) {
  return statusOf(conversation ? [conversation] : [], 'workspace', given);
}

function statusOf(conversations: readonly Conversation[], current: string, given: MemoryLimits = limits) {
  const state = { conversations: new Map(conversations.map((one) => [one.id, one])), running: new Map() };
  return statusText(viewOf(state, given, now), { current, limits: given, now });
}

function talk(count: number, rest: Partial<Conversation> = {}): Conversation {
  const turns = Array.from({ length: count }, (_, index): StoredTurn => ({
    id: String(index),
    order: index,
    startedAt: now,
    endedAt: now,
    outcome: 'finished',
    tokens: 100,
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Yes.' },
    ],
  }));
  return { id: 'workspace', lastActive: now, turns, summarized: [], params: [], ...rest };
}
