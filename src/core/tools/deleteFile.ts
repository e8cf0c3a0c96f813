import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { confirmChange } from './confirmation';
import { codeSpan } from './literalText';
import type { AllowedPlace } from './paths/pathPolicy';
import { readWholeText, showSize, wholeFileLimit, type WholeText } from './readText';
import { isSamePlace, isWithin } from './workspace';
import { defineTool, type ToolContext, type WorkspaceTool } from './workspaceTool';

interface Input {
  readonly path: string;
}

const countLimit = 10_000;

interface FileCount {
  readonly count: number;
  readonly isAll: boolean;
}

export function createDeleteFile({ workspace, policy, known, onChange }: ToolContext): WorkspaceTool {
  return defineTool<Input>({
    name: 'delete_file',
    title: l10n.t('Delete File'),
    description:
      'Delete a file, or a folder with all that is in it, from the workspace; it goes to the trash where there is one. ' +
      'The person is asked and may refuse.',
    effect: 'writes',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Relative to the workspace folder.' } },
      required: ['path'],
      additionalProperties: false,
    },
    async prepare(input, signal) {
      const { allowed, size, files } = await plan(input, signal);
      return {
        progress: l10n.t('Deleting {0}', codeSpan(allowed.shown)),
        confirmation: confirmChange({
          verb: 'Delete',
          places: [allowed],
          before: '',
          after: '',
          notes: [whatGoes(codeSpan(allowed.shown), size, files)],
          isGrave: true,
        }),
      };
    },
    async run(input, callId, signal) {
      const { allowed, kind, size, files } = await plan(input, signal);
      const kept = kind === 'file' && size <= wholeFileLimit ? await textOf(allowed, signal) : undefined;
      const change = { kind: 'delete', place: allowed.place } as const;
      const outcome = await workspace.apply(change, signal);
      if (outcome.kind === 'refused')
        throw new ToolError(`${allowed.shown} was not deleted: ${outcome.why}.`);
      known.forget(allowed.place);
      onChange({ callId, change, before: kept?.text, after: undefined, encoding: kept?.encoding });
      const what =
        files === undefined
          ? showSize(size)
          : `a folder with ${files.isAll ? '' : 'more than '}${files.count} files`;
      return { content: `Deleted ${allowed.shown} (${what}).` };
    },
  });

  async function plan({ path }: Input, signal: AbortSignal) {
    const allowed = await policy.forMoving(path, signal);
    const { place, shown } = allowed;
    const status = await workspace.stat(place, signal);
    if (status === undefined) throw new ToolError(`${shown} does not exist: there is nothing to delete.`);
    await refuseUnsaved(allowed, signal);
    const files = status.kind === 'folder' ? await countFiles(allowed, signal) : undefined;
    return { allowed, kind: status.kind, size: status.size, files };
  }

  /** VS Code would throw away what is not saved, of all files in a folder, too. */
  async function refuseUnsaved({ place, shown }: AllowedPlace, signal: AbortSignal): Promise<void> {
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

  async function countFiles({ place }: AllowedPlace, signal: AbortSignal): Promise<FileCount> {
    let count = 0;
    const end = await workspace.findFiles(
      { within: [place], include: [], exclude: [], isIgnoredIncluded: true, limit: countLimit },
      () => count++,
      signal,
    );
    return { count, isAll: end === 'complete' };
  }

  /** Undefined for what is not text, or could not be written back as it was: only the trash can bring it back. */
  async function textOf(allowed: AllowedPlace, signal: AbortSignal): Promise<WholeText | undefined> {
    try {
      const whole = await readWholeText(workspace, allowed, signal);
      return whole.isExact ? whole : undefined;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }
}

function whatGoes(name: string, size: number, files: FileCount | undefined): string {
  if (files === undefined) return l10n.t('Deletes {0} ({1}).', name, showSize(size));
  return files.isAll
    ? l10n.t('Deletes {0} (a folder with {1} files).', name, files.count)
    : l10n.t('Deletes {0} (a folder with more than {1} files).', name, files.count);
}
