import type { Journal, JournalFile } from '../../ports';
import { isRemoval, subjectOf, type Fact } from './fact';
import type { Facts } from './facts';
import { decodeLines } from './journalLine';
import { recovered, RunningTurns, type RunningTurn } from './runningTurns';

/** What a file of another activation says that was not read before. */
export interface FileNews extends JournalFile {
  readonly facts: readonly Fact[];
  /** Turns that nobody will finish: the window that ran them is gone. */
  readonly orphans: readonly RunningTurn[];
  readonly damagedLines: readonly DamagedLine[];
  /** A newer version of the extension wrote to it: it may say more than we can read. */
  readonly isForeign: boolean;
  readonly isEmpty: boolean;
}

/** What came of the news. */
interface Learnt {
  /** What nobody had written down yet: turns of windows that died, or that came back. */
  readonly learnt: readonly Fact[];
  /** How many of these are turns of windows that died. */
  readonly recoveredCount: number;
  readonly hasChanged: boolean;
  /** Files that said nothing new, of owners that are gone. */
  readonly redundant: readonly FileNews[];
}

/** Makes true what the files say. */
export function applyNews(facts: Facts, news: readonly FileNews[]): Learnt {
  const changing = new Set<FileNews>();
  const apply = (fact: Fact, file: FileNews) => {
    const hasEffect = facts.apply(fact);
    if (hasEffect) changing.add(file);
    return hasEffect;
  };
  // Removals first: a turn that was saved and removed again is then no change at all.
  for (const file of news) for (const fact of file.facts) if (isRemoval(fact)) apply(fact, file);
  for (const file of news) for (const fact of file.facts) if (!isRemoval(fact)) apply(fact, file);
  const orphans = news.flatMap((file) =>
    file.orphans.flatMap((turn) => recovered(turn) ?? []).filter((fact) => apply(fact, file)),
  );
  const redundant = news.filter((file) => isOursToRemove(file) && !changing.has(file));
  const learnt = [...facts.takeReturned(), ...orphans];
  return { learnt, recoveredCount: orphans.length, hasChanged: changing.size > 0, redundant };
}

export function isOursToRemove(file: FileNews): boolean {
  return !file.isOwnerAlive && !file.isForeign;
}

/** The things that one file says and another one removes: while either is there, somebody has to know of the removal. */
export function removedElsewhere(news: readonly FileNews[]): ReadonlySet<string> {
  const places = new Map<string, Set<FileNews>>();
  for (const file of news) {
    const told = [...file.facts, ...file.orphans.flatMap((turn) => recovered(turn) ?? [])];
    for (const fact of told) {
      if (!isRemoval(fact)) places.set(subjectOf(fact), (places.get(subjectOf(fact)) ?? new Set()).add(file));
    }
  }
  const removals = news.flatMap((file) =>
    file.facts.filter(isRemoval).flatMap((fact) => {
      const others = [...(places.get(subjectOf(fact)) ?? [])].filter((other) => other !== file);
      return others.length > 0 ? [subjectOf(fact)] : [];
    }),
  );
  return new Set(removals);
}

interface DamagedLine {
  /** The same at every reading, so that it is set aside once. */
  readonly key: string;
  readonly text: string;
}

/** Reads on in the write-ahead files that other windows left or still write. */
export class OtherWindows {
  readonly #journal: Journal;
  readonly #offsets = new Map<string, number>();
  readonly #running = new Map<string, RunningTurns>();
  readonly #foreign = new Set<string>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  async news(): Promise<readonly FileNews[]> {
    const news: FileNews[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const found = await Promise.all((await this.#journal.others()).map((file) => this.#read(file)));
      news.push(...found.filter((one) => one !== undefined));
      // A file that went while we read has a successor, which the next listing shows.
      if (!found.includes(undefined)) break;
    }
    return news;
  }

  async #read(file: JournalFile): Promise<FileNews | undefined> {
    const from = this.#offsets.get(file.name) ?? 0;
    const stretch = await this.#journal.read(file.name, from);
    if (!stretch) return undefined;
    this.#offsets.set(file.name, stretch.end);
    const running = this.#running.get(file.name) ?? new RunningTurns();
    this.#running.set(file.name, running);

    const facts: Fact[] = [];
    const damagedLines: DamagedLine[] = [];
    for (const decoded of decodeLines(stretch.text)) {
      if (decoded.kind === 'newer') this.#foreign.add(file.name);
      if (decoded.kind === 'damaged') {
        damagedLines.push({ key: `${file.name}.${hash(decoded.text)}`, text: decoded.text });
      }
      if (decoded.kind !== 'line') continue;
      running.follow(decoded.line);
      if (decoded.line.kind !== 'running' && decoded.line.kind !== 'abandoned') facts.push(decoded.line);
    }
    const orphans = file.isOwnerAlive ? [] : running.all;
    if (!file.isOwnerAlive) running.clear();
    return {
      ...file,
      facts,
      orphans,
      damagedLines,
      isForeign: this.#foreign.has(file.name),
      isEmpty: stretch.end === 0,
    };
  }
}

/** FNV-1a: only has to tell the damaged lines of one file apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(16);
}
