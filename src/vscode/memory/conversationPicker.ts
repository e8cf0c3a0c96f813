import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { firstWords } from '../../core/conversation/firstWords';
import {
  conversationsIn,
  type FoundConversation,
  type FoundTurn,
} from '../../core/conversation/recall/searchTurns';
import { describeArchived } from '../../core/conversation/reports/archiveReport';
import type { ArchivedHeader } from '../../core/conversation/store';
import { timeAgo } from '../../core/text/timeSpan';
import { createList, literalItem } from '../quickPick';

/** What to do with what was found. */
export type Choice =
  | { readonly act: 'resume'; readonly archived: ArchivedHeader }
  | { readonly act: 'open' | 'continue'; readonly found: FoundTurn };

interface Item extends vscode.QuickPickItem {
  readonly archived?: ArchivedHeader;
  readonly found?: FoundTurn;
}

export interface ConversationPickerOptions {
  /** Conversations to resume, or exchanges to open. */
  readonly for: 'resume' | 'search';
  readonly archive: Pick<ConversationArchive, 'search'>;
  readonly listing: readonly ArchivedHeader[];
  readonly preview: (archived: ArchivedHeader) => Promise<void>;
  readonly remove: (archived: ArchivedHeader) => Promise<void>;
}

/** The archived conversations, newest first; what is typed is looked for in all that was said. */
export function pickConversation(options: ConversationPickerOptions): Promise<Choice | undefined> {
  const picker = createList<Item>();
  const showButton = button('open-preview', l10n.t('Show it'));
  const removeButton = button('trash', l10n.t('Delete it from the archive'));
  const continueButton = button('debug-continue', l10n.t('Continue from Here'));
  let kept = options.listing;

  const itemsFor = async (words: string): Promise<readonly Item[]> => {
    const listed = [showButton, removeButton];
    if (words.trim() === '') return kept.map((archived) => conversationItem({ archived }, listed));
    const found = await options.archive.search(words);
    return options.for === 'search'
      ? found.map((turn) => turnItem(turn, [continueButton]))
      : conversationsIn(found, kept).map((one) => conversationItem(one, [continueButton, ...listed]));
  };
  const update = async () => {
    const { value } = picker;
    const items = await itemsFor(value);
    // Somebody may have typed on.
    if (picker.value === value) picker.items = items.map(literalItem);
  };

  picker.title = options.for === 'resume' ? l10n.t('Resume Conversation') : l10n.t('Search Conversations');
  picker.placeholder = l10n.t('Search in all that was said');
  picker.onDidChangeValue(() => void update());
  void update();

  return new Promise((resolve) => {
    const close = (choice: Choice) => {
      resolve(choice);
      picker.hide();
    };
    picker.onDidTriggerItemButton(async ({ button: pressed, item: { archived, found } }) => {
      if (pressed === continueButton && found) close({ act: 'continue', found });
      else if (pressed === showButton && found) close({ act: 'open', found });
      else if (pressed === showButton && archived) {
        // The preview takes the focus; the list waits for the user to come back.
        picker.ignoreFocusOut = true;
        await options.preview(archived);
      } else if (archived) {
        await options.remove(archived);
        kept = kept.filter((one) => one !== archived);
        if (kept.length === 0) picker.hide();
        else await update();
      }
    });
    picker.onDidAccept(() => {
      const [{ archived, found } = {}] = picker.selectedItems;
      if (archived) close({ act: 'resume', archived });
      else if (found) close({ act: 'open', found });
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function conversationItem(
  { archived, found }: FoundConversation,
  buttons: readonly vscode.QuickInputButton[],
): Item {
  return {
    label: archived.title || l10n.t('(empty)'),
    description: describeArchived(archived, Date.now()),
    ...(found && { detail: found.excerpt, found }),
    iconPath: new vscode.ThemeIcon(iconOf(archived)),
    // VS Code looks only into labels and would hide what was found in an answer.
    alwaysShow: true,
    buttons,
    archived,
  };
}

function turnItem(found: FoundTurn, buttons: readonly vscode.QuickInputButton[]): Item {
  const { kept, title, excerpt } = found;
  const words = firstWords(kept);
  const where = title === words ? [] : [l10n.t('in “{0}”', title)];
  return {
    label: words || l10n.t('(empty)'),
    description: [timeAgo(Date.now() - kept.endedAt), ...where].join(' · '),
    detail: excerpt,
    iconPath: new vscode.ThemeIcon('comment'),
    alwaysShow: true,
    buttons,
    found,
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
