import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ArchiveListing } from '../../core/conversation/archive/archive';
import type { ArchivedConversation } from '../../core/conversation/archive/archivedForm';
import { ArchiveSearch, type Found } from '../../core/conversation/archive/searchArchive';
import { describeArchived } from '../../core/conversation/reports/archiveReport';
import { createList, literalItem } from '../quickPick';

interface Item extends vscode.QuickPickItem {
  readonly archived?: ArchivedConversation;
}

export interface ResumePickerOptions {
  readonly listing: ArchiveListing;
  /** What is typed in it at first. */
  readonly query?: string;
  readonly preview: (archived: ArchivedConversation) => Promise<void>;
  /** Deletes it; says whether it is gone. */
  readonly remove: (archived: ArchivedConversation) => Promise<boolean>;
}

/** The archived conversations, newest first; what is typed is looked for in all that was said. */
export function pickArchived(options: ResumePickerOptions): Promise<ArchivedConversation | undefined> {
  const { listing, query = '' } = options;
  const picker = createList<Item>();
  const previewButton = button('open-preview', l10n.t('Show it'));
  const removeButton = button('trash', l10n.t('Delete it from the archive'));
  let kept = listing.conversations;
  let search = new ArchiveSearch(kept);

  const update = () => {
    const found = search.find(picker.value);
    picker.items = [
      ...found.map((one) => toItem(one, [previewButton, removeButton])),
      ...(picker.value === '' ? unreadableItems(listing) : []),
    ].map(literalItem);
  };

  picker.title = l10n.t('Resume Conversation');
  picker.placeholder = l10n.t('Search in titles, prompts and answers');
  picker.value = query;
  picker.onDidChangeValue(update);
  picker.onDidTriggerItemButton(async ({ button: pressed, item: { archived } }) => {
    if (!archived) return;
    if (pressed === previewButton) {
      // The preview takes the focus; the list waits for the person to come back.
      picker.ignoreFocusOut = true;
      await options.preview(archived);
      return;
    }
    if (!(await options.remove(archived))) return;
    kept = kept.filter((one) => one !== archived);
    search = new ArchiveSearch(kept);
    if (kept.length === 0) picker.hide();
    else update();
  });
  update();

  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [chosen] = picker.selectedItems;
      if (!chosen?.archived) return;
      resolve(chosen.archived);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function toItem({ archived, excerpt }: Found, buttons: readonly vscode.QuickInputButton[]): Item {
  return {
    label: archived.title,
    description: describeArchived(archived, Date.now()),
    iconPath: new vscode.ThemeIcon(iconOf(archived)),
    // VS Code looks only into labels and would hide what was found in an answer.
    alwaysShow: true,
    buttons,
    archived,
    ...(excerpt !== undefined && { detail: excerpt }),
  };
}

function iconOf({ ending }: ArchivedConversation): string {
  switch (ending.kind) {
    case 'ended':
      return 'history';
    case 'left':
      return 'archive';
    default:
      return 'git-branch';
  }
}

/** They are named, so that the person can look for them; the list goes on without. */
function unreadableItems({ unreadable }: ArchiveListing): readonly Item[] {
  if (unreadable.length === 0) return [];
  return [
    { kind: vscode.QuickPickItemKind.Separator, label: l10n.t('cannot be read') },
    ...unreadable.map(({ name, why }): Item => ({
      label: name,
      description:
        why === 'newer' ? l10n.t('written by a newer version') : l10n.t('damaged, left in its place'),
      iconPath: new vscode.ThemeIcon('warning'),
    })),
  ];
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
