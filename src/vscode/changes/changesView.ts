import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../core/ports';
import { describeChange, titleOfTurn } from '../../core/tools/changes/changeReport';
import type { Changes } from '../../core/tools/changes/changes';
import type { ListedChange } from '../../core/tools/changes/fileChange';
import { formatTime } from '../formats';
import { gitShown } from '../tools/gitChanges';
import { uriOf } from '../tools/places';
import type { ChangeTexts } from './changeTexts';

/** `package.json` knows it by this name. */
const providerId = 'assistant.changes';

const icons = {
  edit: 'diff-modified',
  create: 'diff-added',
  delete: 'diff-removed',
  rename: 'diff-renamed',
} as const;

/** One file below its turn. */
export interface ChangedFile extends vscode.SourceControlResourceState {
  readonly change: ListedChange;
}

export interface ChangesViewOptions {
  readonly changes: Changes;
  readonly texts: ChangeTexts;
  /** Memory has opened the database, and told of it if it was damaged. */
  readonly ready: Promise<unknown>;
  readonly log: Log;
}

/** `Changes by Claude` in Source Control, and the gutter; there only while something is to be judged (C1). */
export interface ChangesView extends vscode.Disposable {
  /** What is still to be judged, as it is shown. */
  readonly listed: () => readonly ListedChange[];
}

export function createChangesView({ changes, texts, ready, log }: ChangesViewOptions): ChangesView {
  let listed: readonly ListedChange[] = [];
  let sourceControl: vscode.SourceControl | undefined;
  let groups: readonly { readonly turnId: string; readonly group: vscode.SourceControlResourceGroup }[] = [];
  let shown = '';
  let isReading = false;
  let isStale = false;
  // Of two providers that know a line, VS Code shows the hunk of the one that came last: Keep and Undo before git's.
  const afterGit = gitShown();

  async function show(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      await Promise.all([ready, afterGit]);
      while (isStale) {
        isStale = false;
        listed = (await changes.list()).filter(isHere);
        const news = JSON.stringify(listed);
        if (news !== shown) render();
        shown = news;
      }
    } catch (error) {
      log.warn(`changes cannot be listed: ${String(error)}`);
    } finally {
      isReading = false;
    }
  }

  function render(): void {
    if (listed.length === 0) {
      hide();
      return;
    }
    const provider = (sourceControl ??= createSourceControl());
    provider.count = listed.length;
    // The newest first.
    const turns = [...new Set(listed.toReversed().map(({ turnId }) => turnId))];
    if (groups.length !== turns.length || groups.some(({ turnId }, at) => turnId !== turns[at])) {
      for (const { group } of groups) group.dispose();
      groups = turns.map((turnId) => {
        const group = provider.createResourceGroup(turnId, '');
        group.contextValue = 'turn';
        return { turnId, group };
      });
    }
    for (const { turnId, group } of groups) {
      const own = listed.filter((change) => change.turnId === turnId);
      group.label = titleOfTurn(own, formatTime);
      group.resourceStates = own.map(toResourceState);
    }
  }

  function hide(): void {
    for (const { group } of groups) group.dispose();
    groups = [];
    sourceControl?.dispose();
    sourceControl = undefined;
  }

  function createSourceControl(): vscode.SourceControl {
    const label = l10n.t('Changes by Claude');
    const created = vscode.scm.createSourceControl(providerId, label, rootOfFolders());
    created.inputBox.enabled = false;
    created.inputBox.placeholder = l10n.t('Terminal changes are not listed');
    created.quickDiffProvider = quickDiffProvider;
    return created;
  }

  const quickDiffProvider: vscode.QuickDiffProvider = {
    provideOriginalResource: (uri) =>
      listed.some(({ kind, place, canBeUndone }) => canBeUndone && kind !== 'rename' && isAt(uri, place))
        ? texts.originalUri(uri)
        : undefined,
  };

  const subscriptions = [
    changes.onDidChange(() => void show()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      // It may have another root now.
      hide();
      shown = '';
      void show();
    }),
  ];
  void show();

  return {
    listed: () => listed,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      sourceControl?.dispose();
    },
  };
}

/**
 * Above all folders, where there is such a place. VS Code asks providers without a root after git, and calls one by the
 * name of its root, unless that is the uppermost.
 */
function rootOfFolders(): vscode.Uri | undefined {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.with({ path: '/' }));
  const [root] = roots;
  // On Windows nothing is above a drive.
  const isDrive = vscode.workspace.workspaceFolders?.some(({ uri }) => /^\/[a-z]:/i.test(uri.path)) === true;
  return isDrive || roots.some((other) => other.toString() !== root?.toString()) ? undefined : root;
}

/** In a folder that is open. */
function isHere({ place }: ListedChange): boolean {
  try {
    return uriOf(place).path !== '';
  } catch {
    return false;
  }
}

function isAt(uri: vscode.Uri, place: ListedChange['place']): boolean {
  return uriOf(place).toString() === uri.toString();
}

function toResourceState(change: ListedChange): ChangedFile {
  return {
    change,
    resourceUri: uriOf(change.place),
    contextValue: change.canBeUndone ? change.kind : `${change.kind}WithoutUndo`,
    command: {
      command: 'assistant.openChange',
      title: l10n.t('Open Change'),
      arguments: [change.id],
    },
    decorations: {
      strikeThrough: change.kind === 'delete',
      tooltip: describeChange(change),
      iconPath: new vscode.ThemeIcon(icons[change.kind]),
    },
  };
}
