import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { codeSpan } from '../text/markdown';
import { confirmChange } from './confirmation';
import { objectOf, string } from './inputSchema';
import type { AllowedPlace } from './paths/pathPolicy';
import { isWithin, type Place } from './workspace';
import { defineTool, openable, touching, type ToolContext } from './workspaceTool';

interface Input {
  readonly from: string;
  readonly to: string;
}

const lookedAtLimit = 10_000;

export const renameFile = defineTool<Input>({
  name: 'rename_file',
  title: () => l10n.t('Rename File'),
  description:
    'Rename or move a file or folder inside the workspace. It never overwrites. Language extensions may update ' +
    'imports, as when the person renames it; check with search_text. To rename a symbol in code, use ' +
    'vscode_renameSymbol where it is offered. The person is asked and may refuse.',
  effect: 'writes',
  files: { use: 'changes', inputs: ['from', 'to'] },
  inputSchema: objectOf({
    from: string('The file or folder, relative to the workspace folder.'),
    to: string('Its new path, relative to the workspace folder.'),
  }),
  async prepare(input, context, signal) {
    const { workspace, policy, known, changes } = context;
    const from = await policy.forMoving(input.from, signal);
    const to = await policy.forMoving(input.to, signal);
    const status = await workspace.stat(from.place, signal);
    if (status === undefined) {
      throw new ToolError(`${from.shown} does not exist: find the right path with find_files.`);
    }
    if ((await workspace.stat(to.place, signal)) !== undefined) {
      throw new ToolError(`${to.shown} exists already: choose another name.`);
    }
    if (isWithin(from.place, to.place)) throw new ToolError(`${from.shown} cannot be moved into itself.`);
    const inside = status.kind === 'folder' ? await lookInside(from, to, context, signal) : undefined;
    // Under a harmless name a secret would be read without asking.
    const isUncovered = (from.isSecret && !to.isSecret) || inside?.isUncovered === true;
    const note = l10n.t(
      '{0} looks like it holds secrets; under its new name it would be read without asking.',
      codeSpan(from.shown),
    );
    return {
      progress: l10n.t('Renaming {0} to {1}', codeSpan(from.shown), codeSpan(to.shown)),
      touches: {
        places: [...touching(from, to).places, ...(inside?.places ?? [])],
        isAll: inside?.isAll ?? true,
      },
      confirmation: confirmChange({
        verb: 'Rename',
        places: [from, to],
        notes: [
          `${codeSpan(from.shown)} → ${codeSpan(to.shown)}`,
          ...(isUncovered ? [`⚠️ **${note}**`] : []),
        ],
        alwaysConfirm: isUncovered || inside?.isProtected === true || inside?.isAll === false,
      }),
      ...(status.kind === 'file' && { changes: { from, to } }),
      async run(caller, running) {
        const planned = { kind: 'rename', place: to.place, from: from.place, isSecret: false } as const;
        const outcome = await changes.record(caller, planned, async () => ({
          outcome: await workspace.apply({ kind: 'rename', from: from.place, to: to.place }, running),
        }));
        if (outcome.kind === 'refused') throw new ToolError(`${from.shown} was not renamed: ${outcome.why}.`);
        known.forget(from.place);
        known.forget(to.place);
        return {
          content: `Renamed ${from.shown} to ${to.shown}.`,
          ...openable(...(from.isSecret ? [] : [to])),
        };
      },
    };
  },
});

/** What is in a folder moves along: it may be a secret by the folder's name alone, and rules may be about it. */
async function lookInside(
  from: AllowedPlace,
  to: AllowedPlace,
  { workspace, policy }: ToolContext,
  signal: AbortSignal,
) {
  const secrets = policy.secrets();
  const places: Place[][] = [];
  let [isUncovered, isProtected] = [false, false];
  const end = await workspace.findFiles(
    { within: [from.place], include: [], exclude: [], isIgnoredIncluded: true, limit: lookedAtLimit },
    (file) => {
      const moved = {
        folder: to.place.folder,
        path: `${to.place.path}${file.path.slice(from.place.path.length)}`,
      };
      places.push([file], [moved]);
      isUncovered ||= secrets.has(file) && !secrets.has(moved);
      isProtected ||= policy.protects(file) || policy.protects(moved);
    },
    signal,
  );
  return { places, isAll: end === 'complete', isUncovered, isProtected };
}
