import * as l10n from '@vscode/l10n';
import { ToolError } from '../../errors';
import type { Clock, Log } from '../../ports';
import { readWholeText } from '../readText';
import { isSamePlace, isWithin, type ChangeOutcome, type Place, type Workspace } from '../workspace';
import type { Caller } from '../workspaceTool';
import { countLines, join, openTexts, type FileChange, type ListedChange } from './fileChange';
import { openHunks, originalOf, spotsIn, takeOut, withVerdict, type Original, type ShownHunk } from './judge';

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

/** Notes what tools do to files, so that it can be judged later. */
export interface ChangeRecorder {
  /** It is noted before it happens, so that a crash cannot lose it. `act` gives the text that was really left. */
  record(caller: Caller, planned: PlannedChange, act: () => Promise<Done>): Promise<ChangeOutcome>;
}

export interface Done {
  readonly outcome: ChangeOutcome;
  readonly after?: string | undefined;
  /** What a new file is written in. */
  readonly encoding?: string | undefined;
}

/** All that Claude changed and the person has not judged yet (C1). */
export interface Changes extends ChangeRecorder {
  /** Those in folders that are open, oldest first. */
  list(): Promise<readonly ListedChange[]>;
  /** With its texts; undefined when it was judged meanwhile. */
  get(id: number): Promise<FileChange | undefined>;
  /** For the gutter of an editor that shows this text; undefined where nothing is to be judged. */
  original(place: Place, text: string): Promise<Original | undefined>;
  keep(ids: readonly number[]): Promise<void>;
  /** The newest first. */
  undo(ids: readonly number[], signal: AbortSignal): Promise<UndoReport>;
  /** Judges what an editor with this text shows between these lines of the original. */
  keepLines(lines: JudgedLines): Promise<void>;
  undoLines(lines: JudgedLines, signal: AbortSignal): Promise<UndoReport>;
  /** The person has renamed a file or folder. */
  moved(from: Place, to: Place): Promise<void>;
  /** Something was changed or judged, here or in another window. */
  onDidChange(listener: () => void): { dispose(): void };
  /** To be told that another window may have written. */
  refresh(): void;
}

export interface JudgedLines extends ShownHunk {
  readonly place: Place;
}

export interface UndoReport {
  readonly undone: readonly ListedChange[];
  readonly refused: readonly { readonly change: ListedChange; readonly why: string }[];
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

export function createChanges(options: {
  readonly store: ChangeStore;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly log: Log;
}): Changes {
  const { store, workspace, clock, log } = options;
  const listeners = new Set<() => void>();
  const underWay = new Set<number>();
  const fire = () => {
    for (const listener of listeners) listener();
  };
  const write = async <T>(job: (table: ChangeTable) => T): Promise<T> => {
    const result = await store.change(job);
    fire();
    return result;
  };

  /** A change is made also where it cannot be noted: then it can be undone in the editor only. */
  async function begin(turnId: string, planned: PlannedChange): Promise<number | undefined> {
    try {
      return await store.change((table) => {
        const { id } = add(table, turnId, planned);
        underWay.add(id);
        return id;
      });
    } catch (error) {
      log.error('a change of a file could not be noted', error);
      return undefined;
    }
  }

  function add(table: ChangeTable, turnId: string, planned: PlannedChange): FileChange {
    // Joined with the one before it in its turn, it takes no room of its own.
    const isNext = table.before(Number.MAX_SAFE_INTEGER, turnId, planned.place)?.canBeUndone === true;
    const change = toChange(turnId, planned, isNext ? 0 : table.size());
    return { ...change, id: table.add(change) };
  }

  function toChange(turnId: string, planned: PlannedChange, used: number): Omit<FileChange, 'id'> {
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
      ...{ turnId, words: '', at: clock(), kind, place, from, encoding, judged: [], ...texts },
      ...countLines({ kind, before, after }),
      canBeUndone: isKept || kind === 'rename',
    };
  }

