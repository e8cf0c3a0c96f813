import * as l10n from '@vscode/l10n';
import { codeSpan } from '../text/markdown';
import { boolean, objectOf, string } from './inputSchema';
import { fitLines } from './lines';
import { resolveScope, touchingScope } from './scope';
import { defineTool } from './workspaceTool';

interface Input {
  readonly pattern: string;
  readonly path?: string;
  readonly include_ignored?: boolean;
}

const shownLimit = 400;
const findLimit = 20_000;

export const findFiles = defineTool<Input>({
  name: 'find_files',
  title: () => l10n.t('Find Files'),
  description:
    'Find files of the workspace by name with a glob such as **/*.test.ts, package.json or src/{api,db}/**. Use it ' +
    'when you know something of the name; for contents use search_text, for an overview list_directory. Paths come ' +
    'back one a line, sorted. What ignore files and the exclude settings leave out is left out, unless ' +
    'include_ignored is true.',
  effect: 'reads',
  inputSchema: objectOf(
    {
      pattern: string('A glob, relative to path. One without a slash matches at any depth.', {
        minLength: 1,
      }),
    },
    {
      path: string('The folder to look in; all of the workspace if left out.'),
      include_ignored: boolean('Look also into ignored and excluded files.'),
    },
  ),
  prepare: async ({ pattern, path, include_ignored: isIgnoredIncluded = false }, context, preparing) => ({
    ...(await touchingScope(context, { path, glob: pattern }, preparing)),
    progress: l10n.t('Finding files {0}', codeSpan(pattern)),
    async run(_, signal) {
      const scope = await resolveScope(context, { path, glob: pattern, secrets: 'listed' }, signal);
      const found: string[] = [];
      const end = await context.workspace.findFiles(
        { ...scope, exclude: [], isIgnoredIncluded, limit: findLimit },
        (place) => found.push(context.policy.show(place)),
        signal,
      );
      const paths = found.toSorted();
      if (paths.length === 0) {
        const advice = isIgnoredIncluded ? 'a wider pattern' : 'a wider pattern, or include_ignored: true';
        return { content: `No file matches ${pattern}. Try ${advice}.` };
      }
      const shown = fitLines(paths).slice(0, shownLimit);
      if (shown.length === paths.length && end === 'complete') return { content: shown.join('\n') };
      const more = end === 'complete' ? '' : 'at least ';
      const note = `${shown.length} of ${more}${paths.length} files${end === 'time' ? ' (time ran out)' : ''}`;
      return {
        content: `${shown.join('\n')}\n[${note}. Narrow the pattern or the path to see the others.]`,
      };
    },
  }),
});
