/** Runs unit tests of the build that has the mutants in it, with none of them or with one, and says what it saw. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import Mocha from 'mocha';
import { runMain } from '../support/setupError';
import type { Job, Reach } from './job';

declare global {
  var __mutant: (number: number) => boolean;
}

/** Ends the process when it computes for longer than its tests ever did, or does nothing at all for a minute. */
const watch = `
  const { workerData: limitMs } = require('node:worker_threads');
  let [busyMs, since] = [0, Date.now()];
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const usedMs = (user + system) / 1000;
    if (usedMs - busyMs > 300) [busyMs, since] = [usedMs, Date.now()];
    if (usedMs > limitMs || Date.now() - since > 60_000) process.kill(process.pid, 'SIGKILL');
  }, 500);
`;

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Job;
// Always the same cases, and the first that fails is enough.
fc.configureGlobal({ seed: 20_261_118, endOnFailure: true });

/** What was reached outside of any test stands under the file alone, as '': by loading it and in its hooks. */
const reached: Reach[] = [];
let current = new Set<number>();
globalThis.__mutant = (number) => {
  current.add(number);
  return number === job.mutant;
};

// No test has a limit in time: what is slow on a busy machine must not look like a fault that was noticed.
Object.assign(Mocha.Runnable.prototype, { timeout: () => 0 });
new Worker(watch, { eval: true, workerData: job.limitMs }).unref();
const mocha = new Mocha({ ui: 'bdd', reporter: 'dot', bail: true });
mocha.suite.on('pre-require', (_globals, file) => enter(file, ''));
for (const { file } of job.files) mocha.addFile(file);

runMain(async () => {
  await mocha.loadFilesAsync();
  prune(mocha.suite);
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    // Hooks around each test belong to that test, which has begun by then.
    runner.on('hook', (hook) => {
      if (hook.title.includes(' all" hook')) enter(hook.file ?? '', '');
    });
    runner.on('test', (test) => enter(test.file ?? '', test.fullTitle()));
    runner.on('test end', (test) => {
      const last = reached.at(-1);
      if (last) last.durationMs = test.duration ?? 0;
    });
  });
  if (job.resultFile) {
    const all = reached.map((reach) => ({ ...reach, mutants: [...reach.mutants] }));
    writeFileSync(job.resultFile, JSON.stringify(all));
  }
  return failures === 0 ? 0 : 1;
});

function enter(file: string, title: string): void {
  current = new Set();
  reached.push({ file, title, durationMs: 0, mutants: current });
}

function prune(suite: Mocha.Suite): void {
  suite.tests = suite.tests.filter((test) => {
    const titles = job.files.find(({ file }) => file === test.file)?.titles;
    return titles === undefined || titles.includes(test.fullTitle());
  });
  for (const inner of suite.suites) prune(inner);
}
