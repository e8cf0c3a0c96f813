import assert from 'node:assert/strict';
import { withAttachments } from '../../../../../src/core/agent/attachments';
import type { MemoryNode } from '../../../../../src/core/conversation/reports/memoryRow';
import { memoryTree } from '../../../../../src/core/conversation/reports/memoryTree';
import type { ArchivedHeader } from '../../../../../src/core/conversation/store';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import { viewOf, type MemoryLimits } from '../../../../../src/core/conversation/view';
import type { Message } from '../../../../../src/core/messages';
import type { ListedNote } from '../../../../../src/core/tools/notes/note';
import type { Plan } from '../../../../../src/core/tools/plans/plan';

const now = 10_000_000;
const minute = 60_000;
const limits: MemoryLimits = {
  maxTurns: 4,
  timeoutSeconds: 1800,
  eviction: 'oldest',
  tokenBudget: 100_000,
  whenFull: 'drop',
  archiveSize: 100,
};

describe('the rows of the Memory view', () => {
  it('M19: show turns with age, tokens, tools and files, what is pinned, interrupted and is dropped next', () => {
    // What is only estimated is for others to test.
    const lines = outline(rows(conversation)).map((line) => line.replace(/≈\d+/, '≈#'));
    assert.deepEqual(lines, [
      '3 of 4 turns | ends in 29 min',
      '  Summary | 2 turns · ≈# tokens',
      '  Where is the price? | 9 min · 1.2k tokens · search_text · read_file ×2 · prices.ts · a.ts',
      '  Rename it | 5 min · ≈# tokens · dropped next · rename_file · old.ts · new.ts',
      '  Thanks | 2 min · ≈# tokens',
      '  Which branch? | waits for your next message · 1 min ago',
      '  Remembered values | 1',
      '    order_id | ••••••',
    ]);
  });

  it('P8: say to a screen reader what the icons show', () => {
    const turns = flat(rows(conversation)).filter(({ subject }) => subject.kind === 'turn');
    assert.match(turns[0]?.spoken ?? '', /^Where is the price\?, pinned, 9 min, 1\.2k tokens/);
    assert.match(turns[1]?.spoken ?? '', /^Rename it, dropped next, interrupted, 5 min/);
  });

  it('P8: say more of their words to a screen reader than they show, so that those that begin alike are told apart', () => {
    const words =
      'Replace the price of green tea in the catalogue, and tell me what else would change with it';
    const archived: ArchivedHeader = {
      ...{ id: '1', conversationId: 'workspace', ending: { kind: 'left' } },
      ...{ title: words, endedAt: now, turns: 1 },
    };
    const plan = { id: 1, text: `# ${words}`, revision: 1, isEdited: false, changedAt: now, isClosed: false };
    const shown = flat(
      memoryTree(
        viewsOf([other('t1', words, 0), other('t2', 'Hi', 0)]),
        [archived],
        options({ plans: [plan] }),
      ),
    ).filter(({ spoken }) => spoken.includes('Replace'));
    assert.deepEqual(
      shown.map(({ label }) => label),
      Array.from({ length: 4 }, () => 'Replace the price of…'),
    );
    assert.deepEqual(
      shown.map(({ spoken }) => /Replace.*?…/.exec(spoken)?.[0]),
      Array.from({ length: 4 }, () => 'Replace the price of green tea in the catalogue, and tell me…'),
    );
  });

  it('M19: say what each row can be asked to do', () => {
    const [root] = rows(conversation);
    assert.deepEqual(
      root?.children.map(({ subject }) => subject),
      [
        { kind: 'summary', conversation: 'workspace' },
        { kind: 'turn', conversation: 'workspace', turn: 'a', isPinned: true, isInterrupted: false },
        { kind: 'turn', conversation: 'workspace', turn: 'b', isPinned: false, isInterrupted: true },
        { kind: 'turn', conversation: 'workspace', turn: 'c', isPinned: false, isInterrupted: false },
        { kind: 'question', conversation: 'workspace' },
        { kind: 'values', conversation: 'workspace' },
      ],
    );
    const ids = flat(rows(conversation)).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('M15: hold no value of a param until it is revealed, not even in a tooltip or for a screen reader', () => {
    assert.doesNotMatch(JSON.stringify(rows(conversation)), /O-777/);
    const shown = flat(rows(conversation, { isRevealed: (_id, name) => name === 'order_id' })).at(-1);
    assert.deepEqual([shown?.label, shown?.description], ['order_id', 'O-777']);
    assert.equal(shown?.spoken, 'order_id, O-777');
    assert.equal(flat(rows(conversation)).at(-1)?.spoken, 'order_id, value hidden');
  });

  it('N2, N3: show the plan with its progress first, and closed ones below one row', () => {
    const plan = (id: number, rest: Partial<Plan>): Plan => ({
      ...{ id, text: '# <b>Prices</b>\n\n- [x] one\n- [ ] two\n', revision: 1, isEdited: false },
      ...{ changedAt: now - minute, isClosed: false },
      ...rest,
    });
    const plans = [
      plan(3, { startedAt: 1 }),
      plan(2, { isClosed: true, startedAt: 1 }),
      plan(1, { isClosed: true, text: 'no steps' }),
    ];
    const shown = rows(conversation, { plans });
    assert.deepEqual(outline(shown.slice(0, 2)), [
      '<b>Prices</b> | 1/2',
      'Closed plans | 2',
      '  <b>Prices</b> | 1/2 · 1 min ago',
      '  no steps | closed · 1 min ago',
    ]);
    assert.equal(shown[0]?.spoken, 'Plan: <b>Prices</b>, 1 of 2 steps done');
    assert.doesNotMatch(shown[0]?.tooltip ?? '', /<b>/);
    assert.match(shown[0]?.tooltip ?? '', /☑ one\n- ☐ two[^]*with each message \(≈\d+ tokens\)/);
    assert.equal(
      outline(rows(conversation, { plans: [plan(1, {})] }))[0],
      '<b>Prices</b> | 2 steps, not started',
    );
    assert.equal(
      outline(rows(conversation, { plans: [plan(1, { text: '- [ ] one' })] }))[0],
      'one | 1 step, not started',
    );
  });

  it('M3: without a cap and without a timeout nothing is counted down', () => {
    const free = { ...limits, maxTurns: 0, timeoutSeconds: 0 };
    assert.equal(outline(rows(conversation, { limits: free }))[0], '3 turns');
    const unbounded = { ...free, tokenBudget: 0 };
    assert.doesNotMatch(outline(rows(conversation, { limits: unbounded })).join('\n'), /dropped next/);
  });

  it('M3: a pinned turn leaves last, also when it is the oldest of two', () => {
    const two = { ...conversation, turns: conversation.turns.filter(({ id }) => id !== 'b') };
    assert.match(
      outline(rows(two, { limits: { ...limits, maxTurns: 2 } })).join('\n'),
      /Thanks \| dropped next/,
    );
  });

  it('M28: list the notes between the conversations and the archive, with age and turn, the newest first', () => {
    const origin = { turnId: 'a', isAskedFor: true, after: [] };

    const notes: readonly ListedNote[] = [
      {
        id: 1,
        text: 'We use *tabs*, not spaces, in all files that people write.',
        at: now - 5 * minute,
        origin,
        words: 'Where is the price?',
      },
      {
        id: 2,
        text: 'Build with make.',
        at: now - 2 * minute,
        editedAt: now - minute,
        origin: { turnId: 'gone', isAskedFor: false, after: ['README.md'] },
      },
      { id: 3, text: 'From elsewhere.', at: now, origin: { isAskedFor: false, after: [] } },
    ];
    const tree = memoryTree(viewsOf([conversation]), [], options({ notes }));
    const node = tree.at(-1);
    assert.deepEqual(outline(node ? [node] : []), [
      'Notes | 3',
      '  From elsewhere. | just now',
      '  Build with make. | 2 min ago',
      '  We use *tabs*, not spaces, in all files … | 5 min ago · from “Where is the price?”',
    ]);
    assert.deepEqual(
      node?.children.map(({ subject }) => subject.kind === 'note' && subject.turn),
      [undefined, undefined, 'a'],
    );
    assert.deepEqual(
      node?.children.map(({ tooltip }) => tooltip),
      [
        'From elsewhere\\.\n\nYou allowed it just now. Proposed by another chat.',
        'Build with make\\.\n\nYou allowed it 2 min ago. Proposed by Claude after reading `README.md`. You edited it 1 min ago.',
        'We use \\*tabs\\*, not spaces, in all files that people write\\.\n\nYou asked for it 5 min ago. In the turn “Where is the price?”\\.',
      ],
    );
    const many = Array.from({ length: 40 }, (_, at) => ({
      ...notes[2]!,
      id: at + 1,
      text: `${at} ${'word '.repeat(90)}`,
    }));
    const [full] = memoryTree([], [], options({ notes: many }));
    assert.match(full?.description ?? '', /^40 · \d+ not sent$/);
    assert.match(full?.children.at(-1)?.description ?? '', /^not sent · /);
    assert.match(full?.children.at(-1)?.tooltip ?? '', /newer notes take the 4000 tokens/);
  });

  it('M11: of several conversations the current one comes first and is marked, then the newest', () => {
    const shown = [
      other('t1', 'Old', 20),
      other('t2', 'Newest', 0),
      other('t3', 'Mine', 10),
      other('t4', 'New', 5),
    ];
    const tree = memoryTree(viewsOf(shown), [], options({ current: 't3' }));
    assert.deepEqual(
      outline(tree).filter((line) => !line.startsWith(' ')),
      [
        'Mine | current · 1 of 4 turns · ends in 20 min',
        'Newest | 1 of 4 turns · ends in 30 min',
        'New | 1 of 4 turns · ends in 25 min',
        'Old | 1 of 4 turns · ends in 10 min',
      ],
    );
    assert.match(tree[0]?.tooltip ?? '', /Clear Conversation/);
    assert.doesNotMatch(tree[1]?.tooltip ?? '', /Clear Conversation/);
  });

  it('M11: the only conversation is not taken for the current one when it is of another thread', () => {
    const [first] = outline(memoryTree(viewsOf([other('t2', 'Elsewhere', 0)]), [], options()));
    assert.equal(first, 'Elsewhere | 1 of 4 turns · ends in 30 min');
  });

  it('M19: tell more in their tooltips: tools and files of a turn, where a value came from, who is to answer', () => {
    const tooltip = (label: string, shown = rows(conversation)) =>
      flat(shown).find((row) => row.label === label)?.tooltip;
    assert.equal(
      tooltip('Where is the price?')?.replace(/^.*ago/m, '… ago'),
      [
        'Where is the price?',
        '… ago · 1\\.2k tokens',
        'Tools: search\\_text, read\\_file ×2',
        'Files: src/prices\\.ts, a\\.ts',
        'Pinned: it stays when other turns are dropped.',
      ].join('\n\n'),
    );
    assert.doesNotMatch(tooltip('Thanks') ?? '', /Tools|Files|Pinned|dropped|Interrupted/);
    assert.match(tooltip('Rename it') ?? '', /first to be dropped.*\n\nInterrupted before it finished/);
    assert.equal(
      tooltip('order_id'),
      'The value is hidden until you reveal it.\n\nRemembered 2 min ago, from “Where is the price?”',
    );
    const revealed = rows(conversation, { isRevealed: () => true });
    assert.match(tooltip('order_id', revealed) ?? '', /^O\\-777\n\nRemembered/);
    const elsewhere = { ...conversation, turns: conversation.turns.slice(1) };
    assert.match(tooltip('order_id', rows(elsewhere)) ?? '', /Remembered 2 min ago$/);
    assert.match(
      tooltip('Which branch?') ?? '',
      /Asked 1 min ago\. Your next message in the chat is the answer\.$/,
    );
  });

  it('M19: name the model that answered as people know it', () => {
    const [first, ...others] = conversation.turns;
    const answered = { ...conversation, turns: [{ ...first!, model: 'claude-x' }, ...others] };
    const shown = flat(rows(answered, { nameOfModel: (id) => `Name of ${id}` }));
    assert.match(
      shown.find(({ subject }) => subject.kind === 'turn')?.tooltip ?? '',
      /· Name of claude\\-x$/m,
    );
  });

  it('M19: cut a question after 80 characters; all of it is in the tooltip', () => {
    const asking = (question: string) => {
      const { waiting } = conversation;
      const shown = rows({ ...conversation, ...(waiting && { waiting: { ...waiting, question } }) });
      return flat(shown).find(({ subject }) => subject.kind === 'question');
    };
    assert.equal(asking('x'.repeat(80))?.label, 'x'.repeat(80));
    const cut = asking('x'.repeat(82));
    assert.equal(cut?.label, `${'x'.repeat(80)}…`);
    assert.ok(cut.tooltip?.startsWith('x'.repeat(82)));
  });

  it('M16: a question of another thread waits for an answer there', () => {
    const asked = rows(conversation, { current: 'elsewhere' });
    const row = flat(asked).find(({ subject }) => subject.kind === 'question');
    assert.equal(row?.description, 'waits for an answer in its thread · 1 min ago');
    assert.match(row?.tooltip ?? '', /Your next message in its thread is the answer/);
  });

  it('M20: list the archive below, and nothing for nothing', () => {
    const archived = {
      id: 'z',
      conversationId: 'workspace',
      title: 'Fix the\nbuild',
      endedAt: now - 3 * 86_400_000,
      ending: { kind: 'ended' },
      turns: 1,
    } as const;
    assert.deepEqual(outline(memoryTree([], [archived], options())), [
      'Earlier conversations | 1',
      '  Fix the build | 3 days ago · 1 turn · expired',
    ]);
    assert.deepEqual(memoryTree(viewsOf([bare('workspace', now)]), [], options()), []);
  });

  it('show the words of the person as they are, and not as Markdown', () => {
    const hostile = {
      ...conversation,
      turns: [
        turn('a', [
          ['user', '[x](command:y) <b>'],
          ['assistant', '.'],
        ]),
      ],
    };
    const row = flat(rows(hostile)).find(({ subject }) => subject.kind === 'turn');
    assert.equal(row?.label, '[x](command:y) <b>');
    assert.match(row?.tooltip ?? '', /^\\\[x\\\]\\\(command:y\\\) \\<b\\>/);
  });

  it('show the own words of the person after what was attached', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '[Image sent: photo]' },
          { type: 'text', text: '<attachment name="a.ts">\nx\n</attachment>' },
          { type: 'text', text: 'What is wrong here?' },
        ],
      },
      { role: 'assistant', content: 'Nothing.' },
    ];
    const attached = { ...conversation, turns: [{ ...turn('a', []), messages }] };
    assert.ok(outline(rows(attached)).some((line) => line.startsWith('  What is wrong here? |')));
  });

  it('M19: call a turn empty whose message was an attachment alone, and not by the words that Claude gets for it', () => {
    const { content } = withAttachments('', [{ kind: 'text', name: 'a.ts', text: 'x' }]);
    const messages: Message[] = [
      { role: 'user', content },
      { role: 'assistant', content: 'A file.' },
    ];
    const silent = { ...conversation, turns: [{ ...turn('a', []), messages }] };
    const row = flat(rows(silent)).find(({ subject }) => subject.kind === 'turn');
    assert.equal(row?.label, '(empty)');
    assert.doesNotMatch(JSON.stringify(rows(silent)), /no words/);
  });
});

