import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { codeSpan } from '../text/markdown';
import { confirmChange } from './confirmation';
import { objectOf, string } from './inputSchema';
import { refuseBrokenNotebook } from './notebooks';
import { readWholeText, refuseUnwritable } from './readText';
import { unifiedDiff } from './unifiedDiff';
import { defineTool, openable, touching, unlessRefused } from './workspaceTool';

interface Input {
  readonly path: string;
  readonly content: string;
}

export const createFile = defineTool<Input>({
  name: 'create_file',
  title: () => l10n.t('Create File'),
  description:
    'Create a new text file in the workspace with the given content; missing folders are created too. It never ' +
    'overwrites: to change a file that exists use edit_file. The person sees the content and may refuse.',
  effect: 'writes',
  files: { use: 'changes', inputs: ['path'] },
  inputSchema: objectOf({
    path: string('Relative to the workspace folder.'),
    content: string('The whole text of the new file.'),
  }),
  async prepare(input, { workspace, policy, known, changes }, signal) {
    const { path } = input;
    const allowed = await policy.forWriting(path, signal);
    const { place, shown, isSecret } = allowed;
    const status = await workspace.stat(place, signal);
    if (status !== undefined) {
      throw new ToolError(
        status.kind === 'folder'
          ? `${shown} is a folder: choose another name.`
          : `${shown} exists already: read it, then use edit_file.`,
      );
    }
    const content = workspace.newFileText(place, input.content);
    refuseBrokenNotebook(workspace, { ...allowed, named: path }, { after: content });
    await refuseUnwritable(workspace, allowed, { text: content });
    return {
      progress: l10n.t('Creating {0}', codeSpan(shown)),
      touches: touching(allowed),
      confirmation: confirmChange({
        verb: 'Create',
        places: [allowed],
        text: { before: '', after: content, diff: unifiedDiff('', content) },
      }),
      changes: { from: allowed, to: allowed },
      async run(caller, running) {
        const planned = { kind: 'create', place, after: content, isSecret } as const;
        let result = content;
        const outcome = await changes.record(caller, planned, async () => {
          const applied = await workspace.apply({ kind: 'create', place, text: content }, running);
          if (applied.kind === 'refused') return { outcome: applied };
          const left = await unlessRefused(readWholeText(workspace, allowed, running));
          result = left?.text ?? content;
          return { outcome: applied, after: result, encoding: left?.encoding };
        });
        if (outcome.kind === 'refused') throw new ToolError(`${shown} was not created: ${outcome.why}.`);
        known.saw(place, result);
        return { content: `Created ${shown}.`, ...openable(allowed) };
      },
    };
  },
});
