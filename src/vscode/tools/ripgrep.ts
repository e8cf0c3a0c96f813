import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { ToolError } from '../../core/errors';
import type { SearchEnd } from '../../core/tools/workspace';

/** Longer output lines are dropped: a file of one endless line must not fill the memory. */
const lineLimit = 4 * 1024 * 1024;
const stderrLimit = 4_000;

/** Where VS Code keeps its own ripgrep: the first place from 1.122 on, the second before; packed or not. */
export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const candidates = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    join(
      appRoot,
      modules,
      '@vscode',
      'ripgrep-universal',
      'bin',
      `${process.platform}-${process.arch}`,
      name,
    ),
    join(appRoot, modules, '@vscode', 'ripgrep', 'bin', name),
  ]);
  for (const candidate of candidates) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}

export interface RipgrepRun {
  readonly executable: string;
  /** Without a shell: each is one argument, whatever it holds. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeLimitMs: number;
  /** Searched instead of files when given. */
  readonly input?: string;
  /** Gets each line of output as it comes; `stop` ends the run. */
  onLine(line: string): 'go-on' | 'stop';
}

/** Runs ripgrep until it is through, told to stop, out of time or aborted. Throws ToolError when it refuses the call. */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<SearchEnd> {
  signal.throwIfAborted();
  const child = spawn(run.executable, [...run.args], {
    cwd: run.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let end: SearchEnd = 'complete';
  const stop = (why: SearchEnd) => {
    end = why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop('time'), run.timeLimitMs);
  const onAbort = () => stop('complete');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    // A search that ends early no longer reads its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input ?? '');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < stderrLimit) errors += text;
    });
    feedLines(child.stdout, (line) => {
      if (end === 'complete' && run.onLine(line) === 'stop') stop('limit');
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    signal.throwIfAborted();
    // 0: something found, 1: nothing found, null: stopped by us; 2 with nothing said: some file could not be read.
    if (code !== 0 && code !== 1 && end === 'complete' && errors !== '') throw refusal(errors);
    return end;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function feedLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  let restLength = 0;
  stream.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const piece = text.slice(start, end);
      if (restLength + piece.length <= lineLimit) onLine(restLength === 0 ? piece : rest.join('') + piece);
      rest = [];
      restLength = 0;
      start = end + 1;
    }
    restLength += text.length - start;
    if (restLength > lineLimit) rest = [];
    else if (start < text.length) rest.push(text.slice(start));
  });
  stream.on('end', () => {
    if (restLength > 0 && restLength <= lineLimit) onLine(rest.join(''));
  });
}

function refusal(errors: string): ToolError {
  const reason = errors.trim().slice(0, 500);
  return new ToolError(
    `ripgrep refused the search: ${reason}\nCorrect the pattern, or set literal: true to search for it as plain text.`,
  );
}
