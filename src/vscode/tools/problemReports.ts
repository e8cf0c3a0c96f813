import { basename, extname } from 'node:path/posix';
import * as vscode from 'vscode';
import type { Workspace } from '../../core/tools/workspace';
import { uriOf } from './places';

/** A service reports in several steps, and several may report on one file. */
const quietMs = 250;
/** A report that comes sooner may be about the text before: TypeScript looks at a text 300 ms after its last change. */
const leastMs = 700;

/** Knows which files language services report on, and when they did last. */
export interface ProblemReports extends vscode.Disposable {
  readonly settled: Workspace['problemsSettled'];
}

export function followProblemReports(): ProblemReports {
  /** By address: only files that are open, or have problems while they are not. */
  const reportedAt = new Map<string, number>();
  const changedAt = new Map<string, number>();
  const kinds = new Set<string>();
  const waiting = new Set<() => void>();
  let isSeeded = false;

  function learn(uri: vscode.Uri, at: number): void {
    for (const kind of kindsOf(uri)) kinds.add(kind);
    // When a file is closed, its problems are taken back: that is no report.
    if (isOpen(uri) || vscode.languages.getDiagnostics(uri).length > 0) reportedAt.set(uri.toString(), at);
  }

  /** What was reported before we were there. Read when it is needed first: it can be long. */
  function seed(): void {
    if (isSeeded) return;
    isSeeded = true;
    for (const [uri] of vscode.languages.getDiagnostics()) if (!reportedAt.has(uri.toString())) learn(uri, 0);
  }

  /**
   * Whether somebody reports on a file. Of one that was well from the start nothing may ever have been said; then it
   * counts that files of its kind are reported on, as long as it is in a tab: TypeScript looks at no others.
   */
  function isReportedOn(uri: vscode.Uri): boolean {
    seed();
    return reportedAt.has(uri.toString()) || (isInTab(uri) && kindsOf(uri).some((kind) => kinds.has(kind)));
  }

  const subscriptions = vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) learn(uri, performance.now());
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
      if (!isReportedOn(uri)) return;
      const address = uri.toString();
      const start = performance.now();
      while (!signal.aborted) {
        const changed = changedAt.get(address) ?? start;
        const reported = reportedAt.get(address) ?? 0;
        const settled = reported > changed ? Math.max(reported + quietMs, changed + leastMs) : Infinity;
        // The person may go on typing for as long as they like.
        const left = Math.min(settled, changed + limitMs, start + limitMs) - performance.now();
        if (left <= 0) return;
        await nextLook(left, signal);
      }
    },
    dispose: () => void subscriptions.dispose(),
  };

  /** The next report, or the end of the wait. */
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

function isOpen(uri: vscode.Uri): boolean {
  const address = uri.toString();
  return vscode.workspace.textDocuments.some((one) => !one.isClosed && one.uri.toString() === address);
}

function isInTab(uri: vscode.Uri): boolean {
  const address = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address);
}
