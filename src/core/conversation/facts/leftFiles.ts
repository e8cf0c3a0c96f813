import type { Clock, Journal, Log } from '../../ports';
import { subjectOf, type GoneFact } from './fact';
import type { Facts } from './facts';
import { removedElsewhere, type FileNews } from './otherWindows';
import type { OwnFile } from './ownFile';

/** After this long, what an earlier activation stored is certainly on the disk: VS Code takes about 100 ms. */
const settleMs = 2_000;

interface LeftFilesOptions {
  readonly journal: Journal | undefined;
  readonly ownFile: OwnFile;
  readonly facts: () => Facts;
  /** Something that cannot be read has no other place yet: no file may go. */
  readonly hasUnsavedAside: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** The write-ahead files of windows that are gone, and when they may go too: rule 5 of `DurableFacts`. */
export class LeftFiles {
  readonly #options: LeftFilesOptions;
  #loadedAt = 0;
  /** Files that said nothing new when this activation began, and the removals that go with them. */
  #redundant: ReadonlySet<string> = new Set();
  #goneAtLoad: ReadonlySet<GoneFact> = new Set();
  /** Removals that must outlast these files: what they remove is told by another file, which may go later. */
  #goneElsewhere: ReadonlySet<GoneFact> = new Set();

  constructor(options: LeftFilesOptions) {
    this.#options = options;
  }

  /** What the files said beside the store that was read at this time. */
  noteAtLoad(news: readonly FileNews[], redundant: readonly FileNews[], loadedAt: number): void {
    this.#loadedAt = loadedAt;
    // A window that was there before this one may still store what it knew before these files were written.
    const isAlone = !news.some((file) => file.isOwnerAlive);
    this.#redundant = new Set(isAlone ? redundant.map(({ name }) => name) : []);
    const elsewhere = removedElsewhere(news);
    const gone = [...this.#options.facts().gone];
    this.#goneElsewhere = new Set(gone.filter((fact) => elsewhere.has(subjectOf(fact))));
    this.#goneAtLoad = new Set(gone.filter((fact) => !elsewhere.has(subjectOf(fact))));
  }

  /** The first half of the rule. */
  async removeRedundant(): Promise<void> {
    const { journal, ownFile, facts, clock } = this.#options;
    if (!journal || this.#redundant.size === 0 || Math.abs(clock() - this.#loadedAt) < settleMs) return;
    const others = await journal.others().catch(() => undefined);
    if (!others || others.some((file) => file.isOwnerAlive)) return;
    // One file may remove what another one says: if only one of them can go, ours knows of the removal.
    if (!(await ownFile.append([...this.#goneElsewhere]))) return;
    const isAll = others.every(({ name }) => this.#redundant.has(name));
    const isRemoved = await this.remove([...this.#redundant]);
    // A removal that is still written down somewhere must stay known, or what comes back would not outrank it.
    if (isRemoved && isAll && !ownFile.isRewritten) facts().forgetGone(this.#goneAtLoad);
  }

  async remove(names: readonly string[]): Promise<boolean> {
    const { journal, hasUnsavedAside, log } = this.#options;
    if (!journal || hasUnsavedAside()) return false;
    this.#redundant = new Set([...this.#redundant].filter((name) => !names.includes(name)));
    try {
      await Promise.all(names.map((name) => journal.remove(name)));
      return true;
    } catch (cause) {
      // A file that stays is read again and says nothing new.
      log.warn(`memory: a write-ahead file could not be removed (${String(cause)})`);
      return false;
    }
  }
}
