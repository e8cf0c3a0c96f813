import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { createArchiveSearch, type Found } from '../../core/conversation/archive/searchArchive';
import { describeArchived } from '../../core/conversation/reports/archiveReport';
import type { ArchivedHeader } from '../../core/conversation/store';
import { createList, literalItem } from '../quickPick';

interface Item extends vscode.QuickPickItem {
  readonly archived?: ArchivedHeader;
}

export interface ResumePickerOptions {
  readonly archive: Pick<ConversationArchive, 'get'>;
  readonly listing: readonly ArchivedHeader[];
  readonly preview: (archived: ArchivedHeader) => Promise<void>;
  readonly remove: (archived: ArchivedHeader) => Promise<void>;
}

/** The archived conversations, newest first; what is typed is looked for in all that was said. */
export function pickArchived(options: ResumePickerOptions): Promise<ArchivedHeader | undefined> {
  const picker = createList<Item>();
  const previewButton = button('open-preview', l10n.t('Show it'));
  const removeButton = button('trash', l10n.t('Delete it from the archive'));
  const load = async (id: string) => (await options.archive.get(id))?.conversation;
  let kept = options.listing;
  let search = createArchiveSearch(kept, load);

  const update = async () => {
    const { value } = picker;
    const found = await search(value);
    // Somebody may have typed on.
    if (picker.value !== value) return;
    picker.items = found.map((one) => literalItem(toItem(one, [previewButton, removeButton])));
  };

  picker.title = l10n.t('Resume Conversation');
  picker.placeholder = l10n.t('Search in titles, prompts and answers');
  picker.onDidChangeValue(() => void update());
  picker.onDidTriggerItemButton(async ({ button: pressed, item: { archived } }) => {
    if (!archived) return;
    if (pressed === previewButton) {
      // The preview takes the focus; the list waits for the user to come back.
      picker.ignoreFocusOut = true;
      await options.preview(archived);
      return;
    }
    await options.remove(archived);
    kept = kept.filter((one) => one !== archived);
    search = createArchiveSearch(kept, load);
    if (kept.length === 0) picker.hide();
    else await update();
  });
  void update();

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

function iconOf({ ending }: ArchivedHeader): string {
  switch (ending.kind) {
    case 'ended':
      return 'history';
    case 'left':
      return 'archive';
    default:
      return 'git-branch';
  }
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
