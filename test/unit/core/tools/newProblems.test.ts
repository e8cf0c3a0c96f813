import assert from 'node:assert/strict';
import type { Aftermath } from '../../../../src/core/tools/tool';
import type { Problem, Severity } from '../../../../src/core/tools/workspace';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

const folder = { name: 'app', root: '/work/app' };
const live = new AbortController().signal;

/** A language service that takes `error x` in a line for an error, and so on. */
function service(
  ...paths: readonly string[]
): Exclude<InMemoryOptions['problems'], readonly Problem[] | undefined> {
  return (text) =>
    paths.flatMap((path) =>
      (text(path) ?? '').split('\n').flatMap((line, at): Problem[] => {
        const [message, severity] = /(error|warning|information|hint) .+/.exec(line) ?? [];
        if (message === undefined) return [];
        return [
          {
            place: { folder, path },
            line: at + 1,
            column: 1,
            severity: severity as Severity,
            message,
            source: 'ts',
          },
        ];
      }),
    );
}

function setUp(options: InMemoryOptions) {
  const workspace = createInMemoryWorkspace(options);
  const waits: number[] = [];
  const settled = workspace.problemsSettled.bind(workspace);
  workspace.problemsSettled = async (place, limitMs, signal) => {
    waits.push(limitMs);
    return settled(place, limitMs, signal);
  };
  const { run, tool, prepare } = createToolHarness(workspace);
  const change = async (name: string, input: object, signal = live): Promise<Aftermath | undefined> =>
    (await run(name, input)).aftermath?.(signal);
  const edit = (path: string, old_text: string, new_text: string, signal = live) =>
    change('edit_file', { path, edits: [{ old_text, new_text }] }, signal);
  /** As the loop calls it. */
  const inTurn = async (turnId: string, path: string, old_text: string, new_text: string) => {
    const prepared = await prepare('edit_file', { path, edits: [{ old_text, new_text }] });
    return prepared.run({ callId: 'call', turnId }, live);
  };
  return { workspace, waits, run, tool, change, edit, inTurn };
}

