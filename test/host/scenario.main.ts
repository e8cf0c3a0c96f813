/** Runs inside the extension host: the tests of the scenarios of this window, one after another. */
import { cpSync, readdirSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import type { AssistantApi } from '../../src/core/api';
import { pointAt } from '../support/hostSettings';
import { resultFile, sumOf, testOutputMark, writeCounts, type TestCounts } from '../support/results';
import { runMocha } from '../support/runMocha';
import { fixtureOf, hasOwnWindow } from './fixtures';

export async function run(): Promise<void> {
  const root = await openFolder();
  Mocha.reporters.Base.consoleLog = say;
  const scenarios = process.env['HOST_SCENARIOS']?.split(' ') ?? [];
  const counts: TestCounts[] = [];
  const failed: string[] = [];
  for (const scenario of scenarios) {
    if (!hasOwnWindow(scenario)) await showOnly(scenario, root);
    const own = await runMocha({
      files: [join(__dirname, `${scenario}.test.js`)],
      resultFile: resultFile(`host-${scenario}`),
      timeoutMs: 120_000,
    });
    counts.push(own);
    if (own.failed > 0) failed.push(`${own.failed} host tests of ${scenario} failed.`);
  }
  writeCounts(resultFile(`host-${process.env['HOST_WINDOW']}`), sumOf(counts));
  if (failed.length > 0) {
    say(failed.join('\n'));
    throw new Error(failed.join(' '));
  }
}

function say(...args: readonly unknown[]): void {
  const lines = format(...args).split('\n');
  console.log(lines.map((line) => testOutputMark + line).join('\n'));
}

/** As in a window that was just opened on the fixture: no file, chat, memory or setting of the scenario before. */
async function showOnly(scenario: string, root: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const name of readdirSync(root)) await rm(join(root, name), { recursive: true });
  cpSync(fixtureOf(scenario), root, { recursive: true });
  await pointAt(undefined);
  const extension = vscode.extensions.getExtension<AssistantApi>('claude-assistant.claude-assistant');
  if (!extension?.isActive) return;
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  await extension.exports.clearHistory();
}

/**
 * The first folder. Those of a workspace file may come later than the tests, and later than a change to none at all; where
 * a busy VS Code could not read that file, it reads it again once it has changed.
 */
async function openFolder(): Promise<string> {
  const path = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const { workspaceFile } = vscode.workspace;
  let changes = 0;
  for (let looks = 0; path() === undefined && looks < 3; looks++) {
    if (workspaceFile && looks > 0) await utimes(workspaceFile.fsPath, new Date(), new Date());
    let watching: vscode.Disposable | undefined;
    const come = new Promise<void>((resolve) => {
      watching = vscode.workspace.onDidChangeWorkspaceFolders(() => {
        changes++;
        if (path() !== undefined) resolve();
      });
    });
    await Promise.race([come, setTimeout(30_000)]);
    watching?.dispose();
  }
  const found = path();
  if (found !== undefined) return found;
  throw new Error(`No folder is open: ${workspaceFile?.fsPath ?? 'no workspace file'}, ${changes} changes.`);
}
