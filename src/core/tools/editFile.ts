import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { confirmChange } from './confirmation';
import { unifiedDiff } from './lineDiff';
import { codeSpan } from './literalText';
import type { AllowedPlace } from './paths/pathPolicy';
import { readWholeText } from './readText';
import { refuseUnwritable } from './refuseUnwritable';
import { replaceText, type Replacement } from './replaceText';
import { isSamePlace } from './workspace';
import { defineTool, openable, type ToolContext, type WorkspaceTool } from './workspaceTool';

interface Input {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

const shownDiff = 4_000;

export function createEditFile({ workspace, policy, known, onChange }: ToolContext): WorkspaceTool {
  return defineTool<Input>({
    name: 'edit_file',
    title: l10n.t('Edit File'),
    description:
      'Change a text file of the workspace by replacing exact pieces of its text. Read the file first. Make all changes ' +
      'to one file in one call: the person sees the diff of each call and may refuse it. They are made together or, if ' +
      'one does not fit, not at all; each applies to what the edits before it left. Back comes the diff of what was ' +
      'changed. To make a new file use create_file.',
    effect: 'writes',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the workspace folder.' },
        edits: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              old_text: {
                type: 'string',
                description:
                  'The text to replace, exactly as in the file with all white space and without line numbers. It must ' +
                  'occur once: take in lines around it until it does.',
              },
              new_text: { type: 'string', description: 'What to put in its place; empty to delete it.' },
              replace_all: { type: 'boolean', description: 'Replace every occurrence. Default: false.' },
            },
            required: ['old_text', 'new_text'],
            additionalProperties: false,
          },
        },
      },
      required: ['path', 'edits'],
      additionalProperties: false,
    },
    async prepare(input, signal) {
      const { allowed, before, after } = await plan(input, signal);
      return {
        progress: l10n.t('Editing {0}', codeSpan(allowed.shown)),
        confirmation: confirmChange({ verb: 'Edit', places: [allowed], before, after }),
      };
    },
    async run(input, callId, signal) {
      const { allowed, before, after, encoding } = await plan(input, signal);
      const { place, shown } = allowed;
      const change = { kind: 'edit', place, before, after, encoding } as const;
      const outcome = await workspace.apply(change, signal);
      if (outcome.kind === 'refused') {
        throw new ToolError(`${shown} was not changed: ${outcome.why}. Read it again, then edit.`);
      }
      const { text: result } = await readWholeText(workspace, allowed, signal);
      known.saw(place, result);
      onChange({ callId, change, before, after: result, encoding });
      const notes = [
        ...(outcome.kind === 'left-unsaved'
          ? [
              'The editor had unsaved changes of the person, so that the edit is in the editor and not saved to disk.',
            ]
          : []),
        ...(result === after
          ? []
          : ['On saving, the editor changed the text further: read it before the next edit.']),
      ];
      return {
        content: [`Edited ${shown}.`, ...notes, describe(allowed, before, after)].join('\n').trimEnd(),
        ...openable(allowed),
      };
    },
  });

  async function plan({ path, edits }: Input, signal: AbortSignal) {
    const allowed = await policy.forWriting(path, signal);
    await refuseForeignEditor(allowed, signal);
    const { text: before, encoding, isExact } = await readWholeText(workspace, allowed, signal);
    if (!isExact) throw damaging(allowed, encoding);
    if (!known.isCurrent(allowed.place, before)) {
      throw new ToolError(
        `${allowed.shown} has changed since you read it. Read it again, then make the edit fit what is there now.`,
      );
    }
    const after = replaceText(before, edits, allowed);
    await refuseUnwritable(workspace, allowed, { text: after, encoding });
    return { allowed, before, after, encoding };
  }

  /** A notebook, say: its unsaved changes would be lost, or overwrite the edit. */
  async function refuseForeignEditor({ place, shown }: AllowedPlace, signal: AbortSignal): Promise<void> {
    const editors = await workspace.unsavedEditors(signal);
    if (editors.some((editor) => editor.text === undefined && isSamePlace(editor.place, place))) {
      throw new ToolError(
        `${shown} has unsaved changes in an editor that does not show it as text: ask the person to save or discard them first.`,
      );
    }
  }
}

function damaging({ shown }: AllowedPlace, encoding: string): ToolError {
  return new ToolError(
    `${shown} cannot be edited without damage: the editor reads it as ${encoding}, and writing it so would change bytes ` +
      'that the edit does not touch. Ask the person to set files.encoding to what it is (windows1252, shiftjis …), or to ' +
      'reopen the file with its encoding; then read it again.',
  );
}

/** A secret file is not shown around its edit: the person agreed to the change, not to reading it. */
function describe({ isSecret }: AllowedPlace, before: string, after: string): string {
  if (isSecret) return '';
  const diff = unifiedDiff(before, after);
  if (diff.length <= shownDiff) return diff;
  return `${diff.slice(0, shownDiff)}\n[The diff goes on; read_file shows the rest.]`;
}
