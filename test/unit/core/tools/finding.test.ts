import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

function harnessOver(options: InMemoryOptions) {
  const workspace = createInMemoryWorkspace(options);
  return { workspace, ...createToolHarness(workspace) };
}

const project: InMemoryOptions = {
  files: {
    'README.md': 'Hello',
    'src/index.ts': "import { add } from './math';\n",
    'src/math/add.ts': 'export function add() {}\n// Add more\n',
    'src/math/add.test.ts': 'add();\n',
    'node_modules/x/index.js': 'add',
    '.env': 'ADD=add',
    out: { link: '/etc' },
    '/etc/passwd': 'add',
  },
  ignored: ['**/node_modules'],
};

const twoFolders: InMemoryOptions = {
  folders: [
    { name: 'app', root: '/work/app' },
    { name: 'lib', root: '/work/lib' },
  ],
  files: { '/work/app/a.ts': 'one', '/work/lib/a.ts': 'one', '/work/lib/src/b.ts': 'two' },
};

/** A workspace file can name its folders as it likes. */
const oddFolders: InMemoryOptions = {
  folders: [
    { name: 'packages', root: '/work/packages' },
    { name: 'packages/api', root: '/work/api' },
    { name: '~', root: '/work/home' },
    { name: 'a\\b', root: '/work/ab' },
  ],
  files: {
    '/work/packages/api/decoy.ts': 'not the api',
    '/work/api/index.ts': 'the api',
    '/work/home/notes.txt': 'at home',
    '/work/ab/c.ts': 'backslash',
  },
};

