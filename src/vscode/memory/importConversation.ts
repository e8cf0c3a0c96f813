import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { checkImportSize, fromPortable, type Imported } from '../../core/conversation/archive/fromPortable';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import { contentCount } from '../../core/conversation/reports/archiveReport';
import { UserError } from '../../core/errors';
import { labeled, paragraph } from '../../core/text/joined';
import type { Plans } from '../../core/tools/plans/plans';
import { inform, warn } from '../notify';
import { mayLeave } from './mayLeave';

export interface ImportCommandOptions {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  readonly current: () => ConversationHandle;
  readonly plans: Pick<Plans, 'add'>;
}

/** Takes an exported conversation back in place of the present one, which goes to the archive (M21). */
export async function importConversation(options: ImportCommandOptions, from?: vscode.Uri): Promise<void> {
  const source = from ?? (await chooseFile());
  if (!source) return;
  const imported = await read(source);
  const handle = options.current();
  if (!(await mayLeave(options, handle))) return;
  const { archivedAs } = await options.archive.bringIn(handle.id, imported.conversation);
  if (imported.plan !== undefined) await options.plans.add(imported.plan);
  const kept = handle.snapshot()?.turns.length ?? 0;
  void report(imported, kept, archivedAs !== undefined);
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [file] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Import Conversation'),
      openLabel: l10n.t('Import'),
      filters: { JSON: ['json'] },
      ...(folder && { defaultUri: folder }),
    })) ?? [];
  return file;
}

async function read(source: vscode.Uri): Promise<Imported> {
  const name = vscode.workspace.asRelativePath(source);
  try {
    const { size } = await vscode.workspace.fs.stat(source);
    checkImportSize(size);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(source));
    return fromPortable(text, { now: Date.now(), ids: randomUUID });
  } catch (error) {
    if (error instanceof UserError) throw new UserError(labeled(name, error.message), { cause: error });
    if (!(error instanceof vscode.FileSystemError)) throw error;
    throw new UserError(l10n.t('{0} cannot be read: {1}', name, error.message), { cause: error });
  }
}

async function report(
  { conversation, plan, notes }: Imported,
  kept: number,
  isArchived: boolean,
): Promise<void> {
  const { turns } = conversation;
  const sentences = [
    l10n.t('Imported {0}.', contentCount(conversation)),
    ...(kept < turns.length ? [fitting(kept)] : []),
    l10n.t('Your next message goes on with it.'),
    ...(plan === undefined ? [] : [l10n.t('Its plan is in the Memory view.')]),
    ...(isArchived ? [l10n.t('The conversation before is in the archive.')] : []),
  ];
  if (notes.length === 0) {
    void inform(paragraph(sentences));
    return;
  }
  const details = l10n.t('Show Details');
  const repaired = l10n.t('Not all of it could be taken as it was: {0}', notes[0] ?? '');
  const choice = await warn(paragraph([...sentences, repaired]), details);
  if (choice !== details) return;
  const content = notes.map((note) => `- ${note}\n`).join('');
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language: 'markdown' }),
  );
}

function fitting(turns: number): string {
  return turns === 1
    ? l10n.t('1 of them fits within the memory limits.')
    : l10n.t('{0} of them fit within the memory limits.', turns);
}