function options(rest: Partial<Parameters<typeof memoryTree>[2]> = {}): Parameters<typeof memoryTree>[2] {
  return { limits, now, current: 'workspace', isRevealed: () => false, ...rest };
}

/** A conversation of one question, used so many minutes ago. */
function other(id: string, question: string, minutesAgo: number): Conversation {
  return {
    ...bare(id, now - minutesAgo * minute),
    turns: [
      turn(`${id}-turn`, [
        ['user', question],
        ['assistant', 'Yes.'],
      ]),
    ],
  };
}

function rows(
  shown: Conversation,
  rest: Partial<Parameters<typeof memoryTree>[2]> = {},
): readonly MemoryNode[] {
  return memoryTree(viewsOf([shown], rest.limits), [], options(rest));
}

function viewsOf(shown: readonly Conversation[], given = limits) {
  const conversations = new Map(shown.map((one) => [one.id, one]));
  return viewOf({ conversations, running: new Map() }, given, now).values();
}

function flat(nodes: readonly MemoryNode[]): readonly MemoryNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)]);
}

function outline(nodes: readonly MemoryNode[], indent = ''): readonly string[] {
  return nodes.flatMap(({ label, description, children }) => [
    `${indent}${label}${description && ` | ${description}`}`,
    ...outline(children, `${indent}  `),
  ]);
}