/** What is in use once all garbage is gone. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the flag above brings
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('list_directory', () => {
  it('shows a tree without what is ignored, and names links that leave without following them', async () => {
    const { text } = harnessOver(project);
    assert.equal(
      await text('list_directory', {}),
      [
        'src/',
        '  math/ (2 files)',
        '  index.ts',
        '.env',
        'README.md',
        'out → [a link that leaves the workspace]',
      ].join('\n'),
    );
  });

  it('says that there are more files than it counted when it could not look at all of them', async () => {
    const workspace = createInMemoryWorkspace({ files: { 'src/a.ts': '', 'src/b.ts': '', 'lib/c.ts': '' } });
    const findFiles: typeof workspace.findFiles = async (...query) => {
      await workspace.findFiles(...query);
      return 'time';
    };
    const { text } = createToolHarness({ ...workspace, findFiles });
    assert.equal(await text('list_directory', { depth: 1 }), 'lib/ (1 file)\nsrc/ (at least 2 files)');
  });

  it('P5: is said to list the workspace where that is what is listed', async () => {
    const { prepare } = harnessOver(project);
    const progress = async (input: object) => (await prepare('list_directory', input)).progress;
    assert.deepEqual(await Promise.all([progress({}), progress({ path: '.' }), progress({ path: 'src' })]), [
      'Listing the workspace',
      'Listing the workspace',
      'Listing `src`',
    ]);
  });

  it('goes as deep as asked, and shows what is ignored when asked', async () => {
    const { text } = harnessOver(project);
    assert.equal(await text('list_directory', { path: 'src', depth: 1 }), 'math/ (2 files)\nindex.ts');
    assert.match(await text('list_directory', { include_ignored: true }), /^node_modules\//);
  });

  it('shows all folders of the workspace', async () => {
    const { text } = harnessOver(twoFolders);
    assert.equal(await text('list_directory', { depth: 2 }), 'app/\n  a.ts\nlib/\n  src/ (1 file)\n  a.ts');
    assert.equal(await text('list_directory', { path: 'lib/src' }), 'b.ts');
  });

  it('P9: lists, reads and finds in folders of any name', async () => {
    const { text } = harnessOver(oddFolders);
    assert.equal(
      await text('list_directory', {}),
      [
        'packages/',
        '  api/ (1 file)',
        'packages/api/',
        '  index.ts',
        '~/',
        '  notes.txt',
        'a\\b/',
        '  c.ts',
      ].join('\n'),
    );
    assert.equal(await text('list_directory', { path: 'packages/api' }), 'index.ts');
    assert.equal(await text('read_file', { path: 'packages/api/index.ts' }), '1\tthe api');
    assert.equal(await text('read_file', { path: '~/notes.txt' }), '1\tat home');
    assert.equal(await text('read_file', { path: 'a\\b/c.ts' }), '1\tbackslash');
    assert.equal(await text('find_files', { pattern: 'packages/api/*.ts' }), 'packages/api/index.ts');
    assert.equal(await text('find_files', { pattern: '~/*' }), '~/notes.txt');
    assert.match(await text('search_text', { pattern: 'api', include: 'packages/api/**' }), /1: the api$/);
  });

  it('L11: cuts a long list and says how to see the rest', async () => {
    const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`file-${at}.ts`, '']));
    const { text } = harnessOver({ files });
    const list = await text('list_directory', {});
    assert.ok(list.length < 30_000);
    assert.match(list, /\[\d+ more entries: list a folder further in/);
  });

  it('holds no more of a large tree than it shows', async () => {
    const workspace = createInMemoryWorkspace({ files: { 'a.ts': '' } });
    const [folder] = workspace.folders();
    assert.ok(folder);
    let held = 0;
    const { text } = createToolHarness({
      ...workspace,
      async findFiles(_, onFile) {
        const before = heapUsed();
        for (let at = 0; at < 200_000; at++) {
          onFile({ folder, path: `src/part-${at % 50}/deep/folder-${at % 1_000}/a-long-name-${at}.ts` });
        }
        held = heapUsed() - before;
        return 'complete';
      },
    });
    assert.match(await text('list_directory', {}), /^src\/\n {2}part-0\/ \(4000 files\)\n/);
    assert.ok(held < 2_000_000, `${held} bytes`);
  });

  it('A12, A13: refuses to list behind a link that leaves', async () => {
    const { refusal } = harnessOver(project);
    assert.match(await refusal('list_directory', { path: 'out' }), /a link that leaves the workspace/);
  });

  it('tells what to do about a file and a missing folder', async () => {
    const { refusal } = harnessOver(project);
    assert.match(await refusal('list_directory', { path: 'README.md' }), /use read_file/);
    assert.match(await refusal('list_directory', { path: 'nowhere' }), /does not exist/);
  });
});

describe('find_files', () => {
  it('matches a name at any depth, a path from the folder', async () => {
    const { text } = harnessOver(project);
    assert.equal(await text('find_files', { pattern: '*.test.ts' }), 'src/math/add.test.ts');
    assert.equal(await text('find_files', { pattern: 'src/*.ts' }), 'src/index.ts');
    assert.equal(
      await text('find_files', { pattern: '*.ts', path: 'src/math' }),
      'src/math/add.test.ts\nsrc/math/add.ts',
    );
  });

  it('says what to try when nothing is found', async () => {
    const { text } = harnessOver(project);
    assert.match(await text('find_files', { pattern: '*.js' }), /include_ignored: true/);
    assert.equal(
      await text('find_files', { pattern: '*.js', include_ignored: true }),
      'node_modules/x/index.js',
    );
  });

  it('takes the name of a folder at the start of a glob when there are several', async () => {
    const { text } = harnessOver(twoFolders);
    assert.equal(await text('find_files', { pattern: 'a.ts' }), 'app/a.ts\nlib/a.ts');
    assert.equal(await text('find_files', { pattern: 'lib/**/*.ts' }), 'lib/a.ts\nlib/src/b.ts');
  });

  it('L11: cuts a long list and says how many there are', async () => {
    const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`file-${at}.ts`, '']));
    const { text } = harnessOver({ files });
    assert.match(await text('find_files', { pattern: '**' }), /\[400 of 3000 files\. Narrow/);
  });

  for (const pattern of ['../*', 'src/../../*', '/../etc/*', '~/*', 'C:\\*', '//server/*', 'file:///etc/*']) {
    it(`A10: refuses the glob ${pattern}`, async () => {
      const { refusal } = harnessOver(project);
      assert.match(await refusal('find_files', { pattern }), /not a glob inside the workspace/);
    });
  }
});

describe('the fixed beginning of a glob', () => {
  const files = {
    ...project.files,
    'real/notes.txt': 'add to the notes',
    inner: { link: 'real' },
    'keys/.ssh/config.txt': 'add a key',
    harmless: { link: 'keys/.ssh' },
    fifo: { device: true },
  } as const;
  for (const [tool, glob] of [
    ['find_files', (pattern: string) => ({ pattern })],
    ['search_text', (include: string) => ({ pattern: 'add', include })],
  ] as const) {
    it(`A29: leads ${tool} out of the workspace no more than a path does`, async () => {
      const { refusal } = harnessOver({ files });
      for (const leaving of ['out/*.txt', './out/**', '/out/x/*', 'src/../out', 'src//./../out/*', 'out/']) {
        assert.match(
          await refusal(tool, glob(leaving)),
          /a link that leaves the workspace|not a glob inside/,
          leaving,
        );
      }
    });

    it(`lets ${tool} follow a link that stays inside, under the name of what is really there`, async () => {
      const { text } = harnessOver({ files });
      assert.match(await text(tool, glob('inner/*.txt')), /^real\/notes\.txt/);
      assert.match(await text(tool, glob('inner/notes.txt')), /^real\/notes\.txt/);
    });

    it(`finds nothing with ${tool} where nothing is`, async () => {
      const { text, refusal } = harnessOver({ files });
      assert.match(await text(tool, glob('nowhere/*.txt')), /^No (file matches|match for)/);
      assert.match(await refusal(tool, glob('fifo/*.txt')), /cannot be searched/);
    });

    it(`A29: is checked in each folder that ${tool} looks in`, async () => {
      const { refusal, text } = harnessOver({
        ...twoFolders,
        files: { ...twoFolders.files, '/work/lib/docs': { link: '/etc' }, '/work/app/docs/a.txt': 'add' },
      });
      assert.match(await refusal(tool, glob('docs/*')), /lib\/docs is a link that leaves/);
      assert.match(await refusal(tool, glob('lib/docs/*')), /lib\/docs is a link that leaves/);
      assert.match(await text(tool, glob('app/docs/*')), /^app\/docs\/a\.txt/);
    });
  }

  it('A29, S4: searches no secrets behind a harmless name, and lists them by their own', async () => {
    const { text, refusal } = harnessOver({ files });
    assert.match(
      await refusal('search_text', { pattern: 'key', include: 'harmless/*' }),
      /keys\/\.ssh looks like it holds secrets/,
    );
    assert.equal(await text('find_files', { pattern: 'harmless/*' }), 'keys/.ssh/config.txt');
  });

  it('is refused when the glob stands for too much', async () => {
    const { refusal } = harnessOver({ files });
    assert.match(await refusal('find_files', { pattern: '{a,b}'.repeat(40) }), /make several calls/);
    assert.match(await refusal('find_files', { pattern: '{'.repeat(20_000) }), /make several calls/);
  });
});

