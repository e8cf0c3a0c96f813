import assert from 'node:assert/strict';
import { runToolCall } from '../../../../src/core/agent/runToolCall';
import { withoutQuestions } from '../../../../src/core/tools/unattended';
import type { Place } from '../../../../src/core/tools/workspace';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

const folder = { name: 'app', root: '/work/app' };
const at = (path: string): Place => ({ folder, path });
const harnessOver = (options: InMemoryOptions) => createToolHarness(createInMemoryWorkspace(options));

describe('tools that depend on other extensions', () => {
  for (const [name, input] of [
    ['get_symbols', { query: 'x' }],
    ['get_changes', {}],
  ] as const) {
    it(`L3: ${name} gives up on one that never answers, and says so`, async () => {
      const never = () => new Promise<never>(() => undefined);
      const stuck = { ...createInMemoryWorkspace({}), findSymbols: never, changes: never };
      const { tool } = createToolHarness(stuck);
      const output = await runToolCall(
        { type: 'ready', call: { id: 'call', name, input }, tool: tool(name) },
        { wait: () => Promise.resolve() },
        new AbortController().signal,
      );
      assert.match(JSON.stringify(output), /took longer than \d+ seconds and was stopped/);
    });
  }
});

describe('tools in a window without a folder', () => {
  for (const [name, input] of [
    ['read_file', { path: 'a.ts' }],
    ['list_directory', {}],
    ['find_files', { pattern: '*' }],
    ['search_text', { pattern: 'x' }],
    ['get_diagnostics', {}],
    ['get_symbols', { query: 'x' }],
    ['get_changes', {}],
    ['create_file', { path: 'a.ts', content: '' }],
  ] as const) {
    it(`P9: ${name} says that there is none`, async () => {
      assert.match(await harnessOver({ folders: [] }).refusal(name, input), /^No folder is open/);
    });
  }
});

describe('rules about places', () => {
  it('R2: count for every call that names one', async () => {
    const { all } = harnessOver({ files: { 'private/a.ts': 'x', 'b.ts': 'x' }, changes: [] });
    const rules = [{ tool: '*', path: 'private/**', decision: 'deny' }] as const;
    const ruled = withoutQuestions(all, () => ({ mode: 'ask', rules }));
    const said: string[] = [];
    const pattern = 'x';
    for (const name of [
      ...['read_file', 'list_directory', 'get_diagnostics', 'get_symbols', 'get_changes'],
      ...['search_text', 'find_files'],
    ])
      for (const path of ['private/a.ts', 'private', 'b.ts']) {
        const tool = ruled.find((one) => one.name === name);
        const input = { path, ...(/^(search|find)_/.test(name) && { pattern }) };
        const output = tool?.run({ id: 'call', name, input }, new AbortController().signal);
        const result = JSON.stringify(await output?.catch(() => undefined));
        if (result?.includes('Nothing was done: rule 1')) said.push(`${name} ${path}`);
      }
    assert.deepEqual(said, [
      ...['read_file private/a.ts', 'read_file private'],
      ...['list_directory private/a.ts', 'list_directory private'],
      ...['get_diagnostics private/a.ts', 'get_diagnostics private'],
      ...['get_symbols private/a.ts', 'get_symbols private'],
      ...['get_changes private/a.ts', 'get_changes private'],
      ...['search_text private/a.ts', 'search_text private'],
      ...['find_files private/a.ts', 'find_files private'],
    ]);
  });

  it('R2: count for a search whose glob begins with one, as for its path', async () => {
    const folders = ['app', 'lib'].map((name) => ({ name, root: `/work/${name}` }));
    const rules = [
      { tool: '*', path: 'private/**', decision: 'deny' },
      { tool: '*', path: 'src/key.ts', decision: 'deny' },
    ] as const;
    const refusedIn = async (options: InMemoryOptions, ...globs: readonly string[]) => {
      const ruled = withoutQuestions(harnessOver(options).all, () => ({ mode: 'ask', rules }));
      const said: string[] = [];
      for (const glob of globs)
        for (const [name, input] of [
          ['find_files', { pattern: glob }],
          ['search_text', { pattern: 'x', include: glob }],
        ] as const) {
          const tool = ruled.find((one) => one.name === name);
          const output = await tool?.run({ id: 'call', name, input }, new AbortController().signal);
          if (JSON.stringify(output).includes('Nothing was done: rule')) said.push(`${name} ${glob}`);
        }
      return said;
    };
    const files = { '/work/app/private/a.ts': 'x', '/work/lib/private/a.ts': 'x', '/work/app/b.ts': 'x' };
    assert.deepEqual(await refusedIn({ files }, 'private/**', './private/*.ts', '*.ts', 'b*'), [
      ...['find_files private/**', 'search_text private/**'],
      ...['find_files ./private/*.ts', 'search_text ./private/*.ts'],
    ]);
    assert.deepEqual(await refusedIn({ files, folders }, 'lib/private/**', 'app/*.ts'), [
      ...['find_files lib/private/**', 'search_text lib/private/**'],
    ]);
    assert.deepEqual(await refusedIn({ files }, 'src/key.ts', '/src/key.ts', 'src/*.ts', 'src/keys.ts'), [
      ...['find_files src/key.ts', 'search_text src/key.ts'],
      ...['find_files /src/key.ts', 'search_text /src/key.ts'],
    ]);
  });
});

