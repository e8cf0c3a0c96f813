import type { PathPolicy } from './paths/pathPolicy';
import type { Problem, Severity } from './workspace';

/** The gravest first. */
export const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

export function rankOf(severity: Severity): number {
  return severities.indexOf(severity);
}

export function byRank(a: Problem, b: Problem): number {
  return rankOf(a.severity) - rankOf(b.severity);
}

/** A problem as Claude reads it, each in a line of its own: what goes on below is indented. */
export function showProblem(problem: Problem, policy: Pick<PathPolicy, 'show'>): string {
  const { place, line, column, severity, message, source } = problem;
  const from = source === undefined ? '' : ` [${source}]`;
  return `${policy.show(place)}:${line}:${column} ${severity}: ${message.replaceAll('\n', '\n  ')}${from}`;
}
