/** `npm run test:faults`: every fault and attack against the extension as it ships, and a table of what was seen. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';
import { resultFile, type TestCounts, type TestOutcome } from '../support/results';
import { runMain, SetupError } from '../support/setupError';
import { faultCases, type FaultCase, type Level } from './cases';
import { markdownTable, printedTable, type Row } from './table';

/** The command of each level; the panel's has scenarios of its own here, beside those of the end-to-end tests. */
const levels: Readonly<Record<Level, readonly string[]>> = {
  unit: ['unit'],
  host: ['host'],
  panel: ['e2e', __dirname],
};

const allLevels = ['unit', 'host', 'panel'] as const;

runMain(async () => {
  const only = process.env['TEST_GREP'];
  const cases = faultCases.filter(({ id }) => only === undefined || only.split('|').includes(id));
  if (cases.length === 0)
    throw new SetupError(`There is no such case: ${only}. They are in test/faults/cases.ts.`);
  const grep = cases.map(({ id }) => `(?<!\\w)${id}[,:]`).join('|');
  const wanted = process.env['FAULT_LEVELS']?.split(',');
  const seen = new Map<Level, readonly TestOutcome[]>();
  for (const level of allLevels) {
    if (!wanted || wanted.includes(level)) seen.set(level, runLevel(levels[level], grep));
  }
  const rows = cases.map((one) => judge(one, seen));
  console.log(`\n${printedTable(rows)}`);
  const file = join(projectRoot, 'dist/test/results/faults.md');
  writeFileSync(file, markdownTable(rows));
  const missed = rows.filter(({ verdict }) => verdict !== 'held');
  console.log(`\n${rows.length - missed.length} of ${rows.length} held. The table is in ${file}.`);
  return missed.length === 0 ? 0 : 1;
});

function runLevel([level = '', ...args]: readonly string[], grep: string): readonly TestOutcome[] {
  const file = resultFile(level);
  rmSync(file, { force: true });
  spawnSync(process.execPath, [join(__dirname, '..', level, `${level}.main.js`), ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, TEST_GREP: grep },
  });
  if (!existsSync(file)) return [];
  const { tests = [] } = JSON.parse(readFileSync(file, 'utf8')) as TestCounts;
  return tests;
}

/** Held only if all its tests passed, and there was one at each of its levels. */
function judge(
  { id, inject, expected, levels: asked }: FaultCase,
  seen: ReadonlyMap<Level, readonly TestOutcome[]>,
): Row {
  const names = new RegExp(`(?<!\\w)${id}[,:]`);
  const shown = allLevels.map((level) => {
    const own = seen.get(level)?.filter(({ fullTitle }) => names.test(fullTitle)) ?? [];
    return { level, own, isMissing: asked.includes(level) && own.length === 0 };
  });
  const hasFailed = shown.some(({ own }) => own.some(({ failure }) => failure !== undefined));
  const verdict = hasFailed ? 'MISSED' : shown.some(({ isMissing }) => isMissing) ? 'NOT SHOWN' : 'held';
  const words = shown.flatMap(({ level, own, isMissing }) =>
    isMissing ? [`${level}: not shown`] : inShort(own).map((line) => `${level}: ${line}`),
  );
  return { id, expected: `${inject}: ${expected}`, seen: words, verdict };
}

/** All that failed; of the rest, as much as a table bears. */
function inShort(tests: readonly TestOutcome[]): readonly string[] {
  const failed = tests.filter(({ failure }) => failure !== undefined);
  const passed = tests.filter(({ failure }) => failure === undefined);
  const told = passed.slice(0, 2).map(describe);
  const rest = passed.length - told.length;
  return [...failed.map(describe), ...told, ...(rest > 0 ? [`and ${rest} more`] : [])];
}

function describe({ sentence, failure, isSecondTry }: TestOutcome): string {
  const plain = sentence.replace(/^([A-Z]\d+, )*[A-Z]\d+: /, '');
  const tries = isSecondTry ? ' (at the second try)' : '';
  return failure === undefined ? `${plain}${tries}` : `FAILED ${plain}: ${failure}`;
}