  async function finish(noted: Noted, done: Done | undefined): Promise<void> {
    await write((table) => {
      // Another window may have judged it before it happened.
      const known = noted.id === undefined ? undefined : table.get(noted.id);
      settle(table, known ?? add(table, noted.turnId, noted.planned), done);
    });
  }

  const forget = async (id: number | undefined) => {
    if (id !== undefined) await write((table) => table.remove(id));
  };

  const isOpenHere = (place: Place) => workspace.folders().some(({ root }) => root === place.folder.root);

  const textAt = async (place: Place, signal: AbortSignal) => {
    try {
      return await readWholeText(workspace, { place, shown: place.path }, signal);
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };

  /** In doubt it has. */
  async function mayHaveHappened({ kind, place, before }: PlannedChange): Promise<boolean> {
    const { signal } = new AbortController();
    try {
      if (kind === 'edit') return (await textAt(place, signal))?.text !== before;
      const isThere = (await workspace.stat(place, signal)) !== undefined;
      return kind === 'delete' ? !isThere : isThere;
    } catch {
      return true;
    }
  }

  /** The sentence why it cannot be; nothing where all of it is undone. */
  async function undoChange(change: FileChange, signal: AbortSignal): Promise<string | undefined> {
    const { kind, place, from } = change;
    if (!change.canBeUndone) return l10n.t('no copy of the text before was kept');
    if (!isOpenHere(place)) return l10n.t('its folder is not open here');
    if (kind === 'edit') return undoHunks(change, openHunks(change), signal);
    const { before, after } = openTexts(change);
    const there = await workspace.stat(place, signal);
    if (kind === 'create' && there && (await textAt(place, signal))?.text !== after) return editedSince();
    const isBack = kind === 'delete' && there && (await textAt(place, signal))?.text === before;
    if (kind === 'delete' && there && !isBack) return l10n.t('something else is there now');
    if (kind === 'rename' && !there) return l10n.t('it is no longer there');
    const isUndone = isBack || (kind === 'create' && !there);
    const outcome = isUndone ? undefined : await workspace.apply(inverse(), signal);
    if (outcome?.kind === 'refused') return outcome.why;
    await write((table) => {
      table.remove(change.id);
      if (kind === 'rename' && from) move(table, place, from);
    });
    return undefined;

    function inverse() {
      if (kind === 'rename' && from) return { kind, from: place, to: from } as const;
      if (kind === 'delete')
        return { kind: 'create', place, text: before, encoding: change.encoding } as const;
      return { kind: 'delete', place } as const;
    }
  }

  async function undoHunks(
    change: FileChange,
    hunks: readonly number[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { place } = change;
    const current = await textAt(place, signal);
    if (!current) return l10n.t('it is no longer there');
    const isBack = current.text === openTexts(change).before;
    const { text, taken, stuck } = isBack
      ? { text: current.text, taken: hunks, stuck: [] }
      : takeOut(change, hunks, current.text);
    if (taken.length === 0) return stuck.length > 0 ? editedSince() : undefined;
    if (text !== current.text) {
      const { encoding } = current;
      if (!current.isExact || (await workspace.findUnwritable(place, text, encoding)))
        return l10n.t('it would not be written as it was in its present encoding, {0}', encoding);
      const edit = { kind: 'edit', place, before: current.text, after: text, encoding } as const;
      const outcome = await workspace.apply({ ...edit, isExact: true }, signal);
      if (outcome.kind === 'refused') return outcome.why;
    }
    await write((table) => judge(table, change, taken, 'undone'));
    return stuck.length > 0 ? editedSince() : undefined;
  }

  const at = (table: ReadableTable, place: Place): readonly FileChange[] =>
    table
      .list()
      .filter((one) => isSamePlace(one.place, place) && one.kind !== 'rename' && one.canBeUndone)
      .filter(({ id }) => !underWay.has(id))
      .flatMap(({ id }) => table.get(id) ?? []);

  function inLines(table: ReadableTable, { place, ...hunk }: JudgedLines) {
    const spots = spotsIn(originalOf(at(table, place), hunk.text), hunk);
    const changes = new Map(spots.map(({ change }) => [change.id, change]));
    return [...changes.values()].map((change) => ({
      change,
      hunks: spots.flatMap((spot) => (spot.change === change ? [spot.hunk] : [])),
    }));
  }

  return {
    async record({ turnId }, planned, act) {
      if (turnId === undefined) return (await act()).outcome;
      const id = await begin(turnId, planned);
      let done: Done | undefined;
      try {
        done = await act();
        return done.outcome;
      } finally {
        if (id !== undefined) underWay.delete(id);
        // When it failed or was stopped, it may have happened all the same: then it is listed.
        const isMade = done ? done.outcome.kind !== 'refused' : await mayHaveHappened(planned);
        const ending = isMade ? finish({ id, turnId, planned }, done) : forget(id);
        await ending.catch((error: unknown) => log.error('a change of a file could not be noted', error));
      }
    },

    async list() {
      const all = await store.read((table) => table.list());
      return all.filter(({ id, place }) => !underWay.has(id) && isOpenHere(place));
    },
    get: (id) => store.read((table) => table.get(id)),

    async original(place, text) {
      const changes = await store.read((table) => at(table, place));
      return changes.length > 0 ? originalOf(changes, text) : undefined;
    },

    keep: (ids) =>
      write((table) => {
        for (const id of ids) table.remove(id);
      }),

    async undo(ids, signal) {
      const all: { change: ListedChange; why: string | undefined }[] = [];
      for (const id of ids.toSorted((a, b) => b - a)) {
        const change = await store.read((table) => table.get(id));
        if (change) all.push({ change, why: await orWhy(undoChange(change, signal)) });
      }
      return reportOf(all);
    },

    keepLines: (lines) =>
      write((table) => {
        for (const { change, hunks } of inLines(table, lines)) judge(table, change, hunks, 'kept');
      }),

    async undoLines(lines, signal) {
      const all: { change: ListedChange; why: string | undefined }[] = [];
      // The newest first: what it changed stands on what older ones left.
      for (const { change, hunks } of await store.read((table) => inLines(table, lines))) {
        const undoing =
          change.kind === 'edit' ? undoHunks(change, hunks, signal) : undoChange(change, signal);
        all.push({ change, why: await orWhy(undoing) });
      }
      return reportOf(all);
    },

    moved: (from, to) => write((table) => move(table, from, to)),

    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    refresh: fire,
  };
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

function editedSince(): string {
  return l10n.t('the same place was changed since');
}

/** A change that was about to happen. */
interface Noted {
  /** Undefined when the database could not be written then. */
  readonly id: number | undefined;
  readonly turnId: string;
  readonly planned: PlannedChange;
}

/** It has happened: with what its turn did to the same file before, it is one. */
function settle(table: ChangeTable, noted: FileChange, done: Done | undefined): void {
  const { id, turnId } = noted;
  const left = { encoding: noted.encoding ?? done?.encoding, after: done?.after ?? noted.after };
  const last = noted.canBeUndone ? withTexts(noted, left) : noted;
  if (last.kind === 'rename' && last.from) move(table, last.from, last.place, id);
  const first = table.before(id, turnId, last.place);
  // Undone one by one from the last, a file must be where each of them left it.
  const isComingOrGoing = last.kind !== 'edit' || first?.kind === 'delete';
  const isRenamed =
    isComingOrGoing &&
    table
      .list()
      .some(
        (one) => one.turnId === turnId && one.kind === 'rename' && one.id > (first?.id ?? id) && one.id < id,
      );
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
function move(table: ChangeTable, from: Place, to: Place, except?: number): void {
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

/** One that cannot be undone does not keep the others from it. */
async function orWhy(undoing: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await undoing;
  } catch (error) {
    if (error instanceof ToolError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

/** What was judged as a whole is forgotten. Where it has become another change meanwhile, its hunks are others. */
function judge(
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

function reportOf(
  all: readonly { readonly change: ListedChange; readonly why: string | undefined }[],
): UndoReport {
  return {
    undone: all.flatMap(({ change, why }) => (why === undefined ? [change] : [])),
    refused: all.flatMap(({ change, why }) => (why === undefined ? [] : [{ change, why }])),
  };
}
