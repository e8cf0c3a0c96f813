import { isSamePlace, isWithin, type ChangeOutcome, type Place } from '../workspace';
import { countLines, join, type FileChange, type ListedChange } from './fileChange';
import { openHunks, withVerdict } from './judge';

/** No copy is kept of a larger text, nor of any when all together are larger (C4), in characters. */
export const maxTextSize = 5 * 1024 * 1024;
export const maxTotalSize = 50 * 1024 * 1024;

/** What is to happen to one file, with all that it takes to undo it. */
export interface PlannedChange {
  readonly kind: FileChange['kind'];
  readonly place: Place;
  readonly from?: Place;
  /** Undefined where there is nothing, or it is no text. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly encoding?: string | undefined;
  /** No copy is made of it. */
  readonly isSecret: boolean;
}

export interface Done {
  readonly outcome: ChangeOutcome;
  readonly after?: string | undefined;
  /** What a new file is written in. */
  readonly encoding?: string | undefined;
}

/** Where they are kept. One job is one transaction. */
export interface ChangeStore {
  read<T>(job: (table: ReadableTable) => T): Promise<T>;
  change<T>(job: (table: ChangeTable) => T): Promise<T>;
}

export interface ReadableTable {
  /** Oldest first. */
  list(): readonly ListedChange[];
  get(id: number): FileChange | undefined;
}

export interface ChangeTable extends ReadableTable {
  add(change: Omit<FileChange, 'id'>): number;
  replace(change: FileChange): void;
  remove(id: number): void;
  /** Of all texts before, in characters. */
  size(): number;
  /** What the same turn did to the same file last, before this one. */
  before(id: number, turnId: string, place: Place): FileChange | undefined;
}

/** It is about to happen. */
export function addChange(
  table: ChangeTable,
  turnId: string,
  planned: PlannedChange,
  at: number,
): FileChange {
  // Joined with the one before it in its turn, it takes no room of its own.
  const isNext = table.before(Number.MAX_SAFE_INTEGER, turnId, planned.place)?.canBeUndone === true;
  const change = { ...toChange(planned, isNext ? 0 : table.size()), turnId, at };
  return { ...change, id: table.add(change) };
}

function toChange(planned: PlannedChange, used: number): Omit<FileChange, 'id' | 'turnId' | 'at'> {
  const { kind, place, from, before, after, encoding, isSecret } = planned;
  const sizes = [before, after].map((text) => text?.length ?? 0);
  const isKept =
    !isSecret &&
    sizes.every((size) => size <= maxTextSize) &&
    // The database would keep another character for half of one, which UTF-16 can hold.
    [before, after].every((text) => text?.isWellFormed() ?? true) &&
    used + (before?.length ?? 0) <= maxTotalSize &&
    (kind === 'create' || kind === 'rename' || before !== undefined);
  const texts = isKept ? { before, after } : { before: undefined, after: undefined };
  return {
    ...{ words: '', kind, place, from, encoding, judged: [], ...texts },
    ...countLines({ kind, before, after }),
    canBeUndone: isKept || kind === 'rename',
  };
}

/** It has happened: with what its turn did to the same file before, it is one. */
export function settleChange(table: ChangeTable, noted: FileChange, done: Done | undefined): void {
  const { id, turnId } = noted;
  const left = { encoding: noted.encoding ?? done?.encoding, after: done?.after ?? noted.after };
  const last = noted.canBeUndone ? withTexts(noted, left) : noted;
  if (last.kind === 'rename' && last.from) moveChanges(table, last.from, last.place, id);
  const first = table.before(id, turnId, last.place);
  // Undone one by one from the last, a file must be where each of them left it.
  const isComingOrGoing = first !== undefined && (last.kind !== 'edit' || first.kind === 'delete');
  const isRenamed =
    isComingOrGoing &&
    table
      .list()
      .some((one) => one.turnId === turnId && one.kind === 'rename' && one.id > first.id && one.id < id);
  const joined = first && last.canBeUndone && !isRenamed ? join(first, last) : 'apart';
  if (joined === 'apart' || !first)
    return table.replace(table.size() > maxTotalSize ? withoutTexts(last) : last);
  table.remove(id);
  if (joined === 'nothing') table.remove(first.id);
  else table.replace(withTexts(first, joined));
}

/**
 * Who stands below a place that is moved moves along. What was there before, deleted or renamed away, is another file
 * than the one that is moved, and stays.
 */
export function moveChanges(table: ChangeTable, from: Place, to: Place, except?: number): void {
  const isBelow = (place: Place) => isWithin(from, place) && !isSamePlace(from, place);
  const moved = (place: Place) => ({
    folder: to.folder,
    path: `${to.path}${place.path.slice(from.path.length)}`,
  });
  for (const { id, kind, place, from: origin } of table.list()) {
    const isMoved = kind === 'delete' ? isBelow(place) : isWithin(from, place);
    const isOriginMoved = origin !== undefined && isBelow(origin);
    const change = id !== except && (isMoved || isOriginMoved) ? table.get(id) : undefined;
    if (!change) continue;
    table.replace({
      ...change,
      place: isMoved ? moved(place) : place,
      from: isOriginMoved ? moved(origin) : origin,
    });
  }
}

/** What was judged as a whole is forgotten. Where it has become another change meanwhile, its hunks are others. */
export function judgeHunks(
  table: ChangeTable,
  { id, before, after }: FileChange,
  hunks: readonly number[],
  verdict: 'kept' | 'undone',
): void {
  const known = table.get(id);
  if (!known || known.before !== before || known.after !== after) return;
  const change = { ...known, judged: withVerdict(known, hunks, verdict) };
  if (openHunks(change).length === 0) table.remove(id);
  else table.replace({ ...change, ...countLines(change) });
}

function withTexts(
  change: FileChange,
  next: Partial<Pick<FileChange, 'kind' | 'before' | 'after' | 'encoding' | 'judged'>>,
): FileChange {
  const isSame = next.after === undefined || next.after === change.after;
  // Of another text the hunks are others.
  const changed = { ...change, ...(!isSame && { judged: [] }), ...next };
  return { ...changed, ...countLines(changed) };
}

function withoutTexts(change: FileChange): FileChange {
  return { ...change, before: undefined, after: undefined, canBeUndone: change.kind === 'rename' };
}
