import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '../../../../src/core/conversation/memory/memory';
import type { Journal } from '../../../../src/core/ports';
import { createWriteAheadFiles } from '../../../../src/vscode/memory/writeAheadFile';
import { journalContract } from '../../../support/contracts/journalContract';
import { refusal } from '../../../support/conversation/accepted';
import { WorkspaceState } from '../../../support/conversation/workspaceState';

journalContract('real files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wal-'));
  const pids = new Map<Journal, number>();
  const ended = new Set<number>();
  return {
    open() {
      const pid = 100_000 + pids.size;
      const journal = createWriteAheadFiles({
        folder: join(folder, 'made', 'when needed'),
        activationId: `w${pids.size}`,
        pid,
        isProcessAlive: (one) => !ended.has(one),
      });
      pids.set(journal, pid);
      return journal;
    },
    end: (journal) => ended.add(pids.get(journal) ?? 0),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});

describe('write-ahead files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (activationId: string, pid: number, options = {}) =>
    createWriteAheadFiles({ folder, activationId, pid, isProcessAlive: () => true, ...options });
  const fileNames = () => readdirSync(folder);

  it('M8: leaves a torn last line unread until it is complete', async () => {
    const [one, two] = [open('a', 1), open('b', 2)];
    await one.append(['{"whole":1}']);
    const [name] = fileNames();
    appendFileSync(join(folder, name!), '{"half":"\u00e4'.slice(0, -1));
    const read = await two.read(name!, 0);
    assert.deepEqual(read, { text: '{"whole":1}\n', end: 12 });
    appendFileSync(join(folder, name!), '"}\n');
    assert.equal((await two.read(name!, read.end))?.text, '{"half":""}\n');
  });

  it('F27: a write that fails says so, and the next one starts on a line of its own', async () => {
    const one = open('a', 1);
    await one.append(['x']);
    const path = join(folder, fileNames()[0]!);
    rmSync(path);
    mkdirSync(path);
    await assert.rejects(one.append(['lost']), { code: 'EISDIR' });
    rmdirSync(path);
    appendFileSync(path, 'half a li');
    await one.append(['y']);
    assert.equal((await open('b', 2).read(fileNames()[0]!, 0))?.text, 'half a li\ny\n');
  });

  it('F27: a folder that cannot be made fails every call with the reason', async () => {
    writeFileSync(join(folder, 'file'), '');
    const one = open('a', 1, { folder: join(folder, 'file', 'below') });
    for (const attempt of [() => one.append(['x']), () => one.replace(['x']), () => one.others()]) {
      await assert.rejects(attempt, { code: 'ENOTDIR' });
    }
  });

  it('is read by nobody else on the machine', async () => {
    await open('a', 1).append(['x']);
    assert.equal(statSync(join(folder, fileNames()[0]!)).mode & 0o777, 0o600);
  });

  it('writes on when somebody removed its file', async () => {
    const one = open('a', 1);
    await one.append(['x']);
    rmSync(join(folder, fileNames()[0]!));
    await one.append(['y']);
    assert.equal((await open('b', 2).read(fileNames()[0]!, 0))?.text, 'y\n');
  });

  it('knows by the process whether an owner lives', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await createWriteAheadFiles({ folder, activationId: 'child', pid: child.pid! }).append(['x']);
    const own = createWriteAheadFiles({ folder, activationId: 'own' });
    assert.equal((await own.others())[0]?.isOwnerAlive, true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal((await own.others())[0]?.isOwnerAlive, false);
  });

  it('takes an earlier activation with its own process id for gone: the number was given out again', async () => {
    await open('before', 7).append(['x']);
    assert.equal((await open('now', 7).others())[0]?.isOwnerAlive, false);
  });

  it('does not judge processes of another machine until a month has passed', async () => {
    await open('far', 1, { host: 'elsewhere' }).append(['x']);
    const near = open('near', 2, { host: 'here', isProcessAlive: () => false });
    assert.equal((await near.others())[0]?.isOwnerAlive, true);
    const old = Date.now() / 1000 - 31 * 24 * 3600;
    utimesSync(join(folder, fileNames()[0]!), old, old);
    assert.equal((await near.others())[0]?.isOwnerAlive, false);
  });

  it('takes any activation id', async () => {
    const [one, two] = [open('0b1c-22/\u00e4', 1), open('0b1c-33', 2)];
    await one.append(['x']);
    assert.equal((await two.others()).length, 1);
    assert.deepEqual(await one.others(), []);
  });

  it('ignores files that are not its own kind', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'x');
    assert.deepEqual(await open('a', 1).others(), []);
    await assert.rejects(open('a', 1).remove('notes.txt'));
  });

  it('M8, F23: killed at any moment, two windows at once lose nothing that was acknowledged or recorded', async () => {
    const printed = await Promise.all([killedAfter(folder, 'one', 23), killedAfter(folder, 'two', 42)]);
    const memory = createMemory({
      store: new WorkspaceState().openWindow(),
      journal: createWriteAheadFiles({ folder, activationId: 'after' }),
      clock: () => Date.now(),
      ids: () => 'id',
      settings: () => ({
        maxTurns: 0,
        timeoutSeconds: 0,
        eviction: 'oldest',
        tokenBudget: 0,
        whenFull: 'drop',
      }),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      activationId: 'after',
      onProblem: ({ message }) => assert.fail(message),
    });
    await memory.load();
    const chat = memory.forConversation('c');
    const text = JSON.stringify(chat.history());
    const finished = chat.snapshot()?.turns.filter(({ outcome }) => outcome === 'finished') ?? [];
    const ids = new Set(finished.map(({ id }) => id));
    const lines = printed.flat().map((line) => line.split(' '));
    assert.ok(lines.length >= 65);
    for (const [kind, id = ''] of lines) {
      assert.ok(kind === 'acknowledged' ? ids.has(id) : text.includes(`"${id}"`), `${kind} ${id}`);
    }
    assert.equal(refusal(chat.history()), undefined);
  });
});

/** Runs a window that works without a pause, kills it after so many lines, and returns all it printed. */
async function killedAfter(folder: string, activationId: string, lines: number): Promise<readonly string[]> {
  const script = join(__dirname, '../../../support/conversation/savingProcess.main.js');
  const child = spawn(process.execPath, [script, folder, activationId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  // A line that was cut off was not printed.
  return printed.split('\n').slice(0, -1);
}
