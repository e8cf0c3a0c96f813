import type { Clock, Log } from '../../ports';
import { maxNotes, noteText, type ListedNote, type Note, type NoteOrigin } from './note';

/** Where notes are kept. One job is one transaction, committed when it resolves. */
export interface NoteStore {
  read<T>(job: (table: Pick<NoteTable, 'list'>) => T): Promise<T>;
  change<T>(job: (table: NoteTable) => T): Promise<T>;
  /** The same, and no byte of what is gone by it stays in any file. */
  erase<T>(job: (table: NoteTable) => T): Promise<T>;
}

export interface NoteTable {
  /** Oldest first. */
  list(): readonly ListedNote[];
  /** With a new id. */
  add(note: Omit<Note, 'id'>): number;
  /** With the id that it had. */
  putBack(note: Note): void;
  replace(note: Note): void;
  remove(id: number): void;
}

export type AddedNote =
  | { readonly type: 'added' | 'known'; readonly id: number }
  /** There are as many as there can be. */
  | { readonly type: 'full' };

/** The notes of a workspace, which all its windows share. */
export interface Notes {
  /** Oldest first. */
  list(): Promise<readonly ListedNote[]>;
  /** The same, for what goes on without them: none where they cannot be read. */
  known(): Promise<readonly ListedNote[]>;
  /** One with the same words is not kept twice. */
  add(text: string, origin: NoteOrigin): Promise<AddedNote>;
  /** False where it is gone. The text has been looked at by `noteProblem`. */
  edit(id: number, text: string): Promise<boolean>;
  /** What was forgotten, for `restore`. */
  forget(ids: readonly number[]): Promise<readonly Note[]>;
  forgetAll(): Promise<readonly Note[]>;
  restore(notes: readonly Note[]): Promise<void>;
  /** Notes of another workspace, which the person has moved here. */
  takeOver(notes: readonly Note[]): Promise<void>;
  /** Something was changed, here or in another window. */
  onDidChange(listener: () => void): { dispose(): void };
  /** To be told that another window may have written. */
  refresh(): void;
}

export function createNotes(options: {
  readonly store: NoteStore;
  readonly clock: Clock;
  readonly log: Log;
}): Notes {
  const { store, clock, log } = options;
  const listeners = new Set<() => void>();
  const fire = () => {
    for (const listener of listeners) listener();
  };
  const list = () => store.read((table) => table.list());
  const andTell = async <T>(writing: Promise<T>): Promise<T> => {
    const result = await writing;
    fire();
    return result;
  };
  const forget = (isMeant: (note: Note) => boolean) =>
    andTell(
      store.erase((table) => {
        const meant = table.list().filter(isMeant);
        for (const { id } of meant) table.remove(id);
        return meant;
      }),
    );

  return {
    list,
    async known() {
      try {
        return await list();
      } catch (error) {
        log.error('notes cannot be read', error);
        return [];
      }
    },
    add: (given, origin) =>
      andTell(
        store.change((table): AddedNote => {
          const text = noteText(given);
          const all = table.list();
          const same = all.find((note) => note.text === text);
          if (same) return { type: 'known', id: same.id };
          if (all.length >= maxNotes) return { type: 'full' };
          return { type: 'added', id: table.add({ text, at: clock(), origin }) };
        }),
      ),
    edit: (id, text) =>
      andTell(
        store.erase((table) => {
          const note = table.list().find((one) => one.id === id);
          if (note) table.replace({ ...note, text: noteText(text), editedAt: clock() });
          return note !== undefined;
        }),
      ),
    forget: (ids) => forget(({ id }) => ids.includes(id)),
    forgetAll: () => forget(() => true),
    restore: (notes) =>
      andTell(
        store.change((table) => {
          const there = new Set(table.list().map(({ id }) => id));
          for (const note of notes) if (!there.has(note.id)) table.putBack(note);
        }),
      ),
    takeOver: (notes) =>
      andTell(
        store.change((table) => {
          const known = new Set(table.list().map(({ text }) => text));
          const news = notes.filter(({ text }) => !known.has(text)).slice(0, maxNotes - known.size);
          for (const { id: _id, ...note } of news) table.add(note);
        }),
      ),
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    refresh: fire,
  };
}
