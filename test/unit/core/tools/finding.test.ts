import assert from 'node:assert/strict';
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

  it('L11: cuts a long list and says how to see the rest', async () => {
    const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`file-${at}.ts`, '']));
    const { text } = harnessOver({ files });
    const list = await text('list_directory', {});
    assert.ok(list.length < 30_000);
    assert.match(list, /\[\d+ more entries: list a folder further in/);
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
  });
});
