import { availableParallelism } from 'node:os';
import { resultFile, sumOf, writeCounts } from '../results';
import { SetupError } from '../setupError';
import { runJob, type Job, type JobEnd } from './job';
import { judge } from './verdict';

/** Tests of one kind: the processes they run in, and what these share. */
export interface Level {
  /** The longest first: nobody waits for one that was begun last. */
  readonly jobs: readonly Job[];
  readonly cleanUp?: () => unknown;
}

/**
 * Runs the jobs of all levels beside each other and prints what came of them. A window often waits, so there is one more
 * at a time than there are cores; `TEST_WORKERS` sets another number.
 */
export async function runLevels(
  setUps: readonly (() => Level | Promise<Level>)[],
  workers = Number(process.env['TEST_WORKERS'] ?? availableParallelism() + 1),
): Promise<number> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const levels: Level[] = [];
  try {
    for (const setUp of setUps) levels.push(await setUp());
    const jobs = levels.flatMap((level) => level.jobs);
    const ends = await runJobs(jobs, workers, stopped.signal);
    for (const level of new Set(jobs.map((job) => job.level))) keepCounts(level, ends);
    const { lines, isPassed } = judge(ends);
    console.log(`\n${lines.join('\n')}`);
    return isPassed ? 0 : 1;
  } finally {
    for (const level of levels) await level.cleanUp?.();
  }
}

async function runJobs(jobs: readonly Job[], workers: number, signal: AbortSignal): Promise<JobEnd[]> {
  const waiting = jobs.entries();
  const ends: JobEnd[] = [];
  const work = async (): Promise<void> => {
    for (const [index, job] of waiting) {
      if (signal.aborted) return;
      ends[index] = await runJob(job, signal);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  if (signal.aborted) throw new SetupError('Stopped.');
  return ends;
}

/** Each test of a level by itself, for whoever reads more of them than the sums. */
function keepCounts(level: string, ends: readonly JobEnd[]): void {
  const own = ends.flatMap((end) => (end.level === level && end.counts ? [end.counts] : []));
  writeCounts(resultFile(level), sumOf(own));
}
