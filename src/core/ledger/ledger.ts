import { SerialQueue } from '../conversation/serialQueue';
import { StoreError, type DepartureRow } from '../conversation/store';
import type { TurnId } from '../conversation/turn';
import type { Log } from '../ports';
import { decodeRecord } from './decodeRecord';
import {
  answersIn,
  maxRecords,
  paramId,
  type AnswerRecord,
  type Eviction,
  type LedgerRecord,
  type SentItem,
  type Shown,
} from './record';

/** What was sent for each answer, and which turns were evicted and why. */
export interface Ledger {
  /** In the background; a failure is only logged. */
  add(record: AnswerRecord): void;
  /** All records, oldest first. */
  records(): Promise<readonly LedgerRecord[]>;
  /** Erases all records. */
  clear(): Promise<void>;
  onDidChange(listener: () => void): { dispose(): void };
}

/** Where it is kept. Nothing here waits, and anything may throw. */
export interface LedgerTable {
  add(record: AnswerRecord): void;
  /** Oldest first, the newest `maxRecords`, as JSON has them. */
  answers(): readonly unknown[];
  /** Oldest first, the newest `maxRecords`. */
  departures(): readonly DepartureRow[];
  /** First words of the turns that are still known, remembered or archived. */
  wordsOf(turns: readonly TurnId[]): ReadonlyMap<TurnId, string>;
  /** Names of all values that are still known, remembered or archived. */
  paramNames(): readonly string[];
  /** Texts of all notes. */
  notes(): ReadonlyMap<number, string>;
  clear(): void;
}

export function createLedger(options: {
  /** Undefined where there is no database: then records last as long as the window. */
  readonly table: () => Promise<LedgerTable | undefined>;
  readonly log: Log;
}): Ledger {
  const { table, log } = options;
  const listeners = new Set<() => void>();
  let unsaved: readonly AnswerRecord[] = [];
  const queue = new SerialQueue();

  /** One after another: who asks for records gets those that were added before. */
  const run = <T>(job: (table: LedgerTable | undefined) => T): Promise<T> =>
    queue.run(async () => job(await table()));

  async function change(job: (table: LedgerTable | undefined) => void): Promise<void> {
    await run(job);
    for (const listener of listeners) listener();
  }

  return {
    add(record) {
      const added = change((open) => {
        if (open) open.add(record);
        else unsaved = [...unsaved, record].slice(-maxRecords);
      });
      // The message of an error may quote what was to be written.
      void added.catch((cause: unknown) =>
        log.error(`ledger: a record could not be written (${causeOf(cause)})`),
      );
    },

    records: () =>
      run((open) => {
        if (!open) return unsaved;
        const evictions = open.departures().map(toEviction);
        const answers = [...open.answers().flatMap((raw) => decodeRecord(raw) ?? []), ...unsaved];
        const records = [...evictions, ...answers].toSorted((a, b) => timeOf(a) - timeOf(b));
        return withWords(records, open);
      }),

    clear: () =>
      change((open) => {
        unsaved = [];
        open?.clear();
      }),

    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

function causeOf(error: unknown): string {
  if (error instanceof StoreError) return error.kind;
  return error instanceof Error ? error.name : typeof error;
}

function toEviction(row: DepartureRow): Eviction {
  return { kind: 'evicted', ...row };
}

function withWords(records: readonly LedgerRecord[], table: LedgerTable): readonly LedgerRecord[] {
  const answers = answersIn(records);
  const times = new Map(answers.map(({ turn, startedAt }) => [turn, startedAt]));
  const words = table.wordsOf([...new Set(records.flatMap(turnsIn))]);
  const names = new Map(table.paramNames().map((name) => [paramId(name), name]));
  const notes = table.notes();
  const titled = <Item extends { readonly turn: TurnId }>(item: Item): Shown<Item> => ({
    ...item,
    startedAt: times.get(item.turn),
    words: words.get(item.turn),
  });
  const shown = (item: SentItem): Shown<SentItem> => {
    if (item.kind === 'param') return { ...item, words: names.get(item.param) };
    if (item.kind === 'note') return { ...item, words: notes.get(item.note) };
    return item.kind === 'turn' ? titled(item) : item;
  };
  return records.map((record) =>
    record.kind === 'evicted'
      ? titled(record)
      : {
          ...record,
          words: words.get(record.turn),
          sent: record.sent.map(shown),
          excluded: record.excluded.map(titled),
          ...(record.unsentNotes && {
            unsentNoteTexts: record.unsentNotes.flatMap((id) => notes.get(id) ?? []),
          }),
        },
  );
}

function turnsIn(record: LedgerRecord): readonly TurnId[] {
  if (record.kind === 'evicted') return [record.turn];
  const sent = record.sent.flatMap((item) => (item.kind === 'turn' ? [item.turn] : []));
  return [record.turn, ...sent, ...record.excluded.map(({ turn }) => turn)];
}

/** An answer stands where it ended: what was evicted in its course was part of it. */
function timeOf(record: LedgerRecord): number {
  return record.kind === 'answer' ? record.endedAt : record.at;
}
