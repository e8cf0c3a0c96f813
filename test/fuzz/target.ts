import { inspect } from 'node:util';
import { asyncProperty, check, type Arbitrary } from 'fast-check';

/** One kind of input that comes from outside, and what must hold whatever it is. */
export interface FuzzTarget {
  readonly name: string;
  /** Its part of all cases, against the parts of the others; or so many besides. */
  readonly share: number | 'a fifth more';
  run(options: FuzzOptions): Promise<FuzzOutcome>;
  close?(): Promise<unknown>;
}

export interface FuzzOptions {
  readonly cases: number;
  readonly seed: number;
  /** Goes straight to one case, as the report of a failure names it. */
  readonly path?: string | undefined;
}

interface FuzzOutcome {
  readonly cases: number;
  readonly failure?: { readonly seed: number; readonly path: string; readonly report: string };
}

/** So long may a case take on a busy machine; one that never ends fails with these words. */
const patienceMs = 20_000;

/** `holds` throws when it does not hold. A failing case is made as small as it can be and still fail. */
export function fuzzTarget<T>(options: {
  readonly name: string;
  readonly share: number;
  readonly input: Arbitrary<T>;
  readonly holds: (input: T) => Promise<void>;
  readonly close?: () => Promise<unknown>;
}): FuzzTarget {
  const { name, share, input, holds, close } = options;
  return {
    name,
    share,
    async run({ cases, seed, path }) {
      const details = await check(
        asyncProperty(input, (value) => inTime(holds(value))),
        { numRuns: cases, seed, ...(path !== undefined && { path }) },
      );
      if (!details.failed) return { cases: details.numRuns };
      const smallest = inspect(details.counterexample, { depth: 20, maxStringLength: 2000 });
      const report = `${smallest}\n${inspect(details.errorInstance)}`;
      return {
        cases: details.numRuns,
        failure: { seed: details.seed, path: details.counterexamplePath ?? '', report },
      };
    },
    ...(close && { close }),
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${patienceMs} ms.`)), patienceMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
