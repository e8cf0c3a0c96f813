import * as l10n from '@vscode/l10n';
import { blocksOf, callsIn, failedCalls, type ToolUseBlock } from '../../messages';
import { codeSpan } from '../../text/markdown';
import { visibleLine } from '../../text/plainText';
import type { FileChanges, UndoReport } from '../../tools/fileChanges';
import { placesOf } from '../../tools/keptChanges';
import { filesOfCall } from '../../tools/toolset';
import type { Place } from '../../tools/workspace';
import type { FileChange } from '../../tools/workspaceTool';
import type { StoredTurn } from '../turn';

/** What turns that the user took back have left in files. VS Code's own restore does not know of it. */
export interface RewoundFiles {
  readonly callIds: readonly string[];
  /** What can still be put back. */
  readonly changes: readonly FileChange[];
  /** Changed as well, but what was there before is no longer known. */
  readonly unknown: readonly string[];
}

/** Undefined when they changed no files. */
export async function rewoundFiles(
  cut: readonly StoredTurn[],
  journal: Pick<FileChanges, 'changesOf'>,
): Promise<RewoundFiles | undefined> {
  const calls = cut.flatMap(succeededCalls);
  const callIds = calls.map(({ id }) => id);
  const changes = await journal.changesOf(callIds);
  const isKnown = ({ id }: ToolUseBlock) => changes.some(({ callId }) => callId === id);
  const unknown = new Set(
    calls.filter((call) => !isKnown(call)).flatMap((call) => filesOfCall(call)?.paths ?? []),
  );
  return changes.length > 0 || unknown.size > 0 ? { callIds, changes, unknown: [...unknown] } : undefined;
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
  { changes, unknown }: RewoundFiles,
  report: UndoReport | undefined,
  show: Show,
): string {
  const undone = pathsIn(report?.undone ?? [], show);
  const kept = report ? report.kept.map(({ change }) => change) : changes;
  const changed = [...new Set([...pathsIn(kept, show), ...unknown])];
  return [
    '<taken_back>',
    'The person took back turns of this conversation in which you had changed files; you no longer see those turns.',
    ...(undone.length > 0 ? [`Put back as they were before: ${listed(undone)}.`] : []),
    ...(changed.length > 0 ? [`Still as those turns left them: ${listed(changed)}.`] : []),
    '</taken_back>',
  ].join('\n');
}

/** What the user has to know: what was put back, and what could not be and why. */
export function rewoundNotices(
  { unknown }: RewoundFiles,
  report: UndoReport | undefined,
  show: Show,
): readonly string[] {
  const undone = pathsIn(report?.undone ?? [], show).join(', ');
  const kept = (report?.kept ?? []).map(({ change, why }) =>
    l10n.t('{0} was not put back: {1}.', pathsIn([change], show).join(', '), why),
  );
  const left = l10n.t(
    'Still changed by turns that were taken back, since what was there before is no longer known: {0}.',
    unknown.join(', '),
  );
  return [
    ...(undone === '' ? [] : [l10n.t('Put back as before: {0}.', undone)]),
    ...kept,
    ...(unknown.length === 0 ? [] : [left]),
  ];
}

function succeededCalls({ messages }: StoredTurn): readonly ToolUseBlock[] {
  const failed = failedCalls(messages);
  return callsIn(messages.flatMap(blocksOf)).filter(
    (call) => filesOfCall(call)?.use === 'changes' && !failed.has(call.id),
  );
}

function pathsIn(changes: readonly FileChange[], show: Show): readonly string[] {
  const places = changes.flatMap(placesOf);
  return [...new Set(places.map(show))];
}

/** As JSON: a file name stays a name whatever it says. */
function listed(paths: readonly string[]): string {
  return paths.map((path) => JSON.stringify(path).replaceAll('<', '\\u003c')).join(', ');
}
