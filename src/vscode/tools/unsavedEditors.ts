import * as vscode from 'vscode';
import { isSamePlace, type Place, type UnsavedEditor } from '../../core/tools/workspace';
import { placeOf, realPlaceOf } from './places';

/** All editors of files in the workspace with changes that are not on disk, by whatever path they were opened. */
export async function readUnsaved(): Promise<readonly UnsavedEditor[]> {
  const editors = [
    ...unsavedDocuments().map((document) => ({
      uri: document.uri,
      text: document.getText(),
      encoding: document.encoding,
    })),
    ...unsavedOthers().map((uri) => ({ uri, text: undefined, encoding: undefined })),
  ];
  const found = await Promise.all(
    editors.map(async ({ uri, text, encoding }) => {
      const place = await realPlaceOf(uri);
      return place === undefined ? [] : [{ place, named: placeOf(uri), text, encoding }];
    }),
  );
  return found.flat();
}

/** The document that the person has changed and not saved, by whatever path it was opened. */
export async function unsavedDocumentAt(place: Place): Promise<vscode.TextDocument | undefined> {
  for (const document of unsavedDocuments()) {
    const at = await realPlaceOf(document.uri);
    if (at !== undefined && isSamePlace(at, place)) return document;
  }
  return undefined;
}

function unsavedDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ isDirty, isClosed }) => isDirty && !isClosed);
}

/** Notebooks, and what extensions show in editors of their own. */
function unsavedOthers(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ isDirty, input }) =>
      isDirty && (input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom)
        ? [input.uri]
        : [],
    );
}
