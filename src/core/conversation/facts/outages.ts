import type { Log } from '../../ports';
import type { MemoryProblem } from './memoryStore';

/** Tells of an outage once; when it is over, the next one is told again. */
export class Outages {
  readonly #log: Log;
  readonly #onProblem: (problem: MemoryProblem) => void;
  readonly #lasting = new Set<keyof typeof messages>();

  constructor(options: { readonly log: Log; readonly onProblem: (problem: MemoryProblem) => void }) {
    this.#log = options.log;
    this.#onProblem = options.onProblem;
  }

  note(kind: keyof typeof messages, failure: { readonly cause: unknown } | undefined): void {
    if (!failure) {
      this.#lasting.delete(kind);
      return;
    }
    this.#log.error(`memory: ${kind}`, failure.cause);
    if (this.#lasting.has(kind)) return;
    this.#lasting.add(kind);
    this.#onProblem({ kind, message: messages[kind], cause: failure.cause });
  }
}

const messages = {
  'store-failed':
    'The conversation could not be stored. It goes on in this window, and storing is tried again with every turn.',
  'journal-failed':
    'The write-ahead file of the conversation could not be written. A crash now could lose the last turn; writing is tried again with every turn.',
} as const;
