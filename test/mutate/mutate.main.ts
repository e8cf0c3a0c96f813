/**
 * `npm run mutate`: changes one operator, condition or constant of src/core at a time and runs the unit tests that
 * reach it. Most changes must be noticed. `MUTATE_ONLY='view.ts'` picks some of them, by how they are printed.
 */
import { fork } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { runWithSqlite } from '../support/nodeWithSqlite';
import { projectRoot } from '../support/projectPaths';
import { runMain, SetupError } from '../support/setupError';
import type { Job, Reach } from './job';
import { findMutants, sampleOf, withMutants, type Mutant } from './mutants';

const sampleSize = 300;
const wantedPercent = 85;
const workers = 2;
const built = join(projectRoot, 'dist/mutate');

type Outcome = 'noticed' | 'unnoticed' | 'hangs';
type RecordedReach = Reach & { readonly mutants: readonly number[] };

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  const sources = new Map(filesBelow('src/core').map((path) => [path, readFileSync(path, 'utf8')]));
  const all = [...sources].flatMap(([path, source]) => findMutants(placeOf(path), source));
  const mutants = sampleOf(all, sampleSize);
  console.log(`${mutants.length} of ${all.length} changes`);
  await buildTests(sources, mutants);
  const reached = await recordReach();

  const only = new RegExp(process.env['MUTATE_ONLY'] ?? '');
  const queue = [...mutants.entries()].filter(([, mutant]) => only.test(nameOf(mutant)));
  const outcomes = new Map<Mutant, Outcome>();
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [number, mutant] = next;
      const outcome = await tryMutant(number, mutant, reached);
      outcomes.set(mutant, outcome);
      if (outcome !== 'noticed') console.log(`${outcomes.size}. ${outcome}: ${nameOf(mutant)}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));

  const unnoticed = mutants.filter((mutant) => outcomes.get(mutant) === 'unnoticed');
  const hanging = mutants.filter((mutant) => outcomes.get(mutant) === 'hangs').length;
  const noticed = outcomes.size - unnoticed.length;
  const percent = (100 * noticed) / outcomes.size;
  console.log(
    `${noticed} noticed (${hanging} of them never end), ${unnoticed.length} unnoticed: ${percent.toFixed(1)} %`,
  );
  for (const mutant of unnoticed) console.log(nameOf(mutant));
  return percent >= wantedPercent ? 0 : 1;
});

/** The unit tests with the whole sample in them, each change behind a switch. */
async function buildTests(sources: ReadonlyMap<string, string>, mutants: readonly Mutant[]): Promise<void> {
  rmSync(built, { recursive: true, force: true });
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
    entryPoints: [
      ...filesBelow('test/unit').filter((path) => path.endsWith('.test.ts')),
      // Processes that some of the tests start.
      ...filesBelow('test/support').filter((path) => path.endsWith('.main.ts')),
    ],
    // Where no worker has set it, as in those processes.
    banner: { js: "globalThis.__mutant ??= (number) => number === Number(process.env['MUTANT']);" },
    outdir: built,
    outbase: join(projectRoot, 'test'),
    packages: 'external',
    external: ['vscode'],
    plugins: [
      {
        name: 'mutants',
        setup: (plugin) =>
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const source = sources.get(path);
            if (source === undefined) return undefined;
            const inFile = [...mutants.entries()].filter(([, mutant]) => mutant.path === placeOf(path));
            return { contents: withMutants(source, new Map(inFile)), loader: 'ts' };
          }),
      },
    ],
  });
}

/** Runs every test once, with no change. */
async function recordReach(): Promise<RecordedReach[]> {
  const files = filesBelow('dist/mutate/unit').toSorted();
  const resultFile = join(built, 'reached.json');
  const job = { limitMs: 600_000, files: files.map((file) => ({ file })), resultFile };
  if ((await runJob(job)) !== 'unnoticed') throw new SetupError('Make the unit tests pass first.');
  return JSON.parse(readFileSync(resultFile, 'utf8')) as RecordedReach[];
}

async function tryMutant(
  number: number,
  mutant: Mutant,
  reached: readonly RecordedReach[],
): Promise<Outcome> {
  const files = [...new Set(reached.map(({ file }) => file))].flatMap((file) => {
    const ofFile = reached.filter((reach) => reach.file === file);
    const reaching = ofFile.filter(({ mutants }) => mutants.includes(number));
    const isWhole = reaching.some(({ title }) => title === '');
    const tests = isWhole ? ofFile : reaching;
    const durationMs = tests.reduce((sum, test) => sum + test.durationMs, 0);
    const titles = isWhole ? {} : { titles: tests.map(({ title }) => title) };
    return reaching.length === 0 ? [] : [{ file, durationMs, ...titles }];
  });
  const ownName = `${basename(mutant.path, '.ts')}.test.js`;
  const isOwn = (file: string): number => (basename(file) === ownName ? 0 : 1);
  const ordered = files.toSorted(
    (a, b) => isOwn(a.file) - isOwn(b.file) || a.durationMs - b.durationMs || (a.file < b.file ? -1 : 1),
  );
  const limitMs = 20_000 + 3 * files.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return files.length === 0 ? 'unnoticed' : runJob({ mutant: number, limitMs, files: ordered });
}

function runJob(job: Job): Promise<Outcome> {
  const jobFile = join(built, `job-${job.mutant ?? 'none'}.json`);
  writeFileSync(jobFile, JSON.stringify(job));
  const child = fork(join(__dirname, 'worker.main.js'), [jobFile], {
    env: { ...process.env, MUTANT: String(job.mutant) },
    execArgv: ['--no-warnings', '--max-old-space-size=1500'],
    stdio: job.mutant === undefined ? 'inherit' : 'ignore',
  });
  return new Promise((resolve) => {
    child.on('exit', (code, signal) =>
      resolve(signal === 'SIGKILL' ? 'hangs' : code === 0 ? 'unnoticed' : 'noticed'),
    );
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[tj]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function placeOf(path: string): string {
  return relative(projectRoot, path).split(sep).join('/');
}

function nameOf({ path, line, before, after }: Mutant): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 120);
  return `${path}:${line}: ${short(before)} -> ${short(after)}`;
}
