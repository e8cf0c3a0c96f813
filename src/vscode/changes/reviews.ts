import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isObject } from '../../core/text/json';

/** The diffs over many files, each with the Keep and Undo of what it shows in its title. */
export interface Reviews extends vscode.Disposable {
  show(title: string, resources: readonly unknown[], turnId: string | undefined): Promise<void>;
  /** The turn that the review in front is about; of one over all changes it is undefined. */
  shownTurn(): string | undefined;
  /** Those about a turn, or about all changes, of which nothing is left to judge. */
  close(isJudged: (turnId: string | undefined) => boolean): Promise<void>;
}

export function createReviews(): Reviews {
  // A tab's label is all that VS Code tells of such a diff, so that no two are open under one title.
  const turns = new Map<string, string | undefined>();
  // Behind the title stands how many files it shows. One title may begin with another.
  const titleOf = (tab: vscode.Tab): string | undefined =>
    [...turns.keys()]
      .filter((title) => mayBeReview(tab) && tab.label.startsWith(title))
      .toSorted((a, b) => b.length - a.length)[0];
  const shown = (): string | undefined => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab && titleOf(tab);
  };
  const close = async (isMeant: (title: string) => boolean): Promise<void> => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter((tab) => {
        const title = titleOf(tab);
        return title !== undefined && isMeant(title);
      }),
    );
  };
  const tell = (): void => {
    const title = shown();
    const about = title === undefined ? undefined : turns.get(title) === undefined ? 'all' : 'turn';
    void vscode.commands.executeCommand('setContext', 'assistant.review', about);
  };
  // VS Code opens those of the window before again, and shows nothing in them.
  const stale = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => mayBeReview(tab) && isReviewTitle(tab.label));
  void vscode.window.tabGroups.close(stale);
  const watchers = [
    vscode.window.tabGroups.onDidChangeTabs(tell),
    vscode.window.tabGroups.onDidChangeTabGroups(tell),
  ];
  return {
    async show(title, resources, turnId) {
      await close((other) => other === title);
      turns.set(title, turnId);
      await vscode.commands.executeCommand('vscode.changes', title, resources);
      tell();
    },
    shownTurn() {
      const title = shown();
      return title === undefined ? undefined : turns.get(title);
    },
    close: (isJudged) => close((title) => isJudged(turns.get(title))),
    dispose: () => watchers.forEach((watcher) => watcher.dispose()),
  };
}

/** `words`: the message of its turn; empty for a review over more than one. */
export function reviewTitle(words: string): string {
  return words === '' ? l10n.t('Changes by Claude') : l10n.t('{0} · changes by Claude', words);
}

/** Files, pages and chats can have any label. What such a diff is VS Code tells at run time only, and not always. */
function mayBeReview({ input }: vscode.Tab): boolean {
  return input === undefined || (isObject(input) && 'textDiffs' in input);
}

function isReviewTitle(label: string): boolean {
  return label.startsWith(reviewTitle('')) || label.includes(l10n.t('{0} · changes by Claude', ''));
}
