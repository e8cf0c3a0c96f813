import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { fitLines } from './fitLines';
import { codeSpan } from './literalText';
import { keepShowable } from './showable';
import { isWithin, type Problem, type Severity } from './workspace';
import { defineTool, type ToolContext, type WorkspaceTool } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly severity?: Severity;
}

const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

export function createGetDiagnostics({ workspace, policy }: ToolContext): WorkspaceTool {
  return defineTool<Input>({
    name: 'get_diagnostics',
    title: l10n.t('Get Problems'),
    description:
      "Get the problems that the editor's language tools report now: compiler errors, lint warnings. Use it after an " +
      'edit to see whether it holds, or to find what is broken. Each line is path:line:column, severity, message and ' +
      'source. Most languages check only files that are or were open; an empty list is no proof that all compiles. Files ' +
      'that look like secrets are left out.',
    effect: 'reads',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A file or folder; the whole workspace if left out.' },
        severity: {
          type: 'string',
          enum: severities,
          description: 'The least severity to show. Default: warning.',
        },
      },
      additionalProperties: false,
    },
    prepare: async ({ path }) => ({
      progress:
        path === undefined
          ? l10n.t('Looking at the problems')
          : l10n.t('Looking at the problems of {0}', codeSpan(path)),
    }),
    async run({ path, severity = 'warning' }, _, signal) {
      const scope = path === undefined ? undefined : await policy.forReading(path, signal);
      if (scope?.isSecret === true) {
        throw new ToolError(`${scope.shown} looks like it holds secrets: read_file asks the person.`);
      }
      const shown = await keepShowable(workspace.problems(), policy, signal);
      const all = shown.filter(({ place }) => isWithin(scope?.place, place));
      const problems = all
        .filter((problem) => rank(problem.severity) <= rank(severity))
        .toSorted((a, b) => rank(a.severity) - rank(b.severity));
      if (problems.length === 0) {
        const milder = all.length > 0 ? ` (${all.length} of less severity: set severity to see them)` : '';
        return { content: `No problems of severity ${severity} or above are reported${milder}.` };
      }
      return { content: show(problems) };
    },
  });

  function show(problems: readonly Problem[]): string {
    const lines = problems.map(({ place, line, column, severity, message, source }) => {
      const from = source === undefined ? '' : ` [${source}]`;
      return `${policy.show(place)}:${line}:${column} ${severity}: ${message.replaceAll('\n', '\n  ')}${from}`;
    });
    const shown = fitLines(lines);
    if (shown.length === lines.length) return lines.join('\n');
    const note = `[${shown.length} of ${lines.length} problems, the most severe first. Ask for one path to see the others.]`;
    return `${shown.join('\n')}\n${note}`;
  }
}

function rank(severity: Severity): number {
  return severities.indexOf(severity);
}
