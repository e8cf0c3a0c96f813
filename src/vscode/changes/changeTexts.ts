import * as vscode from 'vscode';
import type { Changes } from '../../core/tools/changes/changes';
import { openTexts, type FileChange, type ListedChange } from '../../core/tools/changes/fileChange';
import { textWithout } from '../../core/tools/changes/judge';
import { realPlaceOf, uriOf } from '../tools/places';

/** What the gutter compares a file with; `package.json` knows it by this name. */
const originalScheme = 'assistant-original';
const changeScheme = 'assistant-change';

/** `beside`: what is there now without the change, to compare that with. */
type Side = 'before' | 'beside' | 'after';

/** How long after the last key the gutter and a diff follow. */
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

  /** Those that are made of what is in a document now. */
  const madeOf = ({ uri: file }: vscode.TextDocument) =>
    vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter((uri) =>
        uri.scheme === originalScheme
          ? fileOf(uri).toString() === file.toString()
          : uri.scheme === changeScheme && uri.path === file.path && parsed(uri.query).side === 'beside',
      );

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
        return change ? sideOf(change, side) : '';
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      if (madeOf(document).length === 0) return;
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => {
          timers.delete(key);
          for (const uri of madeOf(document)) changed.fire(uri);
        }, quietMs),
      );
    }),
    changes.onDidChange(() => {
      for (const { uri } of vscode.workspace.textDocuments)
        if (uri.scheme === originalScheme || uri.scheme === changeScheme) changed.fire(uri);
    }),
  ];

  const sideUri = (change: ListedChange, side: Side) =>
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
      const isThere = kind !== 'delete' && isLast;
      const left =
        kind === 'rename' ? file : sideUri(change, isThere && kind === 'edit' ? 'beside' : 'before');
      const right = isThere ? file : sideUri(change, 'after');
      return { file, left, right, isNew: kind === 'create', isGone: kind === 'delete' };
    },
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

async function sideOf(change: FileChange, side: Side): Promise<string> {
  if (side !== 'beside') return openTexts(change)[side];
  const document = await vscode.workspace
    .openTextDocument(uriOf(change.place))
    .then(undefined, () => undefined);
  return document ? textWithout(change, document.getText()) : openTexts(change).before;
}

function fileOf({ query }: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(query);
}

function parsed(query: string): { readonly id: number; readonly side: Side } {
  const [, id = '', side = ''] = /"id":(\d+),"side":"(\w+)"/.exec(query) ?? [];
  return { id: Number(id), side: side === 'after' || side === 'beside' ? side : 'before' };
}