describe('L13: problems after a change', () => {
  const price = { files: { 'src/price.ts': 'a\nb\n' }, problems: service('src/price.ts') };

  it('L13: an edit that breaks something says so, for Claude and for the person', async () => {
    const { edit, run } = setUp(price);
    const { content } = await run('edit_file', {
      path: 'src/price.ts',
      edits: [{ old_text: 'a', new_text: 'A' }],
    });
    assert.match(JSON.stringify(content), /^"Edited src\/price\.ts\./);
    assert.deepEqual(await edit('src/price.ts', 'b', 'error one\nwarning two'), {
      content:
        'New problems in src/price.ts since the change:\n' +
        'src/price.ts:2:1 error: error one [ts]\nsrc/price.ts:3:1 warning: warning two [ts]',
      notice: '2 new problems in price.ts',
    });
    assert.equal((await edit('src/price.ts', 'A', 'error three'))?.notice, '1 new problem in price.ts');
  });

  it('L13: an edit that breaks nothing, or mends something, says nothing', async () => {
    const { edit } = setUp(price);
    assert.equal(await edit('src/price.ts', 'a', 'c'), undefined);
    await edit('src/price.ts', 'c', 'error one');
    assert.equal(await edit('src/price.ts', 'error one', 'a'), undefined);
  });

  it('L13: what was there before is not new on another line, but is when there is more of it', async () => {
    const { edit } = setUp({ ...price, files: { 'src/price.ts': 'a\nerror one\n' } });
    assert.equal(await edit('src/price.ts', 'a', 'a\na\na'), undefined);
    const found = await edit('src/price.ts', 'error one', 'error one\nerror one\nwarning one');
    assert.equal(found?.notice, '2 new problems in price.ts');
    assert.match(found.content, /:5:1 error: error one \[ts\]\n.*:6:1 warning: warning one \[ts\]$/);
  });

  it('L13: the same words of another severity or source are another problem', async () => {
    const workspace = createInMemoryWorkspace({ files: { 'a.ts': 'x' } });
    const place = { folder, path: 'a.ts' };
    const problem = { place, line: 1, column: 1, severity: 'warning', message: 'odd', source: 'ts' } as const;
    let problems: readonly Problem[] = [problem];
    workspace.problems = () => problems;
    const { run } = createToolHarness(workspace);
    const input = { path: 'a.ts', edits: [{ old_text: 'x', new_text: 'xx', replace_all: true }] };
    const { source: _, ...nameless } = problem;
    for (const other of [
      { ...problem, severity: 'error' },
      { ...problem, source: 'lint' },
      nameless,
    ] as const) {
      problems = [problem];
      const { aftermath } = await run('edit_file', input);
      problems = [other];
      assert.equal((await aftermath?.(live))?.notice, '1 new problem in a.ts');
    }
  });

  it('L13, F38: shows twenty, the gravest first, and counts the rest; hints are none', async () => {
    const { edit } = setUp(price);
    const lines = Array.from({ length: 15 }, (_, at) => `warning ${at}\nerror ${at}\nhint ${at}`);
    const found = await edit('src/price.ts', 'a', lines.join('\n'));
    assert.equal(found?.notice, '30 new problems in price.ts');
    const [, ...shown] = found.content.split('\n');
    assert.deepEqual(
      shown.map((line) => line.split(' ')[1]),
      [
        ...Array.from({ length: 15 }, () => 'error:'),
        ...Array.from({ length: 5 }, () => 'warning:'),
        'more;',
      ],
    );
    assert.equal(shown.at(-1), '[10 more; get_diagnostics shows them.]');
  });

  it('L13, L11: a message without an end is cut, and its lines stay its own', async () => {
    const workspace = createInMemoryWorkspace({ files: { 'a.ts': 'x' } });
    const { run } = createToolHarness(workspace);
    const { aftermath } = await run('edit_file', {
      path: 'a.ts',
      edits: [{ old_text: 'x', new_text: 'y' }],
    });
    const message = `first\nb.ts:1:1 error: not one\n${'long '.repeat(100_000)}`;
    const place = { folder, path: 'a.ts' };
    workspace.problems = () => [{ place, line: 1, column: 1, severity: 'error', message }];
    const { content = '' } = (await aftermath?.(live)) ?? {};
    assert.ok(content.length < 2_000);
    assert.match(content, /^a\.ts:1:1 error: first\n {2}b\.ts:1:1 error: not one\n {2}long/m);
  });

  it('L13: problems of other files are not told', async () => {
    const place = { folder, path: 'b.ts' };
    const { edit } = setUp({
      files: { 'a.ts': 'x', 'b.ts': 'imports x' },
      problems: (text) =>
        text('a.ts') === 'x' ? [] : [{ place, line: 1, column: 1, severity: 'error', message: 'no x' }],
    });
    assert.equal(await edit('a.ts', 'x', 'y'), undefined);
  });

  it('L13: a new file has its problems told, and a moved one those that it did not have before', async () => {
    const { change } = setUp({
      files: { 'old.ts': 'error one\nx' },
      problems: (text) => [
        ...service('new.ts', 'old.ts')(text),
        ...(text('deep/moved.ts') === undefined ? [] : service('deep/moved.ts')(text)),
        ...(text('deep/moved.ts') === undefined
          ? []
          : ([
              {
                place: { folder, path: 'deep/moved.ts' },
                line: 2,
                column: 1,
                severity: 'error',
                message: 'no x here',
              },
            ] as const)),
      ],
    });
    assert.equal(
      (await change('create_file', { path: 'new.ts', content: 'error one' }))?.notice,
      '1 new problem in new.ts',
    );
    assert.deepEqual(await change('rename_file', { from: 'old.ts', to: 'deep/moved.ts' }), {
      content: 'New problems in deep/moved.ts since the change:\ndeep/moved.ts:2:1 error: no x here',
      notice: '1 new problem in moved.ts',
    });
  });

  it('L13: nothing follows a deletion, a moved folder or a change that failed', async () => {
    const { run, waits } = setUp({
      files: { 'a.ts': 'x', 'old/b.ts': 'error one' },
      problems: service('new/b.ts'),
    });
    assert.equal((await run('delete_file', { path: 'a.ts' })).aftermath, undefined);
    assert.equal((await run('rename_file', { from: 'old', to: 'new' })).aftermath, undefined);
    await assert.rejects(run('edit_file', { path: 'a.ts', edits: [{ old_text: 'x', new_text: 'y' }] }));
    assert.deepEqual(waits, []);
  });

  it('L13, S4: nothing is told of a secret, nor waited for', async () => {
    const { run, waits } = setUp({
      files: { '.env': 'A=1', 'plain.txt': 'error hunter2' },
      problems: service('.env', '.env.local'),
    });
    const { aftermath } = await run('edit_file', {
      path: '.env',
      edits: [{ old_text: '1', new_text: 'error hunter2' }],
    });
    const away = await run('rename_file', { from: '.env', to: 'env.txt' });
    const there = await run('rename_file', { from: 'plain.txt', to: '.env.local' });
    assert.deepEqual([aftermath, away.aftermath, there.aftermath], [undefined, undefined, undefined]);
    assert.deepEqual(waits, []);
  });

  it('L13: an editor with unsaved changes counts, also when it was opened by a link', async () => {
    const opened = setUp({ ...price, files: { 'src/price.ts': 'a', alias: { link: 'src' } } });
    opened.workspace.unsaved.set('/work/app/src/price.ts', 'typed\na');
    assert.equal((await opened.edit('src/price.ts', 'a', 'error one'))?.notice, '1 new problem in price.ts');
    const linked = setUp({
      files: { 'src/price.ts': 'a', alias: { link: 'src' } },
      problems: service('alias/price.ts'),
    });
    linked.workspace.unsaved.set('/work/app/alias/price.ts', 'typed\na');
    assert.equal((await linked.edit('src/price.ts', 'a', 'error one'))?.notice, '1 new problem in price.ts');
  });

  it('L13, F38: a change waits once, for 1.5 seconds at the most', async () => {
    const { edit, waits } = setUp(price);
    await edit('src/price.ts', 'a', 'error one');
    assert.deepEqual(waits, [1_500]);
  });

  it('L13: several changes of one turn to a file are told as one, against what was there before the first', async () => {
    const { inTurn, waits, workspace } = setUp({
      ...price,
      files: { 'src/price.ts': 'a\nb\nerror old\n' },
    });
    const first = await inTurn('turn', 'src/price.ts', 'a', 'error one');
    await workspace.problemsSettled({ folder, path: 'src/price.ts' }, 0, live);
    waits.length = 0;
    const second = await inTurn('turn', 'src/price.ts', 'b', 'error two');
    const [none, both] = await Promise.all([first.aftermath?.(live), second.aftermath?.(live)]);
    assert.equal(none, undefined);
    assert.equal(both?.notice, '2 new problems in price.ts');
    assert.deepEqual(waits, [1_500]);
  });

  it('L13: a change of the next turn starts anew', async () => {
    const { inTurn, workspace } = setUp(price);
    // Nobody asks for what this one led to.
    await inTurn('turn', 'src/price.ts', 'a', 'error one');
    await workspace.problemsSettled({ folder, path: 'src/price.ts' }, 1_500, live);
    const next = await inTurn('next', 'src/price.ts', 'b', 'c');
    assert.equal(await next.aftermath?.(live), undefined);
  });

  it('L13: Stop ends the wait, and the change counts', async () => {
    const { run, workspace } = setUp(price);
    const stop = new AbortController();
    const { content, aftermath } = await run('edit_file', {
      path: 'src/price.ts',
      edits: [{ old_text: 'a', new_text: 'error one' }],
    });
    stop.abort();
    assert.equal(await aftermath?.(stop.signal), undefined);
    assert.match(JSON.stringify(content), /^"Edited/);
    assert.equal(workspace.text('src/price.ts'), 'error one\nb\n');
  });
});
