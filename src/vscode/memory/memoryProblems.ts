import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import type { MemoryProblem } from '../../core/conversation/memory/problems';
import { redact } from '../../core/secrets/redact';
import { warn } from '../notify';

interface SetAside {
  readonly memory: () => ConversationMemory;
  /** Must not be in an export, damaged or not. */
  readonly secrets: () => Promise<readonly string[]>;
}

/** Tells the user once of a problem with what is stored; damaged data can be exported as it was found. */
export function reportMemoryProblem(problem: MemoryProblem, setAside: SetAside): void {
  void offerExport(problem, setAside);
}

async function offerExport(problem: MemoryProblem, setAside: SetAside): Promise<void> {
  const exportIt = l10n.t('Export…');
  const buttons = problem.key === undefined ? [] : [exportIt];
  const choice = await warn(problem.message, ...buttons);
  if (choice === exportIt) await exportSetAside(setAside);
}

async function exportSetAside({ memory, secrets }: SetAside): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Export Damaged Memory'),
    filters: { JSON: ['json'] },
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'),
      'damaged-memory.json',
    ),
  });
  if (!target) return;
  const json = redact(JSON.stringify(memory().setAside(), undefined, 2), await secrets());
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(json));
}
