import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { cutText } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { confirmChange } from './confirmation';
import { boolean, objectOf, string } from './inputSchema';
import { refuseBrokenNotebook } from './notebooks';
import type { AllowedPlace } from './paths/pathPolicy';
import { readWholeText, refuseUnwritable } from './readText';
import { type Replacement, replaceText } from './replaceText';
import { unifiedDiff } from './unifiedDiff';
import { isSamePlace, type Workspace } from './workspace';
import { defineTool, openable, touching, type Caller, type ToolContext } from './workspaceTool';

interface Input {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

const shownDiff = 4_000;

export const editFile = defineTool<Input>({
  name: 'edit_file',
  title: () => l10n.t('Edit File'),
  description:
    'Change a text file of the workspace by replacing exact pieces of its text. Read the file first. Make all changes ' +
    'to one file in one call: the person sees the diff of each call and may refuse it. They are made together or, if ' +
    'one does not fit, not at all; each applies to what the edits before it left. Back comes the diff of what was ' +
    'changed, and below it the problems that the editor reports since: repair those that the edit brought. To make a ' +
    'new file use create_file.',
  effect: 'writes',
  files: { use: 'changes', inputs: ['path'] },
  inputSchema: objectOf({
    path: string('Relative to the workspace folder.'),
    edits: {
      type: 'array',
      minItems: 1,
      items: objectOf(
        {
          old_text: string(
            'The text to replace, exactly as in the file with all white space and without line numbers. It must ' +
              'occur once: take in lines around it until it does.',
          ),
          new_text: string('What to put in its place; empty to delete it.'),
        },
        { replace_all: boolean('Replace every occurrence. Default: false.') },
      ),
    },
  }),
  async prepare(input, context, signal) {
    const planned = await plan(input, context, signal);
    const { allowed } = planned;
    return {
      progress: l10n.t('Editing {0}', codeSpan(allowed.shown)),
      touches: touching(allowed),
      confirmation: confirmChange({ verb: 'Edit', places: [allowed], text: planned }),
      changes: { from: allowed, to: allowed },
      run: (caller, running) => write(planned, caller, context, running),
    };
  },
});

type PlannedEdit = Awaited<ReturnType<typeof plan>>;

async function plan({ path, edits }: Input, { workspace, policy, known }: ToolContext, signal: AbortSignal) {
  const allowed = await policy.forWriting(path, signal);
  await refuseForeignEditor(workspace, allowed, signal);
  const { text: before, encoding, isExact } = await readWholeText(workspace, allowed, signal);
  if (!isExact) throw damaging(allowed, encoding);
  if (!known.isCurrent(allowed.place, before)) {
    throw new ToolError(
      `${allowed.shown} has changed since you read it. Read it again, then make the edit fit what is there now.`,
    );
  }
  const after = replaceText(before, edits, allowed);
  refuseBrokenNotebook(workspace, { ...allowed, named: path }, { before, after });
  await refuseUnwritable(workspace, allowed, { text: after, encoding });
  return { allowed, before, after, encoding, diff: unifiedDiff(before, after) };
}

/** The workspace refuses it when the text has changed since it was planned. */
async function write(
  { allowed, before, after, encoding, diff }: PlannedEdit,
  caller: Caller,
  { workspace, known, changes }: ToolContext,
  signal: AbortSignal,
) {
  const { place, shown, isSecret } = allowed;
  const change = { kind: 'edit', place, before, after, encoding } as const;
  let result = after;
  const outcome = await changes.record(caller, { ...change, isSecret }, async () => {
    const applied = await workspace.apply(change, signal);
    // Saving may have changed it further.
    if (applied.kind !== 'refused') result = (await readWholeText(workspace, allowed, signal)).text;
    return { outcome: applied, after: result };
  });
  if (outcome.kind === 'refused') {
    throw new ToolError(`${shown} was not changed: ${outcome.why}. Read it again, then edit.`);
  }
  known.saw(place, result);
  const sentences = [`Edited ${shown}.`];
  if (outcome.kind === 'left-unsaved') {
    sentences.push(
      'The editor had unsaved changes of the person, so that the edit is in the editor and not saved to disk.',
    );
  }
  if (result !== after) {
    sentences.push('On saving, the editor changed the text further: read it before the next edit.');
  }
  // A secret file is not shown around its edit: the person agreed to the change, not to reading it.
  if (!isSecret) sentences.push(shortened(diff));
  return { content: sentences.join('\n').trimEnd(), ...openable(allowed) };
}

/** A notebook, say: its unsaved changes would be lost, or overwrite the edit. */
async function refuseForeignEditor(
  workspace: Workspace,
  { place, shown }: AllowedPlace,
  signal: AbortSignal,
): Promise<void> {
  const editors = await workspace.unsavedEditors(signal);
  if (editors.some((editor) => editor.text === undefined && isSamePlace(editor.place, place))) {
    throw new ToolError(
      `${shown} has unsaved changes in an editor that does not show it as text: ask the person to save or discard them first.`,
    );
  }
}

function damaging({ shown }: AllowedPlace, encoding: string): ToolError {
  return new ToolError(
    `${shown} cannot be edited without damage: the editor reads it as ${encoding}, and writing it so would change bytes ` +
      'that the edit does not touch. Ask the person to set files.encoding to what it is (windows1252, shiftjis …), or to ' +
      'reopen the file with its encoding; then read it again.',
  );
}

function shortened(diff: string): string {
  if (diff.length <= shownDiff) return diff;
  return `${cutText(diff, shownDiff)}\n[The diff goes on; read_file shows the rest.]`;
}
