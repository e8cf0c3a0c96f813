import * as l10n from '@vscode/l10n';
import { ToolError } from '../../errors';
import type { Clock, Log } from '../../ports';
import { readWholeText } from '../readText';
import { isSamePlace, type ChangeOutcome, type Place, type Workspace } from '../workspace';
import type { Caller } from '../workspaceTool';
import {
  addChange,
  judgeHunks,
  moveChanges,
  settleChange,
  type ChangeStore,
  type ChangeTable,
  type Done,
  type PlannedChange,
  type ReadableTable,
} from './changeRows';
import { openTexts, type FileChange, type ListedChange } from './fileChange';
import { openHunks, originalOf, spotsIn, takeOut, type Original, type ShownHunk } from './judge';

/** Notes what tools do to files, so that it can be judged later. */
export interface ChangeRecorder {
  /** It is noted before it happens, so that a crash cannot lose it. `act` gives the text that was really left. */
  record(caller: Caller, planned: PlannedChange, act: () => Promise<Done>): Promise<ChangeOutcome>;
  /** The same for what happens to several files at once. */
  recordAll(
    caller: Caller,
    planned: readonly PlannedChange[],
    act: () => Promise<Done>,
  ): Promise<ChangeOutcome>;
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
  async function begin(turnId: string, all: readonly PlannedChange[]): Promise<readonly Noted[]> {
    try {
      return await store.change((table) =>
        all.map((planned) => {
          const { id } = addChange(table, turnId, planned, clock());
          underWay.add(id);
          return { id, turnId, planned };
        }),
      );
    } catch (error) {
      log.error('a change of a file could not be noted', error);
      return all.map((planned) => ({ id: undefined, turnId, planned }));
    }
  }

  function finish(table: ChangeTable, noted: Noted, done: Done | undefined): void {
    // Another window may have judged it before it happened.
    const known = noted.id === undefined ? undefined : table.get(noted.id);
    const row = known ?? addChange(table, noted.turnId, noted.planned, clock());
    settleChange(table, row, done);
  }

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
      if (kind === 'rename' && from) moveChanges(table, place, from);
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
    await write((table) => judgeHunks(table, change, taken, 'undone'));
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

  const recordAll: Changes['recordAll'] = async ({ turnId }, planned, act) => {
    if (turnId === undefined) return (await act()).outcome;
    const all = await begin(turnId, planned);
    let done: Done | undefined;
    try {
      done = await act();
      return done.outcome;
    } finally {
      for (const { id } of all) if (id !== undefined) underWay.delete(id);
      // When it failed or was stopped, it may have happened all the same: then it is listed.
      const { outcome } = done ?? {};
      const made = await Promise.all(
        all.map(async (one) => (outcome ? outcome.kind !== 'refused' : mayHaveHappened(one.planned))),
      );
      const ending = write((table) => {
        for (const [index, noted] of all.entries()) {
          if (made[index] === true) finish(table, noted, done);
          else if (noted.id !== undefined) table.remove(noted.id);
        }
      });
      await ending.catch((error: unknown) => log.error('a change of a file could not be noted', error));
    }
  };

  return {
    record: (caller, planned, act) => recordAll(caller, [planned], act),
    recordAll,

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
        for (const { change, hunks } of inLines(table, lines)) judgeHunks(table, change, hunks, 'kept');
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

    moved: (from, to) => write((table) => moveChanges(table, from, to)),

    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    refresh: fire,
  };
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

/** One that cannot be undone does not keep the others from it. */
async function orWhy(undoing: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await undoing;
  } catch (error) {
    if (error instanceof ToolError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

function reportOf(
  all: readonly { readonly change: ListedChange; readonly why: string | undefined }[],
): UndoReport {
  return {
    undone: all.flatMap(({ change, why }) => (why === undefined ? [change] : [])),
    refused: all.flatMap(({ change, why }) => (why === undefined ? [] : [{ change, why }])),
  };
}
