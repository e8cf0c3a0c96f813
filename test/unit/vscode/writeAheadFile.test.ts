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
import { createMemory } from '../../../src/core/conversation/memory';
import type { FinishedTurn } from '../../../src/core/conversation/turn';
import type { Journal } from '../../../src/core/ports';
import { createWriteAheadFiles } from '../../../src/vscode/writeAheadFile';
import { journalContract } from '../../support/contracts/journalContract';
import { exchange } from '../../support/conversation/testWorkspace';
import { WorkspaceState } from '../../support/conversation/workspaceState';

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
    for (const attempt of [one.append(['x']), one.replace(['x']), one.others()]) {
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

  it('ignores files that are not its own kind', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'x');
    assert.deepEqual(await open('a', 1).others(), []);
    await assert.rejects(open('a', 1).remove('notes.txt'));
  });

  it('M6, M8: several processes that append at once lose nothing', async () => {
    const alive = new Set([1, 2, 3]);
    const isProcessAlive = (pid: number) => alive.has(pid);
    const start = (pid: number, state = new WorkspaceState()) =>
      createMemory({
        store: state.openWindow(),
        journal: createWriteAheadFiles({ folder, activationId: `w${pid}`, pid, isProcessAlive }),
        clock: () => 1_000_000,
        ids: () => 'id',
        settings: () => ({ maxTurns: 0, timeoutSeconds: 0, eviction: 'oldest' }),
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        activationId: `w${pid}`,
      });
    const saves = [1, 2, 3].map(async (pid) => {
      const memory = start(pid);
      for (let number = 0; number < 20; number++) {
        await memory.forConversation('c').saveTurn(turn(`${pid}-${number}`));
        if (number % 7 === 0) await memory.refresh();
      }
    });
    await Promise.all(saves);
    alive.clear();
    const memory = start(4);
    await memory.load();
    assert.equal(memory.forConversation('c').snapshot()?.turns.length, 60);
  });
});

function turn(id: string): FinishedTurn {
  return { id, startedAt: 1_000_000, endedAt: 1_000_000, outcome: 'finished', messages: exchange(id) };
}
