import assert from 'node:assert/strict';
import { memoryReport } from '../../../../../src/core/conversation/reports/memoryReport';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import { viewOfOne, type MemoryLimits } from '../../../../../src/core/conversation/view';

const now = 10_000_000;
const limits: MemoryLimits = {
  maxTurns: 2,
  timeoutSeconds: 1800,
  eviction: 'oldest',
  tokenBudget: 0,
  whenFull: 'drop',
  archiveSize: 100,
};

function turn(id: string, question: string, rest: Partial<StoredTurn> = {}): StoredTurn {
  return {
    id,
    order: 1,
    startedAt: now - 300_000,
    endedAt: now - 300_000,
    outcome: 'finished',
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: 'Yes.' },
    ],
    ...rest,
  };
}

const conversation: Conversation = {
  id: 'workspace',
  lastActive: now - 60_000,
  turns: [
    turn('a', 'Is a | b\n**bold**?', {
      model: 'm1',
      usage: { input: 100, cacheRead: 900, cacheWrite: 0, output: 50, cost: 0.01 },
    }),
    turn('b', `${'long '.repeat(40)}end`, {
      outcome: 'interrupted',
      usage: { input: 10, cacheRead: 0, cacheWrite: 40, output: 5, cost: 0.002 },
    }),
  ],
  summarized: [],
  params: [{ name: 'order_id', value: 'O-777', at: now - 120_000, turnId: 'a' }],
  waiting: {
    param: 'branch',
    question: 'Which branch?',
    turnId: 'b',
    askedAt: now - 60_000,
    tries: 1,
    toolUse: { type: 'tool_use', id: 't', name: 'ask_user', input: {} },
    results: [],
  },
};

function reportOf(shown: Conversation, given = limits): string {
  return memoryReport(viewOfOne(shown, given, now), given, now);
}

describe('what /memory and /usage show', () => {
  it('T5: /memory lists the words of the team that count, and where they come from', () => {
    const guidance = [{ kind: 'instructions', path: 'CLAUDE.md', chars: 30 }] as const;
    for (const view of [undefined, viewOfOne(conversation, limits, now)]) {
      const report = memoryReport(view, limits, now, [], undefined, guidance);
      assert.match(report, /that count here:\n\n- `CLAUDE\.md` · instructions · 30 characters$/);
    }
  });

  it('P4: lists the turns with age and size, which is dropped next, when all expires, and what is asked', () => {
    const lines = reportOf(conversation).split('\n');
    assert.deepEqual(lines, [
      'Remembered: 2 of at most 2 turns. The conversation ends in 29 min, unless you go on with it.',
      '',
      '| Turn | Age | Tokens |',
      '| --- | --- | --- |',
      '| 1. Is a \\| b \\*\\*bold\\*\\*? *(dropped next)* | 5 min | ≈29 |',
      `| 2. ${'long '.repeat(12)}… *(interrupted)* | 5 min | ≈91 |`,
      '',
      '| Name | Value | When |',
      '| --- | --- | --- |',
      '| order\\_id | •••••• | 2 min ago (turn 1) |',
      '',
      'Asked 1 min ago and waiting for your next message: **Which branch?**',
    ]);
  });

  it('M18: begins with the first lines of the summary', () => {
    const summary = { text: 'One.\n\n- **Two.**\n- Three.\n- Four.', at: now, turns: 5 };
    const lines = reportOf({ ...conversation, summary }).split('\n');
    assert.deepEqual(lines.slice(2, 8), [
      'A summary stands for the 5 turns before them:',
      '',
      '> One.',
      '> - **Two.**',
      '> - Three. …',
      '',
    ]);
  });

  it('M18: counts the turns of the summary in words', () => {
    const heading = (turns: number) =>
      reportOf({ ...conversation, summary: { text: 'One.', at: now, turns } }).split('\n')[2];
    assert.equal(heading(1), 'A summary stands for the turn before them:');
    assert.equal(heading(2), 'A summary stands for the 2 turns before them:');
  });

  it('M15: shows no value of a param', () => {
    assert.doesNotMatch(reportOf(conversation), /O-777|777/);
  });

  it('M28, P4: lists the notes below, also when nothing else is remembered', () => {
    const origin = { isAskedFor: true, after: [] };
    const notes = [
      { id: 1, text: 'We | *use* tabs.', at: now - 180_000, origin },
      { id: 2, text: 'Make.', at: now, origin },
    ];
    const listed = [
      '| Note | When |',
      '| --- | --- |',
      '| Make\\. | just now |',
      '| We \\| \\*use\\* tabs\\. | 3 min ago |',
    ];
    for (const view of [undefined, viewOfOne(conversation, limits, now)])
      assert.deepEqual(memoryReport(view, limits, now, notes).split('\n').slice(-4), listed);
    // 4,000 tokens of them are sent, the newest first.
    const long = { id: 3, text: 'x'.repeat(500), at: now - 300_000, origin };
    const many = [
      long,
      ...Array.from({ length: 60 }, (_, at) => ({ ...long, id: 4 + at, text: 'y'.repeat(500) })),
    ];
    const rows = memoryReport(undefined, limits, now, many).split('\n').slice(-61);
    assert.match(rows.at(-1) ?? '', /x \*\(not sent\)\* \|/);
    assert.doesNotMatch(rows[0] ?? '', /not sent/);
  });

  it('P4: says when nothing is remembered, and when nothing ends by itself', () => {
    assert.match(memoryReport(undefined, limits, now), /Nothing is remembered/);
    const plan = {
      id: 1,
      text: '# A *plan*\n- [x] one\n- [ ] two\n',
      revision: 1,
      isEdited: false,
      changedAt: 1,
    };
    assert.match(
      memoryReport(undefined, limits, now, [], { ...plan, startedAt: 1, isClosed: false }),
      /\n\nPlan: A \\\*plan\\\* \(1 of 2 steps done\)$/,
    );
    const free = { ...limits, maxTurns: 0, timeoutSeconds: 0 };
    const report = reportOf(conversation, free);
    assert.match(report, /^2 turns are remembered\. The conversation never ends by itself\./);
    assert.doesNotMatch(report, /dropped next/);
  });
});
