import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import type { MemoryProblem } from '../../core/conversation/memory/problems';
import type { Log } from '../../core/ports';
import { redact } from '../../core/secrets/redact';
import { warn, withErrorReporting } from '../notify';

interface SetAside {
  readonly memory: () => ConversationMemory;
  /** Must not be in an export, damaged or not. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly log: Log;
}

/** Tells the user once of a problem with what is stored; damaged data can be exported as it was found. */
export function reportMemoryProblem(problem: MemoryProblem, setAside: SetAside): void {
  void withErrorReporting(setAside.log, offerExport)(problem, setAside);
}

async function offerExport(problem: MemoryProblem, setAside: SetAside): Promise<void> {
  const { key, file } = problem;
  const exportIt = l10n.t('Export…');
  const choice = await warn(problem.message, ...(key === undefined && file === undefined ? [] : [exportIt]));
  if (choice !== exportIt) return;
  if (file === undefined) await exportSetAside(setAside);
  else await exportDatabase(vscode.Uri.file(file));
}

/** As it was found: a tool for SQLite may read more of it than SQLite does. */
async function exportDatabase(file: vscode.Uri): Promise<void> {
  const target = await chooseTarget('damaged-memory.db', { SQLite: ['db'] });
  if (target) await vscode.workspace.fs.copy(file, target, { overwrite: true });
}

async function exportSetAside({ memory, secrets }: SetAside): Promise<void> {
  const target = await chooseTarget('damaged-memory.json', { JSON: ['json'] });
  if (!target) return;
  const json = redact(JSON.stringify(memory().setAside(), undefined, 2), await secrets());
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(json));
}

function chooseTarget(name: string, filters: Record<string, string[]>): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  return vscode.window.showSaveDialog({
    title: l10n.t('Export Damaged Memory'),
    filters,
    defaultUri: vscode.Uri.joinPath(folder, name),
  });
}
