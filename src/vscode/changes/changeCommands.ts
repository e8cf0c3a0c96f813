import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { countedChanges, undoProblem } from '../../core/tools/changes/changeReport';
import type { UndoReport } from '../../core/tools/changes/changes';
import type { ListedChange } from '../../core/tools/changes/fileChange';
import type { LineRange } from '../../core/tools/changes/hunks';
import { showPlace } from '../../core/tools/paths/parsePath';
import { createRegisterCommand } from '../commands';
import { askInDialog, inform, warn } from '../notify';
import { placeOf, readFolders, realPlaceOf } from '../tools/places';
import { createChangesView, type ChangedFile, type ChangesViewOptions } from './changesView';
import { createChangeTexts } from './changeTexts';
import { createReviews, reviewTitle } from './reviews';

type ChangesOptions = Omit<ChangesViewOptions, 'texts'>;

/** A row of Source Control; from the title of a review something else, or nothing. */
type ChosenTurn = vscode.SourceControlResourceGroup | vscode.Uri | undefined;

/** All that people do with the changes of Claude: the list, the gutter, the diffs, Keep and Undo. */
export function registerChanges({ changes, ...options }: ChangesOptions): vscode.Disposable {
  const { log } = options;
  const command = createRegisterCommand(log);
  const texts = createChangeTexts(changes);
  const view = createChangesView({ changes, texts, ...options });
  const reviews = createReviews();
  const { signal } = new AbortController();

  const ofTurn = async (turnId: string) =>
    (await changes.list()).filter((change) => change.turnId === turnId);

  async function openChange(id: number): Promise<void> {
    const all = await changes.list();
    const change = all.find((one) => one.id === id);
    if (!change) return tellJudged();
    const { left, right } = texts.sidesOf(change, all);
    if (change.kind === 'rename' || !change.canBeUndone) {
      await vscode.commands.executeCommand('vscode.open', right);
      return;
    }
    const name = show(change).split('/').at(-1) ?? '';
    await vscode.commands.executeCommand('vscode.diff', left, right, l10n.t('{0} (by Claude)', name));
  }

  /** From the title of a review VS Code hands over nothing that tells its turn. */
  function turnOf(chosen: ChosenTurn): string {
    return (chosen && 'id' in chosen ? chosen.id : reviews.shownTurn()) ?? '';
  }

  /** One diff over all files. */
  async function review(all: readonly ListedChange[]): Promise<void> {
    const [first] = all;
    if (!first) return tellJudged();
    const resources = all
      .filter(({ kind, canBeUndone }) => kind !== 'rename' && canBeUndone)
      .map((change) => texts.sidesOf(change, view.listed()))
      .map(({ file, left, right, isNew, isGone }) => [
        file,
        isNew ? undefined : left,
        isGone ? undefined : right,
      ]);
    const isOneTurn = all.every(({ turnId }) => turnId === first.turnId);
    const title = reviewTitle(isOneTurn ? first.words : '');
    if (resources.length > 0) await reviews.show(title, resources, isOneTurn ? first.turnId : undefined);
    else await vscode.commands.executeCommand('workbench.view.scm');
  }

  async function undo(all: readonly ListedChange[]): Promise<void> {
    if (all.length === 0) return tellJudged();
    await tell(await changes.undo(idsOf(all), signal));
  }

  /** Wherever it was judged. What could not be undone stays in its review. */
  async function closeJudged(): Promise<void> {
    const left = await changes.list();
    await reviews.close((turnId) => !left.some((one) => turnId === undefined || one.turnId === turnId));
  }

  /** Where something was not undone, the diff shows why. */
  async function tell(report: UndoReport): Promise<void> {
    const problem = undoProblem(report, show);
    const [refused] = report.refused;
    if (problem === undefined || !refused) return;
    void openChange(refused.change.id).catch((error: unknown) => log.error('a diff cannot be shown', error));
    await warn(problem);
  }

  return vscode.Disposable.from(
    texts,
    view,
    reviews,
    changes.onDidChange(() => {
      void closeJudged().catch((error: unknown) => log.error('a review cannot be closed', error));
    }),
    command('openChange', openChange),
    command('reviewChanges', async (turnId?: string) =>
      review(typeof turnId === 'string' ? await ofTurn(turnId) : await changes.list()),
    ),
    command('reviewTurn', async ({ id }: vscode.SourceControlResourceGroup) => review(await ofTurn(id))),
    command('keepFile', async (...files: readonly ChangedFile[]) =>
      changes.keep(idsOf(files.map(({ change }) => change))),
    ),
    command('undoFile', async (...files: readonly ChangedFile[]) => undo(files.map(({ change }) => change))),
    command('openChangedFile', async ({ resourceUri }: ChangedFile) => {
      await vscode.commands.executeCommand('vscode.open', resourceUri);
    }),
    command('keepTurn', async (chosen: ChosenTurn) => changes.keep(idsOf(await ofTurn(turnOf(chosen))))),
    command('undoTurn', async (chosen: ChosenTurn) => undo(await ofTurn(turnOf(chosen)))),
    command('keepAllChanges', async () => {
      const all = await changes.list();
      if (all.length === 0) await tellJudged();
      else await changes.keep(idsOf(all));
    }),
    command('undoAllChanges', async () => {
      const all = await changes.list();
      const question = l10n.t('Undo all changes by Claude ({0})?', countedChanges(all));
      if (all.length === 0 || (await isSure(question, l10n.t('Undo All')))) await undo(all);
    }),
    command('keepHunk', async (uri: vscode.Uri, lines: readonly LineChange[], index: number) => {
      const judged = await inEditor(uri, lines, index);
      if (judged) await changes.keepLines(judged);
    }),
    command('undoHunk', async (uri: vscode.Uri, lines: readonly LineChange[], index: number) => {
      const judged = await inEditor(uri, lines, index);
      if (judged) await tell(await changes.undoLines(judged, signal));
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        const [from, to] = [placeOf(oldUri), placeOf(newUri)];
        const isListed = view.listed().length > 0;
        if (from && to && isListed)
          void changes.moved(from, to).catch((error: unknown) => log.error('a change cannot follow', error));
      }
    }),
  );
}

async function tellJudged(): Promise<void> {
  await inform(l10n.t('There is nothing left to review: these changes were kept or undone.'));
}

/** A hunk as VS Code hands it to a command of the gutter. Lines count from 1; an end of 0 means that there are none. */
interface LineChange {
  readonly originalStartLineNumber: number;
  readonly originalEndLineNumber: number;
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

function toRange(start: number, end: number): LineRange {
  return end === 0 ? { start, end: start } : { start: start - 1, end };
}

function idsOf(all: readonly ListedChange[]): readonly number[] {
  return all.map(({ id }) => id);
}

function show({ place }: ListedChange): string {
  return showPlace(place, readFolders());
}

async function isSure(question: string, yes: string): Promise<boolean> {
  return (await askInDialog(question, '', yes)) === yes;
}

async function inEditor(uri: vscode.Uri, lines: readonly LineChange[], index: number) {
  const line = lines[index];
  const document = await vscode.workspace.openTextDocument(uri);
  const place = await realPlaceOf(uri);
  return (
    line &&
    place && {
      place,
      text: document.getText(),
      range: toRange(line.originalStartLineNumber, line.originalEndLineNumber),
      shown: toRange(line.modifiedStartLineNumber, line.modifiedEndLineNumber),
    }
  );
}
