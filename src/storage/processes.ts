import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Owner } from '../core/conversation/store';

const run = promisify(execFile);

/** This process. Its start is compared with what the system says of it, which is good to a second or two. */
export const thisProcess: Owner = {
  pid: process.pid,
  startedAt: Math.round(performance.timeOrigin / 1000),
};

/** Whether a process still runs: one with its id that began at another time is another one. */
export async function isAlive({ pid, startedAt }: Owner): Promise<boolean> {
  if (!exists(pid)) return false;
  const began = await startOf(pid).catch(() => undefined);
  // Where nobody can tell, a living process counts as the owner: its turn waits.
  return began === undefined || Math.abs(began - startedAt) <= toleranceSeconds;
}

const toleranceSeconds = 5;

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Seconds since the epoch. */
async function startOf(pid: number): Promise<number | undefined> {
  switch (process.platform) {
    case 'linux':
      return linuxStart(await readFile(`/proc/${pid}/stat`, 'utf8'), await readFile('/proc/stat', 'utf8'));
    case 'win32': {
      const script = `([DateTimeOffset](Get-Process -Id ${pid}).StartTime).ToUnixTimeSeconds()`;
      const options = { timeout: 10_000, windowsHide: true };
      const { stdout } = await run('powershell.exe', ['-NoProfile', '-Command', script], options);
      return secondsOf(Number(stdout.trim()));
    }
    default: {
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
      const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env, timeout: 10_000 });
      return secondsOf(Date.parse(`${stdout.trim()} UTC`) / 1000);
    }
  }
}

/** Field 22 counts hundredths of a second since the machine started; the name before it may hold anything. */
function linuxStart(stat: string, system: string): number | undefined {
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  const boot = Number(/^btime (\d+)$/m.exec(system)?.[1]);
  return secondsOf(boot + ticks / 100);
}

function secondsOf(value: number): number | undefined {
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
