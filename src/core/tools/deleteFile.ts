import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { fileSize } from '../text/figures';
import { codeSpan } from '../text/markdown';
import { confirmChange } from './confirmation';
import { objectOf, string } from './inputSchema';
import type { AllowedPlace } from './paths/pathPolicy';
import { readWholeText, showSize, wholeFileLimit, type WholeText } from './readText';
import { isSamePlace, isWithin, type Place, type Workspace } from './workspace';
import { defineTool, touching, unlessRefused, type ToolContext } from './workspaceTool';

interface Input {
  readonly path: string;
}

const countLimit = 10_000;

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
    const { place, shown, isSecret } = allowed;
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
        const isKept = kind === 'file' && !isLink && size <= wholeFileLimit;
        const kept = isKept ? await textOf(workspace, allowed, running) : undefined;
        const change = { kind: 'delete', place } as const;
        const before = { before: kept?.text, encoding: kept?.encoding };
        const outcome = await changes.record(caller, { ...change, ...before, isSecret }, async () => ({
          outcome: await workspace.apply(change, running),
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
  allowed: AllowedPlace,
  signal: AbortSignal,
): Promise<WholeText | undefined> {
  const whole = await unlessRefused(readWholeText(workspace, allowed, signal));
  return whole?.isExact ? whole : undefined;
}
