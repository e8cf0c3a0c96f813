import * as vscode from 'vscode';
import type { MemoryProblem } from '../../core/conversation/facts/memoryStore';
import type { ConversationMemory } from '../../core/conversation/memory/memory';

/** Tells the person once of a problem with what is stored; damaged data can be exported as it was found. */
export function reportMemoryProblem(problem: MemoryProblem, memory: () => ConversationMemory): void {
  void offerExport(problem, memory);
}

async function offerExport(problem: MemoryProblem, memory: () => ConversationMemory): Promise<void> {
  const exportIt = vscode.l10n.t('Export…');
  const buttons = problem.key === undefined ? [] : [exportIt];
  const choice = await vscode.window.showWarningMessage(problem.message, ...buttons);
  if (choice === exportIt) await exportSetAside(memory());
}

async function exportSetAside(memory: ConversationMemory): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Damaged Memory'),
    filters: { JSON: ['json'] },
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'),
      'damaged-memory.json',
    ),
  });
  if (!target) return;
  const json = JSON.stringify(memory.setAside(), undefined, 2);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(json));
}
