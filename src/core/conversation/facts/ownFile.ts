import type { Journal } from '../../ports';
import { factsOf } from './fact';
import type { Facts } from './facts';
import { encodeLine, type JournalLine } from './journalLine';
import { nextRound, RunningTurns, type RunningTurn } from './runningTurns';

/** Above this the file is rewritten as what is remembered now, unless that is not much less. */
const fullBytes = 1024 * 1024;

/** This activation's write-ahead file. Nothing here rejects: what could not be written goes out with the next success. */
export class OwnFile {
  readonly #journal: Journal | undefined;
  readonly #facts: () => Facts;
  readonly #onOutcome: (failure: { readonly cause: unknown } | undefined) => void;
  readonly #running = new RunningTurns();
  #bytes = 0;
  #maxBytes = fullBytes;
  #isRewritten = false;
  /** A failed write left out something, or half a line: the next one writes the whole file anew. */
  #isBehind = false;

  constructor(options: {
    readonly journal: Journal | undefined;
    readonly facts: () => Facts;
    readonly onOutcome: (failure: { readonly cause: unknown } | undefined) => void;
  }) {
    this.#journal = options.journal;
    this.#facts = options.facts;
    this.#onOutcome = options.onOutcome;
  }

  /** It holds removals that others told of, and not only what happened here. */
  get isRewritten(): boolean {
    return this.#isRewritten;
  }

  running(id: string): RunningTurn | undefined {
    return this.#running.get(id);
  }

  /** Adds lines whose facts already hold in memory, and says whether they are on the disk. */
  async append(lines: readonly JournalLine[]): Promise<boolean> {
    for (const line of lines) this.#running.follow(line);
    if (this.#isBehind || this.#bytes > this.#maxBytes) return this.rewrite();
    const encoded = lines.map(encodeLine);
    return this.#write(async (journal) => {
      await journal.append(encoded);
      this.#bytes += lengthOf(encoded);
    });
  }

  /** Leaves all that is remembered, known to be gone, or running, and nothing else. */
  async rewrite(): Promise<boolean> {
    const facts = this.#facts();
    const lines: readonly JournalLine[] = [
      ...[...facts.conversations.values()].flatMap(factsOf),
      ...facts.gone,
      ...this.#running.all.map((turn) => nextRound(undefined, turn)),
    ];
    const encoded = lines.map(encodeLine);
    this.#isRewritten = true;
    return this.#write(async (journal) => {
      await journal.replace(encoded);
      this.#bytes = lengthOf(encoded);
      this.#maxBytes = Math.max(fullBytes, 4 * this.#bytes);
      this.#isBehind = false;
    });
  }

  async #write(write: (journal: Journal) => Promise<void>): Promise<boolean> {
    if (!this.#journal) return false;
    try {
      await write(this.#journal);
      this.#onOutcome(undefined);
      return true;
    } catch (cause) {
      this.#isBehind = true;
      this.#onOutcome({ cause });
      return false;
    }
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((length, line) => length + line.length + 1, 0);
}
