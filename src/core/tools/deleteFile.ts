import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { fileSize } from '../text/figures';
import { codeSpan } from '../text/markdown';
import { maxTotalSize, type PlannedChange } from './changes/changeRows';
import { confirmChange } from './confirmation';
import { objectOf, string } from './inputSchema';
import type { AllowedPlace, PathPolicy } from './paths/pathPolicy';
import { readWholeText, showSize, type WholeText } from './readText';
import { isSamePlace, isWithin, type Place, type Workspace } from './workspace';
import { defineTool, touching, unlessRefused, type ToolContext } from './workspaceTool';

interface Input {
  readonly path: string;
}

const countLimit = 10_000;
/** Of a larger folder nobody looks through the list. */
const mostKept = 1_000;

export const deleteFile = defineTool<Input>({
  name: 'delete_file',
  title: () => l10n.t('Delete File'),
  description:
    'Delete a file, or a folder with all that is in it, from the workspace; it goes to the trash where there is one. ' +
    'The person is asked and may refuse.',
  effect: 'writes',
  files: { use: 'changes', inputs: ['path'] },
  inputSchema: objectOf({ path: string('Relative to the workspace folder.') }),
  async prepare({ path }, context, signal) {
    const { workspace, policy, known, changes } = context;
    const allowed = await policy.forMoving(path, signal);
    const { place, shown } = allowed;
    const status = await workspace.stat(place, signal);
    if (status === undefined) throw new ToolError(`${shown} does not exist: there is nothing to delete.`);
    await refuseUnsaved(allowed, context, signal);
    const { kind, size } = status;
    const files = kind === 'folder' ? await countFiles(workspace, place, signal) : undefined;
    return {
      progress: l10n.t('Deleting {0}', codeSpan(shown)),
      touches: {
        places: [...touching(allowed).places, ...(files?.places ?? [])],
        isAll: files?.isAll ?? true,
      },
      confirmation: confirmChange({
        verb: 'Delete',
        places: [allowed],
        notes: [whatGoes(codeSpan(shown), size, files)],
        alwaysConfirm: true,
      }),
      async run(caller, running) {
        // A copy of what a link leads to would bring back a file and no link.
        const isLink = !isSamePlace((await policy.forReading(path, running)).place, place);
        const gone = isLink ? [] : files === undefined ? [allowed] : filesToKeep(files, allowed, policy);
        const planned = gone.length > 0 ? await withTexts(gone, workspace, running) : [deletionOf(allowed)];
        const outcome = await changes.recordAll(caller, planned, async () => ({
          outcome: await workspace.apply({ kind: 'delete', place }, running),
        }));
        if (outcome.kind === 'refused') throw new ToolError(`${shown} was not deleted: ${outcome.why}.`);
        known.forget(place);
        const what =
          files === undefined
            ? showSize(size)
            : `a folder with ${files.isAll ? '' : 'more than '}${files.count} files`;
        return { content: `Deleted ${shown} (${what}).` };
      },
    };
  },
});

/** VS Code would throw away what is not saved, of all files in a folder, too. */
async function refuseUnsaved(
  { place, shown }: AllowedPlace,
  { workspace, policy }: ToolContext,
  signal: AbortSignal,
): Promise<void> {
  const editors = await workspace.unsavedEditors(signal);
  const lost = editors.find(
    (editor) =>
      isWithin(place, editor.place) || (editor.named !== undefined && isWithin(place, editor.named)),
  );
  if (lost === undefined) return;
  const file = isSamePlace(lost.place, place) ? shown : `${policy.show(lost.place)}, which is in ${shown},`;
  throw new ToolError(
    `${file} has unsaved changes in the editor: ask the person to save or discard them first.`,
  );
}

interface FileCount {
  readonly count: number;
  readonly isAll: boolean;
  readonly places: readonly (readonly Place[])[];
}

function whatGoes(name: string, size: number, files: FileCount | undefined): string {
  if (files === undefined) return l10n.t('Deletes {0} ({1}).', name, fileSize(size));
  if (files.isAll && files.count === 1) return l10n.t('Deletes {0} (a folder with 1 file).', name);
  return files.isAll
    ? l10n.t('Deletes {0} (a folder with {1} files).', name, files.count)
    : l10n.t('Deletes {0} (a folder with more than {1} files).', name, files.count);
}

type GoneFile = Pick<AllowedPlace, 'place' | 'shown' | 'isSecret'>;

/** What is in a folder, each to be judged by itself (C1); none where that would be too many. */
function filesToKeep(
  { places, isAll }: FileCount,
  { isSecret }: AllowedPlace,
  policy: PathPolicy,
): readonly GoneFile[] {
  if (!isAll || places.length > mostKept) return [];
  const secrets = policy.secrets();
  return places.flat().map((place) => {
    return { place, shown: policy.show(place), isSecret: isSecret || secrets.has(place) };
  });
}

async function withTexts(
  files: readonly GoneFile[],
  workspace: Workspace,
  signal: AbortSignal,
): Promise<readonly PlannedChange[]> {
  const planned: PlannedChange[] = [];
  let room = maxTotalSize;
  // One after another: all at once could fill the memory.
  for (const file of files) {
    const kept = room > 0 ? await textOf(workspace, file, signal) : undefined;
    room -= kept?.text.length ?? 0;
    planned.push({ ...deletionOf(file), before: kept?.text, encoding: kept?.encoding });
  }
  return planned;
}

function deletionOf({ place, isSecret }: GoneFile): PlannedChange {
  return { kind: 'delete', place, isSecret };
}

async function countFiles(workspace: Workspace, place: Place, signal: AbortSignal): Promise<FileCount> {
  const places: Place[][] = [];
  const end = await workspace.findFiles(
    { within: [place], include: [], exclude: [], isIgnoredIncluded: true, limit: countLimit },
    (file) => void places.push([file]),
    signal,
  );
  return { count: places.length, isAll: end === 'complete', places };
}

/** Undefined for what is not text, or could not be written back as it was: only the trash can bring it back. */
async function textOf(
  workspace: Workspace,
  allowed: GoneFile,
  signal: AbortSignal,
): Promise<WholeText | undefined> {
  const whole = await unlessRefused(readWholeText(workspace, allowed, signal));
  return whole?.isExact ? whole : undefined;
}
