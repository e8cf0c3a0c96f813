import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { firstWords } from '../../core/conversation/firstWords';
import type { FoundTurn } from '../../core/conversation/recall/searchTurns';
import { describeArchived } from '../../core/conversation/reports/archiveReport';
import type { ArchivedHeader } from '../../core/conversation/store';
import { timeAgo } from '../../core/text/timeSpan';
import { createList, literalItem } from '../quickPick';

/** A conversation to resume, an exchange to open, or one to go on from. */
export type Chosen =
  | { readonly kind: 'conversation'; readonly archived: ArchivedHeader }
  | { readonly kind: 'turn'; readonly found: FoundTurn; readonly isToContinue: boolean };

interface Item extends vscode.QuickPickItem {
  readonly chosen?: Chosen;
}

export interface ConversationPickerOptions {
  readonly title: string;
  readonly archive: Pick<ConversationArchive, 'search'>;
  readonly listing: readonly ArchivedHeader[];
  readonly preview: (archived: ArchivedHeader) => Promise<void>;
  readonly remove: (archived: ArchivedHeader) => Promise<void>;
}

/** The archived conversations, newest first; what is typed is looked for in all that was said. */
export function pickConversation(options: ConversationPickerOptions): Promise<Chosen | undefined> {
  const picker = createList<Item>();
  const previewButton = button('open-preview', l10n.t('Show it'));
  const removeButton = button('trash', l10n.t('Delete it from the archive'));
  const continueButton = button('debug-continue', l10n.t('Continue from Here'));
  let kept = options.listing;

  const update = async () => {
    const { value } = picker;
    const items =
      value.trim() === ''
        ? kept.map((archived) => conversationItem(archived, [previewButton, removeButton]))
        : (await options.archive.search(value)).map((found) => turnItem(found, [continueButton]));
    // Somebody may have typed on.
    if (picker.value !== value) return;
    picker.items = items.map(literalItem);
  };

  picker.title = options.title;
  picker.placeholder = l10n.t('Search in all that was said');
  picker.onDidChangeValue(() => void update());
  void update();

  return new Promise((resolve) => {
    const close = (chosen: Chosen | undefined) => {
      resolve(chosen);
      picker.hide();
    };
    picker.onDidTriggerItemButton(async ({ button: pressed, item: { chosen } }) => {
      if (chosen?.kind === 'turn') close({ ...chosen, isToContinue: true });
      if (chosen?.kind !== 'conversation') return;
      const { archived } = chosen;
      if (pressed === previewButton) {
        // The preview takes the focus; the list waits for the user to come back.
        picker.ignoreFocusOut = true;
        await options.preview(archived);
        return;
      }
      await options.remove(archived);
      kept = kept.filter((one) => one !== archived);
      if (kept.length === 0) picker.hide();
      else await update();
    });
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item?.chosen) close(item.chosen);
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function conversationItem(archived: ArchivedHeader, buttons: readonly vscode.QuickInputButton[]): Item {
  return {
    label: archived.title,
    description: describeArchived(archived, Date.now()),
    iconPath: new vscode.ThemeIcon(iconOf(archived)),
    buttons,
    chosen: { kind: 'conversation', archived },
  };
}

function turnItem(found: FoundTurn, buttons: readonly vscode.QuickInputButton[]): Item {
  const { kept, title, excerpt } = found;
  const words = firstWords(kept);
  return {
    label: words || l10n.t('(empty)'),
    description: [
      timeAgo(Date.now() - kept.endedAt),
      ...(title === words ? [] : [l10n.t('in “{0}”', title)]),
    ].join(' · '),
    detail: excerpt,
    iconPath: new vscode.ThemeIcon('comment'),
    // VS Code looks only into labels and would hide what was found in an answer.
    alwaysShow: true,
    buttons,
    chosen: { kind: 'turn', found, isToContinue: false },
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
