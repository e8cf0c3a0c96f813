import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { codeSpan } from '../text/markdown';
import { objectOf, string } from './inputSchema';
import { capLines } from './lines';
import { firstFolder } from './paths/parsePath';
import { byRank, rankOf, severities, showProblem } from './problemLines';
import { keepShowable } from './scope';
import { isWithin, type Severity } from './workspace';
import { defineTool, touchingNamed, type ToolContext } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly severity?: Severity;
}

export const getDiagnostics = defineTool<Input>({
  name: 'get_diagnostics',
  title: () => l10n.t('Get Problems'),
  description:
    "Get the problems that the editor's language tools report now: compiler errors, lint warnings. Use it after an " +
    'edit to see whether it holds, or to find what is broken. Each line is path:line:column, severity, message and ' +
    'source. Most languages check only files that are or were open; an empty list is no proof that all compiles. Files ' +
    'that look like secrets are left out.',
  effect: 'reads',
  inputSchema: objectOf(
    {},
    {
      path: string('A file or folder; the whole workspace if left out.'),
      severity: string('The least severity to show. Default: warning.', { enum: severities }),
    },
  ),
  prepare: async (request, context, preparing) => ({
    ...(await touchingNamed(request.path, context, preparing)),
    progress:
      request.path === undefined
        ? l10n.t('Looking at the problems')
        : l10n.t('Looking at the problems of {0}', codeSpan(request.path)),
    run: async (_, signal) => ({ content: await problems(request, context, signal) }),
  }),
});

async function problems(
  { path, severity = 'warning' }: Input,
  { workspace, policy }: ToolContext,
  signal: AbortSignal,
): Promise<string> {
  firstFolder(workspace.folders());
  const scope = path === undefined ? undefined : await policy.forReading(path, signal);
  if (scope?.isSecret === true) {
    throw new ToolError(`${scope.shown} looks like it holds secrets: read_file asks the person.`);
  }
  const showable = await keepShowable(workspace.problems(), policy, signal);
  const all = showable.filter(({ place }) => isWithin(scope?.place, place));
  const wanted = all.filter((problem) => rankOf(problem.severity) <= rankOf(severity)).toSorted(byRank);
  if (wanted.length === 0) {
    const milder = all.length > 0 ? ` (${all.length} of less severity: set severity to see them)` : '';
    return `No problems of severity ${severity} or above are reported${milder}.`;
  }
  return capLines(
    wanted.map((problem) => showProblem(problem, policy)),
    (shown, total) =>
      `[${shown} of ${total} problems, the most severe first. Ask for one path to see the others.]`,
  );
}
