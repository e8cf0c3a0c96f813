import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { toPortable } from '../../core/conversation/archive/portable';
import { firstWords } from '../../core/conversation/firstWords';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import { describeArchived, turnCount } from '../../core/conversation/reports/archiveReport';
import { exportName, toMarkdown } from '../../core/conversation/reports/exportMarkdown';
import { valuesOf, type Conversation } from '../../core/conversation/turn';
import type { Log } from '../../core/ports';
import { wordList } from '../../core/text/joined';
import type { Plans } from '../../core/tools/plans/plans';
import { formatTime } from '../formats';
import { inform, offerLater } from '../notify';
import { pickOne, pickSome } from '../quickPick';

export interface ExportCommandOptions {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  readonly nameOfModel: (id: string) => string;
  /** What must not be in an export, wherever it was said: keys and other credentials. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly plans: Pick<Plans, 'open'>;
  readonly log: Log;
}

/** What the user would be asked for; a keybinding or a task may know it before. */
export interface ExportChoice {
  readonly to?: vscode.Uri;
  readonly format?: Format;
  readonly withValues?: boolean;
}

type Format = 'markdown' | 'json';

/** Writes a conversation to a file, for people or for `Import Conversation…` (M21). */
export async function exportConversation(
  options: ExportCommandOptions,
  choice: ExportChoice = {},
): Promise<void> {
  const chosen = await chooseConversation(options);
  if (!chosen) return;
  const { conversation, plan } = chosen;
  const format = choice.format ?? (await chooseFormat());
  if (!format) return;
  const withValues = choice.withValues ?? (await chooseValues(conversation));
  if (withValues === undefined) return;
  const secrets = await options.secrets();
  const name = exportName(conversation, { withValues, secrets }, format === 'json' ? 'json' : 'md');
  const target = choice.to ?? (await chooseFile(name, format));
  if (!target) return;
  const { nameOfModel } = options;
  const text =
    format === 'json'
      ? toPortable(conversation, { withValues, secrets, plan })
      : toMarkdown(conversation, { withValues, secrets, plan, nameOfModel, formatTime });
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const count = turnCount(conversation.turns.length);
  const sentence = l10n.t('Exported {0} to {1}.', count, vscode.workspace.asRelativePath(target));
  offerLater(options.log, sentence, l10n.t('Open'), () => vscode.window.showTextDocument(target));
}

interface Exported {
  readonly conversation: Conversation;
  readonly plan?: string | undefined;
}

async function chooseConversation({
  memory,
  archive,
  plans,
}: ExportCommandOptions): Promise<Exported | undefined> {
  await memory.refresh();
  const present = memory
    .conversations()
    .filter(({ turns }) => turns.length > 0)
    .toSorted((a, b) => b.lastActive - a.lastActive);
  const items = [
    ...present.map((conversation) => ({
      label: titleOf(conversation),
      description: l10n.t('now · {0}', turnCount(conversation.turns.length)),
      // The plan is of the workspace as it is now: an older conversation had another one.
      read: async (): Promise<Exported | undefined> => ({ conversation, plan: (await plans.open())?.text }),
    })),
    ...(await archive.list()).map((archived) => ({
      label: archived.title || l10n.t('(empty)'),
      description: describeArchived(archived, Date.now()),
      read: async () => archive.get(archived.id),
    })),
  ];
  const [only, ...others] = items;
  if (!only) {
    void inform(
      l10n.t(
        'Nothing is remembered and nothing is archived, so there is nothing to export. Ask @assistant something first.',
      ),
    );
    return undefined;
  }
  if (others.length === 0) return only.read();
  const title = l10n.t('Export Conversation');
  const placeHolder = l10n.t('Which conversation?');
  const chosen = await pickOne(items, { title, placeHolder, matchOnDescription: true });
  return chosen?.read();
}

async function chooseFormat(): Promise<Format | undefined> {
  const items = [
    { label: 'Markdown', description: l10n.t('to read and to share'), format: 'markdown' as const },
    {
      label: 'JSON',
      description: l10n.t('to import again, here or elsewhere'),
      format: 'json' as const,
    },
  ];
  const chosen = await pickOne(items, { title: l10n.t('Export Conversation') });
  return chosen?.format;
}

/** Off unless ticked. Not asked where nothing is remembered by name. */
async function chooseValues({ params }: Conversation): Promise<boolean | undefined> {
  const names = [...valuesOf({ params }).keys()];
  if (names.length === 0) return false;
  const item = { label: l10n.t('Include the remembered values'), description: wordList(names) };
  const ticked = await pickSome([item], {
    title: l10n.t('Export Conversation'),
    placeHolder: l10n.t('If unchecked, only their names are exported'),
  });
  return ticked && ticked.length > 0;
}

async function chooseFile(name: string, format: Format): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: l10n.t('Export Conversation'),
    filters: format === 'json' ? { JSON: ['json'] } : { Markdown: ['md'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

function titleOf({ turns }: Conversation): string {
  const [first] = turns;
  return (first && firstWords(first)) || l10n.t('(empty)');
}
