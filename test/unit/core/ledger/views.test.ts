import assert from 'node:assert/strict';
import { compactRecord } from '../../../../src/core/ledger/compactRecord';
import { decodeRecord } from '../../../../src/core/ledger/decodeRecord';
import { ledgerReport } from '../../../../src/core/ledger/ledgerReport';
import { paramId, type LedgerRecord, type ShownAnswer } from '../../../../src/core/ledger/record';
import { usageView, type AnswerRow } from '../../../../src/core/ledger/usageView';
import { noUsage } from '../../../../src/core/messages';
import { dayOf } from '../../../../src/core/text/dayOf';
import { answered, evicted, wording } from '../../../support/ledgerRecords';

describe('the document of an answer', () => {
  const report = (answer: ShownAnswer, ...others: readonly LedgerRecord[]) =>
    ledgerReport(answer, [...others, answer], wording);
  const rows = (document: string, heading: string) => {
    const section = document.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
    return section
      .split('\n')
      .filter((line) => line.startsWith('|') && !line.includes('---'))
      .slice(1);
  };

  it('T5: says whose words counted and where they came from, as literal paths', () => {
    const document = report(
      answered('b', 20, {
        guidance: [
          { kind: 'instructions', path: '~/.claude/CLAUDE.md', chars: 12 },
          { kind: 'instructions', path: 'a*b*/CLAUDE.md', chars: 1_500, isEarlier: true },
          { kind: 'skill', path: '.claude/skills/x/SKILL.md', chars: 3 },
          { kind: 'prompt', path: '.claude/commands/review.md', chars: 4 },
        ],
      }),
    );
    assert.deepEqual(document.split('## Instructions and skills\n\n')[1]?.split('\n'), [
      '- `~/.claude/CLAUDE.md` · instructions · 12 characters',
      '- `a*b*/CLAUDE.md` · told with an earlier result · 1.5k characters',
      '- `.claude/skills/x/SKILL.md` · skill · 3 characters',
      '- `.claude/commands/review.md` · run by you · 4 characters',
    ]);
  });

  it('T5, M10: what counted is read back as it was written, and a damaged account is none', () => {
    const written = (guidance: unknown) => decodeRecord({ ...answered('b', 20), guidance });
    const sound = [{ kind: 'skill', path: '~/.claude/skills/x/SKILL.md', chars: 3, isEarlier: true }];
    assert.deepEqual(written(sound)?.guidance, sound);
    for (const damaged of [7, [{}], [{ kind: 'skill', path: 1, chars: 3 }], [{ ...sound[0], chars: -1 }]])
      assert.equal(written(damaged), undefined, JSON.stringify(damaged));
  });

  it('M24: lists what was sent with tokens, values by name only, and the sum that was reported', () => {
    const document = report(
      answered('b', 20, {
        sent: [
          { kind: 'system', tokens: 700 },
          { kind: 'summary', tokens: 100 },
          { kind: 'turn', turn: 'a', words: 'Is a | b **bold**?', tokens: 300 },
          { kind: 'param', param: paramId('order_id'), words: 'order_id', tokens: 10 },
          { kind: 'param', param: paramId('gone'), tokens: 5 },
          { kind: 'message', tokens: 885 },
        ],
      }),
    );
    assert.deepEqual(rows(document, 'Sent'), [
      '| Instructions | 700 |',
      '| Summary of earlier turns | 100 |',
      '| Turn: Is a \\| b \\*\\*bold\\*\\*? | 300 |',
      '| Remembered value: **order\\_id** | 10 |',
      '| Remembered value: (erased) | 5 |',
      '| Your message, with what was attached | 885 |',
      '| **Sum** | **2,000** |',
    ]);
    assert.match(document, /\| Tokens in \| 2,000, of which 1,500 from the cache \(75%\) \|/);
    assert.match(document, /\| Model \| Model m1 \|/);
    assert.match(document, /\| Cost \| \$0\.0123 \|/);
  });

  it('M24, M28: names the notes that were sent, and those for which there was no room', () => {
    const document = report(
      answered('b', 20, {
        sent: [
          { kind: 'note', note: 1, words: 'We *use* tabs.', tokens: 12 },
          { kind: 'note', note: 2, tokens: 8 },
        ],
        unsentNotes: [3, 4],
        unsentNoteTexts: ['Older | one.'],
      }),
    );
    assert.deepEqual(rows(document, 'Sent').slice(0, 2), [
      '| Note: We \\*use\\* tabs\\. | 12 |',
      '| Note: (erased) | 8 |',
    ]);
    assert.match(document, /Notes over 4000 tokens, the oldest: 2\n\n- Older \\\| one\\\./);
  });

  it('R4: lists what ran unasked, and why, with nothing in it that Markdown would obey', () => {
    const because = { by: 'rule', rule: 2, tool: 'edit_*', path: '[x](command:y)`' } as const;
    const document = report(
      answered('b', 20, {
        unasked: [
          { tool: 'edit_file', because: { by: 'edits' }, count: 3 },
          { tool: 'rename_file', because, count: 1 },
        ],
      }),
    );
    assert.equal(
      document.split('## Run without asking\n\n')[1],
      '- `edit_file` × 3 (allowed: edits mode)\n- `rename_file` (allowed: rule 2, `` [x](command:y)` ``)',
    );
    assert.doesNotMatch(report(answered('b', 20)), /Run without asking/);
  });

  it('M24: says how many requests an answer took, where it was more than one', () => {
    const sent = [{ kind: 'message', tokens: 2000 }] as const;
    const took = (requests: number) =>
      /so all of it goes out with each\.(.*)$/m.exec(report(answered('b', 20, { sent, requests })))?.[1];
    assert.doesNotMatch(took(1) ?? '', /requests/);
    assert.match(took(2) ?? '', /^ This answer took 2 requests, and the tokens are those of all of them\./);
  });

  it('M24: says what was evicted before, newest first, and why', () => {
    const document = report(
      answered('d', 50, { excluded: [{ turn: 'c', words: 'question c', tokens: 90, reason: 'size' }] }),
      ...evicted(10, 'cap', 'a'),
      ...evicted(20, 'budget', 'b'),
    );
    assert.deepEqual(rows(document, 'Left out'), [
      '| question c | 90 | too large |',
      '| question b | 70 | token budget |',
      '| question a | 70 | turn limit |',
    ]);
  });

  it('M24: does not say that a turn was left out which was evicted later, or which was sent', () => {
    const document = report(
      answered('c', 50, { sent: [{ kind: 'turn', turn: 'a', words: 'question a', tokens: 2000 }] }),
      ...evicted(10, 'fresh', 'a'),
      ...evicted(60, 'cap', 'b'),
    );
    assert.match(document, /Nothing: all that is remembered was sent\./);
  });

  it('M24: speaks of the conversation that ended before, and not of older ones', () => {
    const document = report(
      answered('c', 50),
      ...evicted(10, 'cap', 'old'),
      ...evicted(20, 'expiry', 'older'),
      ...evicted(30, 'expiry', 'a', 'b'),
    );
    assert.deepEqual(rows(document, 'Left out'), [
      '| question b | 70 | expired |',
      '| question a | 70 | expired |',
    ]);
  });

  it('M24: names the reason why a turn was evicted, rather than that it was about to', () => {
    const document = report(
      answered('b', 50, { excluded: [{ turn: 'a', words: 'question a', tokens: 70, reason: 'full' }] }),
      ...evicted(51, 'summary', 'a'),
    );
    assert.deepEqual(rows(document, 'Left out'), ['| question a | 70 | summarized |']);
  });

  it('M5: says how many placeholders stand in which turn', () => {
    const sent = [
      { kind: 'turn', turn: 'a', words: 'look', tokens: 1500, placeholders: 2 },
      { kind: 'turn', turn: 'x', words: 'well', tokens: 500 },
    ] as const;
    const document = report(answered('b', 20, { sent }));
    assert.deepEqual(rows(document, 'Sent').slice(0, -1), [
      '| Turn: look (placeholders for images and documents: 2) | 1,500 |',
      '| Turn: well | 500 |',
    ]);
  });

  it('M20: names turns whose words are not known by their time', () => {
    const { words: _erased, ...record } = answered('b', 10, {
      sent: [
        { kind: 'turn', turn: 'a', startedAt: 5, tokens: 1400 },
        { kind: 'turn', turn: 'x', tokens: 500 },
        { kind: 'turn', turn: 'y', words: '', tokens: 100 },
      ],
    });
    const document = report(record);
    assert.match(document, /^> turn of at 10$/m);
    assert.deepEqual(rows(document, 'Sent').slice(0, -1), [
      '| Turn: turn of at 5 | 1,400 |',
      '| Turn: an earlier turn | 500 |',
      '| Turn: \\(empty\\) | 100 |',
    ]);
  });

  it('M12: says that nothing was sent of the conversation', () => {
    const { conversation: _none, words: _kept, ...record } = answered('a', 10);
    const document = report(record, ...evicted(5, 'cap', 'x'));
    assert.match(document, /asked without memory: nothing of the conversation was sent/);
    assert.doesNotMatch(document, /question x/);
  });
});