function turn(
  id: string,
  said: readonly (readonly ['user' | 'assistant', Message['content']])[],
  rest: Partial<StoredTurn> = {},
): StoredTurn {
  const messages = said.map(([role, content]): Message => ({ role, content }));
  return { id, order: 1, startedAt: now, endedAt: now, outcome: 'finished', messages, ...rest };
}

function bare(id: string, lastActive: number): Conversation {
  return { id, lastActive, turns: [], summarized: [], params: [] };
}

function use(name: string, input: object): Message['content'] {
  return [{ type: 'tool_use', id: `${name}-1`, name, input }];
}

const conversation: Conversation = {
  ...bare('workspace', now - minute),
  summary: { text: 'Short.', at: 0, turns: 2 },
  turns: [
    turn(
      'a',
      [
        ['user', 'Where is the price?'],
        ['assistant', use('search_text', { pattern: 'price', path: 'src' })],
        ['assistant', use('read_file', { path: 'src/prices.ts' })],
        ['assistant', use('read_file', { path: 'a.ts' })],
      ],
      { isPinned: true, endedAt: now - 9 * minute, tokens: 1234 },
    ),
    turn(
      'b',
      [
        ['user', 'Rename it'],
        ['assistant', use('rename_file', { from: 'old.ts', to: 'lib/new.ts' })],
      ],
      { outcome: 'interrupted', endedAt: now - 5 * minute },
    ),
    turn(
      'c',
      [
        ['user', 'Thanks'],
        ['assistant', 'Yes.'],
      ],
      { endedAt: now - 2 * minute },
    ),
  ],
  params: [{ name: 'order_id', value: 'O-777', at: now - 2 * minute, turnId: 'a' }],
  waiting: {
    param: 'branch',
    question: 'Which branch?',
    turnId: 'b',
    askedAt: now - minute,
    tries: 1,
    toolUse: { type: 'tool_use', id: 't', name: 'ask_user', input: {} },
    results: [],
  },
};