describe('search_text', () => {
  it('groups matching lines by file', async () => {
    const { text } = harnessOver(project);
    assert.equal(
      await text('search_text', { pattern: '\\badd\\b', include: '**/*.ts' }),
      "src/index.ts\n1: import { add } from './math';\n\nsrc/math/add.test.ts\n1: add();\n\nsrc/math/add.ts\n1: export function add() {}\n2: // Add more",
    );
  });

  it('minds the case when the pattern has a capital letter, or when told', async () => {
    const { text } = harnessOver(project);
    assert.equal(await text('search_text', { pattern: 'Add' }), 'src/math/add.ts\n2: // Add more');
    assert.doesNotMatch(await text('search_text', { pattern: 'add', case_sensitive: true }), /Add more/);
  });

  it('shows context, and takes a pattern as plain text', async () => {
    const { text } = harnessOver(project);
    assert.equal(
      await text('search_text', { pattern: 'add() {', literal: true, context_lines: 1 }),
      'src/math/add.ts\n1: export function add() {}\n2- // Add more',
    );
  });

  it('sees unsaved editors', async () => {
    const { workspace, text } = harnessOver(project);
    workspace.unsaved.set('/work/app/README.md', 'Goodbye');
    assert.equal(await text('search_text', { pattern: 'goodbye' }), 'README.md\n1: Goodbye');
  });

  it('says so when it stopped at its limit', async () => {
    const { text } = harnessOver(project);
    assert.match(
      await text('search_text', { pattern: 'add', max_results: 1 }),
      /stopped after 1 matching lines; there are more/,
    );
  });

  it('L11: says how many matches did not fit', async () => {
    const { text } = harnessOver({ files: { 'a.txt': `${'match '.repeat(80)}\n`.repeat(400) } });
    const found = await text('search_text', { pattern: 'match', max_results: 500 });
    assert.ok(found.length < 30_000);
    assert.match(found, /only the first \d+ of 400 matching lines fit here/);
  });

  it('S4, A18: skips what looks like a secret, and does not search it when named', async () => {
    const { text, refusal } = harnessOver(project);
    assert.doesNotMatch(await text('search_text', { pattern: 'ADD=' }), /\.env/);
    assert.match(await refusal('search_text', { pattern: 'ADD', path: '.env' }), /read_file asks the person/);
  });

  it('A18: does not let matches in secrets use up the limit', async () => {
    const { text } = harnessOver(project);
    assert.match(await text('search_text', { pattern: 'add', max_results: 1 }), /^src\/index\.ts\n1: /);
  });

  it('A12, A21: refuses links that leave, pipes and devices', async () => {
    const { refusal } = harnessOver({ files: { ...project.files, fifo: { device: true } } });
    assert.match(await refusal('search_text', { pattern: 'add', path: 'out' }), /a link that leaves/);
    assert.match(await refusal('search_text', { pattern: 'add', path: 'fifo' }), /cannot be searched/);
  });

  it('says what to try when nothing is found', async () => {
    const { text } = harnessOver(project);
    assert.equal(
      await text('search_text', { pattern: 'nope' }),
      'No match for nope. Check the spelling, or try literal: true if the pattern is meant as plain text, or include_ignored: true.',
    );
    assert.match(
      await text('search_text', { pattern: 'größe' }),
      /Text is found in UTF-8, .* and in the encoding of the setting files\.encoding, in no other\.$/,
    );
  });
});
