import * as l10n from '@vscode/l10n';
import { blocksOf, callsIn, failedCalls } from '../../messages';
import { wordList } from '../../text/joined';
import { codeSpan } from '../../text/markdown';
import { visibleLine } from '../../text/plainText';
import type { Changes, UndoReport } from '../../tools/changes/changes';
import type { ListedChange } from '../../tools/changes/fileChange';
import { filesOfCall } from '../../tools/toolset';
import type { Place } from '../../tools/workspace';
import type { StoredTurn } from '../turn';

/** What turns that the user took back have left in files. VS Code's own restore does not know of it (C5). */
export interface RewoundFiles {
  /** What is still to be judged. */
  readonly changes: readonly ListedChange[];
  /** Changed as well, and judged already. */
  readonly judged: readonly string[];
}

/** Undefined when they changed no files. */
export async function rewoundFiles(
  cut: readonly StoredTurn[],
  known: Pick<Changes, 'list'>,
  show: Show,
): Promise<RewoundFiles | undefined> {
  const changed = new Set(cut.flatMap(changedBy));
  const isCut = new Set(cut.map(({ id }) => id));
  const changes = (changed.size > 0 ? await known.list() : []).filter(({ turnId }) => isCut.has(turnId));
  for (const path of pathsIn(changes, show)) changed.delete(path);
  return changes.length + changed.size > 0 ? { changes, judged: [...changed] } : undefined;
}

type Show = (place: Place) => string;

/** The card that offers to put the files back. */
export function undoQuestion(
  { changes }: RewoundFiles,
  show: Show,
): { readonly title: string; readonly message: string; readonly summary: string } {
  const paths = pathsIn(changes, show);
  const title =
    paths.length === 1
      ? l10n.t('Undo the change to 1 file as well?')
      : l10n.t('Undo the changes to {0} files as well?', paths.length);
  const why = l10n.t('You removed turns in which Claude edited files. Those edits are still in place:');
  return {
    title,
    message: [why, paths.map((path) => `- ${codeSpan(path)}`).join('\n')].join('\n\n'),
    summary: [why, ...paths.map(visibleLine)].join('\n'),
  };
}

/** What became of the files, for Claude: it no longer sees the turns that changed them. */
export function rewoundContext(
  { changes, judged }: RewoundFiles,
  report: UndoReport | undefined,
  show: Show,
): string {
  const undone = pathsIn(report?.undone ?? [], show);
  const kept = report ? report.refused.map(({ change }) => change) : changes;
  const left = [...new Set([...pathsIn(kept, show), ...judged])];
  return [
    '<taken_back>',
    'The person took back turns of this conversation in which you had changed files; you no longer see those turns.',
    ...(undone.length > 0 ? [`Put back as they were before: ${listed(undone)}.`] : []),
    ...(left.length > 0 ? [`As those turns left them, or as the person did since: ${listed(left)}.`] : []),
    '</taken_back>',
  ].join('\n');
}

/** What the user has to know: what was put back, and what could not be and why. */
export function rewoundNotices(report: UndoReport | undefined, show: Show): readonly string[] {
  const undone = wordList(pathsIn(report?.undone ?? [], show));
  const refused = (report?.refused ?? []).map(({ change, why }) =>
    l10n.t('{0} was not put back: {1}.', wordList(pathsIn([change], show)), why),
  );
  return [...(undone === '' ? [] : [l10n.t('Put back as before: {0}.', undone)]), ...refused];
}

function changedBy({ messages }: StoredTurn): readonly string[] {
  const failed = failedCalls(messages);
  return callsIn(messages.flatMap(blocksOf)).flatMap((call) => {
    const files = failed.has(call.id) ? undefined : filesOfCall(call);
    return files?.use === 'changes' ? files.paths : [];
  });
}

function pathsIn(changes: readonly ListedChange[], show: Show): readonly string[] {
  const places = changes.flatMap(({ from, place }) => (from ? [from, place] : [place]));
  return [...new Set(places.map(show))];
}

/** As JSON: a file name stays a name whatever it says. */
function listed(paths: readonly string[]): string {
  return paths.map((path) => JSON.stringify(path).replaceAll('<', '\\u003c')).join(', ');
}
