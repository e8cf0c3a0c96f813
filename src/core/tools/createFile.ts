import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { confirmChange } from './confirmation';
import { codeSpan } from './literalText';
import { refuseUnwritable } from './refuseUnwritable';
import { defineTool, openable, type ToolContext, type WorkspaceTool } from './workspaceTool';

interface Input {
  readonly path: string;
  readonly content: string;
}

export function createCreateFile({ workspace, policy, known, onChange }: ToolContext): WorkspaceTool {
  return defineTool<Input>({
    name: 'create_file',
    title: l10n.t('Create File'),
    description:
      'Create a new text file in the workspace with the given content; missing folders are created too. It never ' +
      'overwrites: to change a file that exists use edit_file. The person sees the content and may refuse.',
    effect: 'writes',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the workspace folder.' },
        content: { type: 'string', description: 'The whole text of the new file.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    async prepare(input, signal) {
      const allowed = await plan(input, signal);
      return {
        progress: l10n.t('Creating {0}', codeSpan(allowed.shown)),
        confirmation: confirmChange({ verb: 'Create', places: [allowed], before: '', after: input.content }),
      };
    },
    async run(input, callId, signal) {
      const allowed = await plan(input, signal);
      const { place, shown } = allowed;
      const change = { kind: 'create', place, text: input.content } as const;
      const outcome = await workspace.apply(change, signal);
      if (outcome.kind === 'refused') throw new ToolError(`${shown} was not created: ${outcome.why}.`);
      known.saw(place, input.content);
      onChange({ callId, change, before: undefined, after: input.content, encoding: undefined });
      return { content: `Created ${shown}.`, ...openable(allowed) };
    },
  });

  async function plan({ path, content }: Input, signal: AbortSignal) {
    const allowed = await policy.forWriting(path, signal);
    const status = await workspace.stat(allowed.place, signal);
    if (status !== undefined) {
      throw new ToolError(
        status.kind === 'folder'
          ? `${allowed.shown} is a folder: choose another name.`
          : `${allowed.shown} exists already: read it, then use edit_file.`,
      );
    }
    await refuseUnwritable(workspace, allowed, { text: content });
    return allowed;
  }
}
