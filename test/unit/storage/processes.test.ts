import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isAlive, thisProcess } from '../../../src/storage/processes';

describe('whether the owner of a turn lives', () => {
  let child: ChildProcess;
  let startedAt: number;
  beforeEach(async () => {
    child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    startedAt = Date.now() / 1000;
  });
  afterEach(() => void child.kill('SIGKILL'));

  it('M8, F36: is told by its process, which may be this one', async () => {
    assert.equal(await isAlive(thisProcess), true);
    assert.equal(await isAlive({ pid: child.pid!, startedAt }), true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await isAlive({ pid: child.pid!, startedAt }), false);
  });

  it('M8, F36: is told by its start as well: another process may have its number now', async () => {
    assert.equal(await isAlive({ pid: child.pid!, startedAt: startedAt - 60 }), false);
    assert.equal(await isAlive({ pid: process.pid, startedAt: thisProcess.startedAt - 3600 }), false);
    assert.equal(await isAlive({ pid: 1, startedAt }), false);
  });

  // A `ps` of ours is a script, which Windows would not run.
  if (process.platform !== 'win32') {
    describe('where `ps` has to be asked', () => {
      const { platform } = process;
      const path = process.env['PATH'];
      let folder: string;
      beforeEach(() => {
        Object.defineProperty(process, 'platform', { value: 'darwin' });
        folder = mkdtempSync(join(tmpdir(), 'ps-'));
      });
      afterEach(() => {
        Object.defineProperty(process, 'platform', { value: platform });
        process.env['PATH'] = path;
        rmSync(folder, { recursive: true });
      });
      /** Says this whoever asks, and fails when it is asked in another language or for another process. */
      const psSays = (text: string) => {
        const script = `#!/bin/sh\n[ "$LC_ALL" = C ] && [ "$TZ" = UTC ] && [ "$4" = ${child.pid} ] && echo "${text}"\n`;
        writeFileSync(join(folder, 'ps'), script, { mode: 0o755 });
        process.env['PATH'] = `${folder}${delimiter}${path}`;
      };
      const asPs = (seconds: number) => {
        const [weekday, day, month, year, time] = new Date(seconds * 1000)
          .toUTCString()
          .replace(',', '')
          .split(' ');
        return `${weekday} ${month} ${day} ${time} ${year}    `;
      };

      it('M8: goes by what it says', async () => {
        psSays(asPs(startedAt));
        assert.equal(await isAlive({ pid: child.pid!, startedAt }), true);
        psSays(asPs(startedAt - 60));
        assert.equal(await isAlive({ pid: child.pid!, startedAt }), false);
      });

      it('M8: takes a living process for the owner when it says nothing, so that its turn waits', async () => {
        psSays('no idea');
        assert.equal(await isAlive({ pid: child.pid!, startedAt: 1 }), true);
        process.env['PATH'] = folder;
        rmSync(join(folder, 'ps'));
        assert.equal(await isAlive({ pid: child.pid!, startedAt: 1 }), true);
      });
    });
  }
});
