import { basename, extname } from 'node:path/posix';
import * as vscode from 'vscode';
import type { Workspace } from '../../core/tools/workspace';
import { uriOf } from './places';

/** After this long without a word there is nothing to report on a text. */
const patienceMs = 1_500;
/** A service reports in several steps, and several may report on one file. */
const quietMs = 250;

/** Knows which files language services report on, and when they did last. */
export interface ProblemReports extends vscode.Disposable {
  readonly settled: Workspace['problemsSettled'];
}

export function followProblemReports(): ProblemReports {
  /** By address. */
  const reportedAt = new Map<string, number>();
  const changedAt = new Map<string, number>();
  const kinds = new Set<string>();
  const waiting = new Set<() => void>();
  let isSeeded = false;

  function learn(uri: vscode.Uri): void {
    for (const kind of kindsOf(uri)) kinds.add(kind);
  }

  /** What was reported before we were there. Read when it is needed first: it can be long. */
  function seed(): void {
    if (isSeeded) return;
    isSeeded = true;
    for (const [uri] of vscode.languages.getDiagnostics()) learn(uri);
  }

  /** How long to wait for the report on a text, from now; 0 or less when it has come. */
  function leftMs(address: string, now: number): number {
    const changed = changedAt.get(address) ?? 0;
    const reported = reportedAt.get(address) ?? 0;
    const end =
      reported > changed ? Math.min(reported + quietMs, changed + patienceMs) : changed + patienceMs;
    return end - now;
  }

  const subscriptions = vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        learn(uri);
        reportedAt.set(uri.toString(), performance.now());
      }
      for (const look of waiting) look();
    }),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => changedAt.set(uri.toString(), performance.now())),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) changedAt.set(document.uri.toString(), performance.now());
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      changedAt.delete(uri.toString());
      reportedAt.delete(uri.toString());
    }),
  );

  return {
    async settled(place, limitMs, signal) {
      const uri = uriOf(place);
      seed();
      if (!kindsOf(uri).some((kind) => kinds.has(kind))) return 0;
      const start = performance.now();
      // Most services look at open files only. Nobody sees it, and VS Code closes it again by itself.
      if (!(await isOpened(uri))) return 0;
      const address = uri.toString();
      for (;;) {
        const now = performance.now();
        const left = Math.min(leftMs(address, now), start + limitMs - now);
        if (left <= 0 || signal.aborted) return now - start;
        await nextLook(left, signal);
      }
    },
    dispose: () => void subscriptions.dispose(),
  };

  /** The next report, the end of the time or of the wait as a whole. */
  async function nextLook(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      const timer = setTimeout(look, ms);
      waiting.add(look);
      signal.addEventListener('abort', look);
    });
  }
}

/** By the end of its name. TypeScript says nothing of files that are well, but reports on the project that it loads. */
function kindsOf(uri: vscode.Uri): readonly string[] {
  const name = basename(uri.path).toLowerCase();
  const own = extname(name) || name;
  return /^[jt]sconfig\b.*\.json$/.test(name) ? [own, ...scriptEndings] : [own];
}

const scriptEndings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** False for what is not there, or is no text. */
async function isOpened(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.openTextDocument(uri);
    return true;
  } catch {
    return false;
  }
}