describe('get_diagnostics', () => {
  const problems: InMemoryOptions['problems'] = [
    { place: at('src/b.ts'), line: 3, column: 5, severity: 'warning', message: 'unused', source: 'lint' },
    { place: at('src/a.ts'), line: 1, column: 1, severity: 'error', message: 'broken\nvery' },
    { place: at('src/a.ts'), line: 2, column: 1, severity: 'hint', message: 'nicer' },
  ];

  it('lists errors and warnings, the gravest first', async () => {
    assert.equal(
      await harnessOver({ problems }).text('get_diagnostics', {}),
      'src/a.ts:1:1 error: broken\n  very\nsrc/b.ts:3:5 warning: unused [lint]',
    );
  });

  it('keeps to a path, and says what is hidden by its severity', async () => {
    const { text } = harnessOver({ problems });
    assert.equal(await text('get_diagnostics', { path: 'src/b.ts' }), 'src/b.ts:3:5 warning: unused [lint]');
    assert.match(
      await text('get_diagnostics', { path: 'src/b.ts', severity: 'error' }),
      /1 of less severity/,
    );
    assert.match(await text('get_diagnostics', { path: 'src/a.ts', severity: 'hint' }), /hint: nicer/);
  });

  it('S4: tells nothing of what is wrong with a secret, since that is often told by quoting it', async () => {
    const quoting = { line: 1, column: 1, severity: 'error', message: 'Unknown word: hunter2' } as const;
    const { text, refusal } = harnessOver({
      files: { '.env': '', 'config/secrets.json': '' },
      problems: [
        ...problems,
        { ...quoting, place: at('.env') },
        { ...quoting, place: at('config/secrets.json') },
      ],
    });
    assert.doesNotMatch(await text('get_diagnostics', {}), /hunter2/);
    assert.doesNotMatch(await text('get_diagnostics', { path: 'config' }), /hunter2/);
    assert.match(await refusal('get_diagnostics', { path: '.env' }), /read_file asks the person/);
  });
});

describe('A12: what lies behind a link', () => {
  const files = {
    out: { link: '/etc' },
    'src/a.ts': 'x',
    alias: { link: 'src' },
    '.env': '',
    'notes.txt': { link: '.env' },
  } as const;
  const places = ['out/passwd', 'alias/a.ts', 'notes.txt'];

  it('has no problems to show when it leaves the workspace or is a secret', async () => {
    const problems = places.map((path) => {
      return { place: at(path), line: 1, column: 1, severity: 'error', message: path } as const;
    });
    const { text } = harnessOver({ files, problems });
    assert.equal(await text('get_diagnostics', {}), 'src/a.ts:1:1 error: alias/a.ts');
    assert.equal(await text('get_diagnostics', { path: 'alias' }), 'src/a.ts:1:1 error: alias/a.ts');
    assert.equal(await text('get_diagnostics', { path: 'src/a.ts' }), 'src/a.ts:1:1 error: alias/a.ts');
  });

  it('has no symbols to show either', async () => {
    const symbols = places.map((path) => {
      return { name: `key in ${path}`, kind: 'key', place: at(path), line: 1, endLine: 1, depth: 0 };
    });
    const { text } = harnessOver({ files, symbols });
    assert.equal(await text('get_symbols', { query: 'key' }), 'src/a.ts:1 key key in alias/a.ts');
  });
});

