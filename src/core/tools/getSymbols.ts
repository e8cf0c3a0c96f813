import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { codeSpan } from '../text/markdown';
import { objectOf, string } from './inputSchema';
import { capLines } from './lines';
import { firstFolder } from './paths/parsePath';
import { statFile } from './readText';
import { keepShowable } from './scope';
import type { ToolOutput } from './tool';
import type { CodeSymbol } from './workspace';
import { defineTool, openable, touchingNamed, type ToolContext } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly query?: string;
}

/** Language tools of other extensions answer when they like, and some never do. */
const languageTimeoutMs = 30_000;

export const getSymbols = defineTool<Input>({
  name: 'get_symbols',
  title: () => l10n.t('Get Symbols'),
  description:
    'With path: the outline of a source file (classes, functions, members) with line ranges; use it to find your way ' +
    'in a long file before reading parts of it. With query: symbols of that name in the whole workspace, with where ' +
    'they are defined. It depends on the language extensions that are installed; when nothing comes back, use ' +
    'search_text.',
  effect: 'reads',
  timeoutMs: languageTimeoutMs,
  inputSchema: objectOf(
    {},
    {
      path: string('The file whose outline is wanted.'),
      query: string('A name, or part of it, to look for in the workspace.', { minLength: 1 }),
    },
  ),
  prepare: async ({ path, query }, context, preparing) => ({
    ...(await touchingNamed(path, context, preparing)),
    progress:
      path === undefined
        ? l10n.t('Looking for symbols named {0}', codeSpan(query ?? ''))
        : l10n.t('Looking for symbols in {0}', codeSpan(path)),
    async run(_, signal) {
      if (path !== undefined) return outline(path, query, context, signal);
      if (query === undefined) throw new ToolError('Give a path for an outline, or a query to find symbols.');
      return { content: await find(query, context, signal) };
    },
  }),
});

async function find(query: string, { workspace, policy }: ToolContext, signal: AbortSignal): Promise<string> {
  firstFolder(workspace.folders());
  const symbols = await keepShowable(await workspace.findSymbols(query, signal), policy, signal);
  if (symbols.length === 0) return `No symbol matches ${query}. Try search_text.`;
  return cap(
    symbols.map(({ name, kind, place, line, container }) => {
      const owner = container === undefined ? '' : ` in ${container}`;
      return `${policy.show(place)}:${line} ${kind} ${name}${owner}`;
    }),
  );
}

async function outline(
  path: string,
  query: string | undefined,
  { workspace, policy }: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const allowed = await policy.forReading(path, signal);
  if (allowed.isSecret) {
    throw new ToolError(`${allowed.shown} looks like it holds secrets: read_file asks the person.`);
  }
  await statFile(workspace, allowed, signal);
  const symbols = await workspace.outline(allowed.place, signal);
  const wanted = symbols.filter(({ name }) => name.toLowerCase().includes((query ?? '').toLowerCase()));
  const content =
    wanted.length === 0
      ? `No symbols are known in ${allowed.shown}. Try search_text or read_file.`
      : cap(wanted.map(describe));
  return { content, ...openable(allowed) };
}

function describe({ name, kind, line, endLine, depth }: CodeSymbol): string {
  return `${'  '.repeat(depth)}${line === endLine ? line : `${line}–${endLine}`} ${kind} ${name}`;
}

function cap(lines: readonly string[]): string {
  return capLines(lines, (shown, all) => `[${shown} of ${all} symbols. Narrow it with query.]`);
}
