import * as vscode from 'vscode';
import type { Changes } from '../../core/tools/changes/changes';
import { openTexts, type ListedChange } from '../../core/tools/changes/fileChange';
import { realPlaceOf, uriOf } from '../tools/places';

/** What the gutter compares a file with; `package.json` knows it by this name. */
const originalScheme = 'assistant-original';
const changeScheme = 'assistant-change';

/** How long after the last key the gutter follows. */
const quietMs = 300;

/** The texts before changes as documents that can only be read. */
export interface ChangeTexts extends vscode.Disposable {
  /** For the gutter. */
  originalUri(file: vscode.Uri): vscode.Uri;
  /** The two sides of one change. What is there now is shown as it is, unless later changes stand on this one. */
  sidesOf(change: ListedChange, all: readonly ListedChange[]): Sides;
}

export interface Sides {
  readonly file: vscode.Uri;
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
  readonly isNew: boolean;
  readonly isGone: boolean;
}

export function createChangeTexts(changes: Changes): ChangeTexts {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const timers = new Map<string, NodeJS.Timeout>();

  const originals = () =>
    vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === originalScheme).map(({ uri }) => uri);

  const subscriptions = [
    changed,
    vscode.workspace.registerTextDocumentContentProvider(originalScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent(uri) {
        const document = await vscode.workspace.openTextDocument(fileOf(uri));
        const text = document.getText();
        const place = await realPlaceOf(document.uri);
        return (place && (await changes.original(place, text))?.text) ?? text;
      },
    }),
    vscode.workspace.registerTextDocumentContentProvider(changeScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent({ query }) {
        const { id, side } = parsed(query);
        const change = await changes.get(id);
        return change ? openTexts(change)[side] : '';
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      const original = originals().find((uri) => fileOf(uri).toString() === key);
      if (!original) return;
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => {
          timers.delete(key);
          changed.fire(original);
        }, quietMs),
      );
    }),
    changes.onDidChange(() => {
      for (const { uri } of vscode.workspace.textDocuments)
        if (uri.scheme === originalScheme || uri.scheme === changeScheme) changed.fire(uri);
    }),
  ];

  const sideUri = (change: ListedChange, side: 'before' | 'after') =>
    vscode.Uri.from({
      scheme: changeScheme,
      // Where the path is another one, VS Code shows a file as renamed.
      path: uriOf(change.place).path,
      query: JSON.stringify({ id: change.id, side }),
    });

  return {
    originalUri: (file) =>
      vscode.Uri.from({ scheme: originalScheme, path: file.path, query: file.toString() }),
    sidesOf(change, all) {
      const { kind, place } = change;
      const file = uriOf(place);
      const isLast = !all.some(
        (one) => one.id > change.id && uriOf(one.place).toString() === file.toString(),
      );
      const left = kind === 'rename' ? file : sideUri(change, 'before');
      const isThere = kind !== 'delete' && isLast;
      const right = isThere ? file : sideUri(change, 'after');
      return { file, left, right, isNew: kind === 'create', isGone: kind === 'delete' };
    },
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function fileOf({ query }: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(query);
}

function parsed(query: string): { readonly id: number; readonly side: 'before' | 'after' } {
  const [, id = '', side = ''] = /"id":(\d+),"side":"(\w+)"/.exec(query) ?? [];
  return { id: Number(id), side: side === 'after' ? 'after' : 'before' };
}
