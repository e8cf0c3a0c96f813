/** What a worker is to run. */
export interface Job {
  /** Which change counts; without one it is recorded what each test reaches. */
  readonly mutant?: number;
  /** How long it may compute. */
  readonly limitMs: number;
  /** Built test files, and the full titles of their tests that run; without titles all of them. */
  readonly files: readonly { readonly file: string; readonly titles?: readonly string[] }[];
  /** Where it leaves what was reached, as JSON. */
  readonly resultFile?: string;
}

/** Which mutants a test reached; an empty title stands for loading its file and for hooks around several tests. */
export interface Reach {
  readonly file: string;
  readonly title: string;
  durationMs: number;
  readonly mutants: Iterable<number>;
}