describe('get_symbols', () => {
  const symbols: InMemoryOptions['symbols'] = [
    { name: 'Cart', kind: 'class', place: at('a.ts'), line: 1, endLine: 9, depth: 0 },
    { name: 'total', kind: 'method', place: at('a.ts'), line: 3, endLine: 3, depth: 1, container: 'Cart' },
  ];

  it('shows the outline of a file', async () => {
    const { text } = harnessOver({ files: { 'a.ts': 'x' }, symbols });
    assert.equal(await text('get_symbols', { path: 'a.ts' }), '1–9 class Cart\n  3 method total');
  });

  it('T1, P5: names the file whose outline it gives as one that was read', async () => {
    const { run } = harnessOver({ files: { 'sub/a.ts': 'x' }, symbols });
    assert.deepEqual((await run('get_symbols', { path: 'sub/a.ts' })).files, [at('sub/a.ts')]);
  });

  it('finds symbols by name in the workspace', async () => {
    const { text } = harnessOver({ symbols });
    assert.equal(await text('get_symbols', { query: 'TOT' }), 'a.ts:3 method total in Cart');
  });

  it('S4: finds no symbols in what looks like a secret', async () => {
    const { text } = harnessOver({
      symbols: [
        ...symbols,
        { name: 'total_hunter2', kind: 'key', place: at('secrets.yml'), line: 1, endLine: 1, depth: 0 },
      ],
    });
    assert.equal(await text('get_symbols', { query: 'tot' }), 'a.ts:3 method total in Cart');
  });

  it('tells what to do when there is nothing, or nothing was asked', async () => {
    const { text, refusal } = harnessOver({ files: { 'b.txt': 'x', '.env': '' } });
    assert.match(await text('get_symbols', { path: 'b.txt' }), /Try search_text/);
    assert.match(await refusal('get_symbols', {}), /Give a path/);
    assert.match(await refusal('get_symbols', { path: '.env' }), /read_file asks the person/);
  });
});

describe('get_changes', () => {
  const changes: InMemoryOptions['changes'] = [
    {
      name: 'app',
      branch: 'main',
      ahead: 1,
      behind: 0,
      files: [
        { place: at('a.ts'), group: 'staged', status: 'modified' },
        { place: at('src/b.ts'), group: 'unstaged', status: 'modified' },
        { place: at('new.ts'), group: 'untracked', status: 'untracked' },
        { place: at('.env'), group: 'unstaged', status: 'modified' },
      ],
    },
  ];
  const diffs = { 'a.ts': '-a\n+A', 'src/b.ts': '-b\n+B', '.env': '-KEY=1\n+KEY=2' };

  it('shows branch, files and diffs, but no diff of a secret', async () => {
    assert.equal(
      await harnessOver({ changes, diffs }).text('get_changes', {}),
      [
        'app: on main (1 ahead, 0 behind)',
        'staged modified: a.ts',
        'unstaged modified: src/b.ts',
        'untracked untracked: new.ts',
        'unstaged modified: .env',
        '',
        '-a\n+A',
        '-b\n+B',
        '[.env looks like it holds secrets: its diff is left out.]',
        '[What is untracked has no diff: use read_file.]',
      ].join('\n'),
    );
  });

  it('says where nothing has changed, and on no branch', async () => {
    const clean = [{ name: 'app', branch: undefined, ahead: 0, behind: 0, files: [] }];
    assert.equal(
      await harnessOver({ changes: clean, diffs: {} }).text('get_changes', {}),
      'app: on no branch\nno changes',
    );
    const behind = [{ name: 'app', branch: 'main', ahead: 0, behind: 2, files: [] }];
    assert.equal(
      await harnessOver({ changes: behind, diffs: {} }).text('get_changes', {}),
      'app: on main (0 ahead, 2 behind)\nno changes',
    );
  });

  it('keeps to a path, to what is staged, and to the list', async () => {
    const { text } = harnessOver({ changes, diffs });
    const head = 'app: on main (1 ahead, 0 behind)';
    assert.equal(
      await text('get_changes', { path: 'src' }),
      `${head}\nunstaged modified: src/b.ts\n\n-b\n+B`,
    );
    assert.equal(
      await text('get_changes', { staged_only: true, diff: false }),
      `${head}\nstaged modified: a.ts`,
    );
  });

  it('L11: leaves no file out silently when the diffs are too long', async () => {
    const long = { 'a.ts': 'x'.repeat(40_000), 'src/b.ts': 'y' };
    const shown = await harnessOver({ changes, diffs: long }).text('get_changes', {});
    assert.ok(shown.length < 30_000);
    assert.match(shown, /The diff of a\.ts goes on/);
    assert.match(shown, /\[No room for the diffs of 1 more file: ask for them with path\.\]/);
  });

  it('L11: keeps room for diffs beside thousands of changed files, and says how many are not listed', async () => {
    const names = Array.from({ length: 5_000 }, (_, number) => `generated/file-${number}.ts`);
    const files = names.map((name) => ({ place: at(name), group: 'unstaged', status: 'modified' }) as const);
    const many = [{ ...changes[0]!, files }];
    const shown = await harnessOver({
      changes: many,
      diffs: Object.fromEntries(names.map((name) => [name, `+${name}`])),
    }).text('get_changes', {});
    assert.ok(shown.length < 30_000, String(shown.length));
    assert.match(shown, /\[and \d+ more files: ask for a path to see them\]/);
    assert.match(shown, /\+generated\/file-0\.ts\n\+generated\/file-1\.ts/);
    assert.match(shown, /\[No room for the diffs of \d+ more files: ask for them with path\.\]$/);
  });

  it('says when there is no git', async () => {
    assert.match(await harnessOver({}).text('get_changes', {}), /no git repository/);
  });
});
