import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { ToolError } from '../../core/errors';
import type { SearchEnd } from '../../core/tools/workspace';
import { createJsonSqueezer, type JsonSqueezer } from './squeezeJson';

/** Of longer output lines only the essence is kept: a file of one endless line must not fill the memory. */
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
  /** Gets each line of output as it comes; `stop` ends the run. One that was too long is JSON with its strings cut. */
  onLine(line: string, isSqueezed: boolean): 'go-on' | 'stop';
}

/** Runs ripgrep until it is through, told to stop, out of time or aborted. Throws ToolError when it refuses the call. */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<SearchEnd> {
  signal.throwIfAborted();
  // No configuration file: it could name a program to run (--pre) or switch anything here off.
  const child = spawn(run.executable, ['--no-config', ...run.args], {
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
    feedLines(child.stdout, (line, isSqueezed) => {
      if (end === 'complete' && run.onLine(line, isSqueezed) === 'stop') stop('limit');
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

function feedLines(stream: NodeJS.ReadableStream, onLine: (line: string, isSqueezed: boolean) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  let restLength = 0;
  let squeezer: JsonSqueezer | undefined;

  function add(piece: string): void {
    restLength += piece.length;
    if (squeezer === undefined && restLength > lineLimit) {
      squeezer = createJsonSqueezer();
      for (const earlier of rest) squeezer.feed(earlier);
      rest = [];
    }
    if (squeezer === undefined) rest.push(piece);
    else squeezer.feed(piece);
  }

  function finish(): void {
    if (squeezer === undefined) onLine(rest.join(''), false);
    else onLine(squeezer.result(), true);
    rest = [];
    restLength = 0;
    squeezer = undefined;
  }

  stream.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const piece = text.slice(start, end);
      start = end + 1;
      if (restLength === 0) onLine(piece, false);
      else {
        add(piece);
        finish();
      }
    }
    if (start < text.length) add(text.slice(start));
  });
  stream.on('end', () => {
    if (restLength > 0) finish();
  });
}

function refusal(errors: string): ToolError {
  const reason = errors.trim().slice(0, 500);
  return new ToolError(
    `ripgrep refused the search: ${reason}\nCorrect the pattern, or set literal: true to search for it as plain text.`,
  );
}
