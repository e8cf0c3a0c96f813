/** Runs inside the extension host: the tests of the scenario whose fixture is open. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { resultFile, testOutputMark } from '../support/results';
import { runMocha } from '../support/runMocha';

export async function run(): Promise<void> {
  const scenario = await openFixture();
  Mocha.reporters.Base.consoleLog = (...args) => {
    const lines = format(...args).split('\n');
    console.log(lines.map((line) => testOutputMark + line).join('\n'));
  };
  const { failed } = await runMocha({
    files: [join(__dirname, `${scenario}.test.js`)],
    resultFile: resultFile(`host-${scenario}`),
    timeoutMs: 120_000,
  });
  if (failed > 0) throw new Error(`${failed} host tests of ${scenario} failed.`);
}

/** The name of the first folder. Those of a workspace file may come later than the tests. */
async function openFixture(): Promise<string> {
  const name = () => vscode.workspace.workspaceFolders?.[0]?.name;
  if (name() === undefined) {
    let watching: vscode.Disposable | undefined;
    const come = new Promise<void>((resolve) => {
      watching = vscode.workspace.onDidChangeWorkspaceFolders(() => resolve());
    });
    await Promise.race([come, setTimeout(60_000)]);
    watching?.dispose();
  }
  return name() ?? '';
}
