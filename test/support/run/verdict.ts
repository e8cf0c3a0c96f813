import type { JobEnd } from './job';

/** The last lines of a run, and whether it passed. */
export interface Verdict {
  readonly lines: readonly string[];
  readonly isPassed: boolean;
}

/**
 * Counts by level. On a busy machine one suite may need a second try; more than one of them is not luck but a fault in
 * the tests, or in what they test.
 */
export function judge(ends: readonly JobEnd[]): Verdict {
  const levels = [...new Set(ends.map(({ level }) => level))];
  const missing = ends.filter(({ counts }) => !counts).map(({ name }) => name);
  const again = ends.filter(({ counts }) => counts?.isSecondTry).map(({ name }) => name);
  const sums = levels.map((level) => sum(level, ends));
  // A level without a single test has shown nothing.
  const empty = sums.filter(({ passed, failed }) => passed + failed === 0).map(({ level }) => level);
  const failures = total(sums, ({ failed }) => failed) + empty.length;
  return {
    lines: [
      ...sums.map(
        ({ level, passed, failed }) =>
          `${level.padEnd(6)} ${empty.includes(level) ? 'did not run' : countsLine(passed, failed)}`,
      ),
      countsLine(
        total(sums, ({ passed }) => passed),
        failures,
      ),
      ...(missing.length > 0 ? [`Did not run: ${missing.join(', ')}.`] : []),
      ...(again.length > 0 ? [`Needed a second try: ${again.join(', ')}. ${secondTries(again.length)}`] : []),
    ],
    isPassed: failures === 0 && again.length <= 1,
  };
}

function secondTries(count: number): string {
  return count > 1
    ? 'More than one fails the run: find out why they failed at first.'
    : 'One is let through: find out why it failed at first.';
}

interface Sum {
  readonly level: string;
  readonly passed: number;
  readonly failed: number;
}

function sum(level: string, ends: readonly JobEnd[]): Sum {
  const own = ends.filter((end) => end.level === level);
  return {
    level,
    passed: total(own, ({ counts }) => counts?.passed ?? 0),
    failed: total(own, ({ counts }) => counts?.failed ?? 1),
  };
}

function total<T>(values: readonly T[], number: (value: T) => number): number {
  return values.reduce((so, value) => so + number(value), 0);
}

function countsLine(passed: number, failed: number): string {
  return `${passed} passed, ${failed} failed`;
}
