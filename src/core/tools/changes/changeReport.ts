import * as l10n from '@vscode/l10n';
import { ellipsize } from '../../text/cutText';
import { paragraph } from '../../text/joined';
import type { UndoReport } from './changes';
import type { ListedChange } from './fileChange';

/** `4 files, +62 −18`, below an answer (C2). */
export function countedChanges(changes: readonly ListedChange[]): string {
  const files = new Set(changes.map(({ place }) => `${place.folder.root}/${place.path}`)).size;
  const lines = countedLines(changes);
  return files === 1 ? l10n.t('1 file, {0}', lines) : l10n.t('{0} files, {1}', files, lines);
}

function countedLines(changes: readonly ListedChange[]): string {
  const total = (key: 'added' | 'removed') => changes.reduce((sum, change) => sum + change[key], 0);
  return `+${total('added')} −${total('removed')}`;
}

/** What a turn is called in the list, where room is short. */
export function titleOfTurn(changes: readonly ListedChange[], formatTime: (at: number) => string): string {
  const [first] = changes;
  if (!first) return '';
  const name = first.words === '' ? l10n.t('Turn of {0}', formatTime(first.at)) : ellipsize(first.words, 60);
  return `${name} · ${countedLines(changes)}`;
}

/** What happened to a file, in a few words. */
export function describeChange(change: ListedChange): string {
  const { kind, from, added, removed, canBeUndone } = change;
  const what = {
    edit: () => l10n.t('Edited, +{0} −{1}', added, removed),
    create: () => l10n.t('Created, +{0}', added),
    delete: () => l10n.t('Deleted, −{0}', removed),
    rename: () => l10n.t('Renamed from {0}', from?.path ?? ''),
  }[kind]();
  return canBeUndone
    ? what
    : l10n.t('{0}. It cannot be undone here: no copy of the text before was kept.', what);
}

/** What could not be undone and why; nothing when all was. */
export function undoProblem(
  { undone, refused }: UndoReport,
  show: (change: ListedChange) => string,
): string | undefined {
  const [first] = refused;
  if (!first) return undefined;
  const sentence = l10n.t('{0} was not undone: {1}.', show(first.change), first.why);
  const done = undone.length === 0 ? [] : [l10n.t('Everything else was undone.')];
  return paragraph([sentence, ...othersRefused(refused.length - 1), ...done]);
}

function othersRefused(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t('1 other file was not undone either.')
      : l10n.t('{0} other files were not undone either.', count),
  ];
}
