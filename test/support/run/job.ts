import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../projectPaths';
import { resultFile, type TestCounts } from '../results';

/** One process of a test run. */
export interface Job {
  /** Such as `e2e rewind`. */
  readonly name: string;
  readonly level: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The name of the file that it leaves its counts in; without one it counts as a single test. */
  readonly result?: string;
}

export interface JobEnd extends Pick<Job, 'name' | 'level'> {
  /** Nothing: it did not run. */
  readonly counts: TestCounts | undefined;
}

/** Runs it and prints what it said when it has ended, so that several at a time can be read. */
export async function runJob(job: Job, signal: AbortSignal): Promise<JobEnd> {
  const started = performance.now();
  if (job.result) rmSync(resultFile(job.result), { force: true });
  // Whatever it leaves behind goes with this folder, also when it is ended in the middle.
  // By its whole name: build servers call it `RUNNER~1` on Windows, and file watchers do not. Short, for sockets on a Mac.
  const temporary = mkdtempSync(join(realpathSync.native(tmpdir()), 'claude-'));
  const { status, output } = await spawned(job, { ...job.env, ...temporaryFolder(temporary) }, signal);
  await rm(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(
    (error: unknown) => console.log(`left behind: ${String(error)}`),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`\n── ${job.name}, ${seconds} s ${'─'.repeat(60)}`.slice(0, 80));
  if (output.trim()) console.log(output.replace(/^\n+|\n+$/g, ''));
  return { name: job.name, level: job.level, counts: countsOf(job, status) };
}

function countsOf({ result }: Job, status: number | null): TestCounts | undefined {
  if (!result) return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const file = resultFile(result);
  if (!existsSync(file)) return undefined;
  const counts = JSON.parse(readFileSync(file, 'utf8')) as TestCounts;
  // One that counted no failure and still ended badly has failed in its own set-up or tear-down.
  return status === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

async function spawned(
  { command, args }: Job,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: all that it started ends with it, whatever is pressed in the terminal.
    detached: !isWindows,
    // There npm is a script; a path with spaces, as that of Node has, would not pass a shell.
    shell: isWindows && command === 'npm',
  });
  const stop = (): void => {
    end(child, 'SIGTERM');
    setTimeout(() => end(child, 'SIGKILL'), 3000).unref();
  };
  signal.addEventListener('abort', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  signal.removeEventListener('abort', stop);
  // What outlives it would hold its output open.
  end(child, 'SIGKILL');
  await Promise.race([ended, sleep(2000)]);
  return { status, output };
}

const isWindows = process.platform === 'win32';

function temporaryFolder(path: string): Readonly<Record<string, string>> {
  return isWindows ? { TEMP: path, TMP: path } : { TMPDIR: path };
}

/** With all that it started. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-child.pid, signal);
  } catch {
    // Nothing of it is there any more.
  }
}