describe('the usage page', () => {
  const current = { id: 'workspace', turns: [] };
  const scopes = (...records: readonly LedgerRecord[]) => usageView(current, records, wording).scopes;

  it('P6: adds up what was recorded, for this conversation and for all', () => {
    const [conversation, all] = scopes(
      answered('a', 10),
      ...evicted(20, 'expiry', 'a'),
      answered('b', 30),
      answered('c', 40, { conversation: 'other' }),
      answered('d', 50),
    );
    assert.deepEqual(
      [conversation?.summary, conversation?.cost],
      ['2 answers · 4.0k in, 75% cached · 100 out', '$0.0246'],
    );
    assert.deepEqual([all?.summary, all?.cost], ['4 answers · 8.0k in, 75% cached · 200 out', '$0.0492']);
    assert.deepEqual(all?.sums, [
      'Sum',
      '',
      '$0.0492',
      ...['8,000', '6,000', '1,600', '400'],
      ...['6,000', '0', '800', '1,200', '200'],
      '',
    ]);
  });

  it('P6: adds up by day and by model, with the share of scouts, web and summaries and what caching saved', () => {
    const day = 24 * 3_600_000;
    const usage = { input: 400, cacheRead: 6000, cacheWrite: 1600, output: 100, cost: 0.04 };
    const scouts = { kind: 'scouts', tokens: 0, output: 50, requests: 2, cost: 0.01 } as const;
    const web = { kind: 'web', tokens: 0, output: 50, requests: 1, cost: 0.02 } as const;
    const summarize = { kind: 'summarize', tokens: 0, cost: 0.004 } as const;
    const records = [
      answered('a', 10 * day, { usage, model: 'm1', sent: [scouts, web] }),
      answered('b', 11 * day, { usage: { ...usage, saved: 0.03 }, model: 'm2', sent: [summarize] }),
      answered('c', 11 * day + 1, { usage: { ...usage, cost: 0.08, saved: -0.01 }, model: 'm2', sent: [] }),
    ];
    const [, all] = usageView(current, records, wording).scopes;
    const [byDay, byModel] = all?.breakdowns ?? [];
    assert.deepEqual([byDay?.title, byModel?.title], ['By day', 'By model']);
    assert.deepEqual(
      byDay?.rows.map(([name]) => name),
      [`day ${dayOf(11 * day)}`, `day ${dayOf(10 * day)}`],
    );
    const rest = ['75%', '200', '–', '–', '$0.0040 (3%)', '$0.0200'];
    assert.deepEqual(byModel?.rows, [
      ['Model m2', '$0.1200', '2', '16,000', ...rest],
      ['Model m1', '$0.0400', '1', '8,000', '75%', '100', '$0.0100 (25%)', '$0.0200 (50%)', '–', '–'],
    ]);
    for (const { columns, rows } of all?.breakdowns ?? [])
      for (const row of rows) assert.equal(row.length, columns.length);
    const [, plain] = usageView(current, [answered('d', 12 * day, { usage })], wording).scopes;
    assert.deepEqual(plain?.breakdowns[0]?.columns, [
      ...['Day', 'Cost', 'Answers', 'Tokens in', 'From the cache', 'Tokens out'],
    ]);
    assert.deepEqual(plain?.breakdowns[0]?.rows[0]?.length, 6);
  });

  it('L14: says what was spent today, against the limit', () => {
    const today = { spent: { cost: 1.5, unpricedTokens: 0 }, limit: 5 };
    const { today: said } = usageView(current, [], wording, today);
    assert.deepEqual(said, ['Spent today in this workspace: $1.50 of at most $5.00']);
  });

  it('P6: has no tables without a line for a conversation in which nothing was asked', () => {
    const [conversation, all] = scopes(answered('a', 10, { conversation: 'other' }));
    assert.deepEqual([conversation?.breakdowns.length, all?.breakdowns.length], [0, 2]);
  });

  it('has as many cells in each row as there are columns', () => {
    const { labels, scopes: all } = usageView(current, [answered('a', 10)], wording);
    const [row] = all[0]!.rows as readonly AnswerRow[];
    assert.equal(row!.cells.length, labels.columns.length);
    assert.equal(all[0]!.sums.length, labels.columns.length);
  });

  it('P4: counts what /compact took', () => {
    const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, cost: 0.001 };
    const outcome = {
      type: 'cancelled',
      usage,
      modelId: 'm2',
      turns: 3,
      pinned: 0,
      tokensBefore: 9,
      tokensAfter: 9,
    } as const;
    const about = { turn: 'c', conversation: 'workspace', startedAt: 20, endedAt: 21 };
    const record = compactRecord(outcome, about)!;
    const [conversation] = scopes(answered('a', 10), record);
    assert.equal(conversation?.summary, '2 answers · 2.0k in, 75% cached · 55 out');
    assert.deepEqual(
      conversation?.rows.map((row) => row.kind === 'answer' && row.words),
      ['/compact', 'question a'],
    );
    assert.equal(compactRecord({ ...outcome, usage: noUsage }, about), undefined);
    assert.equal(compactRecord({ type: 'nothing', pinned: 0 }, about), undefined);
  });

  it('P8: tells what the bars of a row show', () => {
    const [row] = scopes(answered('a', 10, { end: 'cancelled' }))[0]!.rows as readonly AnswerRow[];
    assert.equal(row!.summary, 'stopped by you · 2.0k in, 75% cached · 50 out · 2 requests');
    assert.equal(
      row!.spoken,
      'Instructions and tools: 1,500. History: 0. Tool results: 200. Your message: 300. Answer: 50',
    );
  });

  it('L16, L17: scouts and the web have parts of their own, once there are any', () => {
    const withScouts = answered('a', 10, {
      sent: [
        { kind: 'system', tokens: 1_600 },
        { kind: 'scouts', tokens: 300, output: 20, requests: 3, cost: 0.001 },
        { kind: 'web', tokens: 100, output: 5, requests: 1 },
      ],
    });
    const [row] = scopes(withScouts)[0]!.rows as readonly AnswerRow[];
    assert.equal(
      row!.spoken,
      'Instructions and tools: 1,600. History: 0. Tool results: 0. Your message: 0. Scouts: 320. Web: 105. Answer: 25',
    );
    assert.match(
      ledgerReport(withScouts, [withScouts], wording),
      /Scouts: requests of their own: 3, tokens out: 20, cost: \$0\.0010 \| 300 \|/,
    );
  });

  it('M24: shows what was evicted between answers, newest first, together what was evicted together', () => {
    const [conversation] = scopes(
      answered('a', 10),
      answered('b', 20),
      ...evicted(30, 'cap', 'a'),
      ...evicted(31, 'cap', 'b'),
      ...evicted(32, 'rewind', 'c'),
      answered('d', 40),
    );
    assert.deepEqual(
      conversation?.rows.map((row) => (row.kind === 'answer' ? row.words : [row.text, row.turns])),
      [
        'question d',
        ['1 turn no longer remembered: taken back in the chat', ['question c']],
        ['2 turns no longer remembered: turn limit', ['question a', 'question b']],
        'question b',
        'question a',
      ],
    );
  });

  it('has nothing to show while nothing was recorded', () => {
    assert.deepEqual(
      scopes().map(({ rows }) => rows),
      [[], []],
    );
  });
});
