import { SerialQueue } from '../conversation/serialQueue';
import type { ConversationId, LeaveReason, StoredTurn, TurnId } from '../conversation/turn';
import type { Clock, Log, RecordStore } from '../ports';
import { decodeRecord } from './decodeRecord';
import { sinceItBegan } from './leftOut';
import { withoutWords, type AnswerRecord, type LedgerRecord } from './record';
import { toLeftTurn } from './recorder';

/** What was sent for each answer, and which turns left and why. Nobody waits for it, and its failures stay its own. */
export interface Ledger {
  add(record: AnswerRecord): void;
  /** Turns are no longer remembered. What the person erased loses its words here, too. */
  left(departure: {
    readonly conversation: ConversationId;
    readonly turns: readonly StoredTurn[];
    readonly reason: LeaveReason;
  }): void;
  /** All records, oldest first. */
  records(): Promise<readonly LedgerRecord[]>;
  /** Erases the words of these turns from all records. */
  forget(turns: readonly TurnId[]): Promise<void>;
  /** Erases all records. */
  clear(): Promise<void>;
  onDidChange(listener: () => void): { dispose(): void };
}

export function createLedger(options: {
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly log: Log;
}): Ledger {
  const { store, clock, log } = options;
  const queue = new SerialQueue();
  const listeners = new Set<() => void>();
  const erased = new Set<TurnId>();

  async function change(job: () => Promise<void>): Promise<void> {
    await queue.run(job);
    for (const listener of listeners) listener();
  }

  const inBackground = (job: () => Promise<void>) =>
    void change(job).catch((cause: unknown) => log.error('ledger: a record could not be written', cause));

  async function stored(): Promise<readonly StoredRecord[]> {
    const texts = await store.read();
    return texts.flatMap(({ name, text }) => {
      const record = decodeRecord(text);
      return record ? [{ name, record }] : [];
    });
  }

  const write = (name: string, record: LedgerRecord) => store.write(name, JSON.stringify(record));

  async function eraseWords(turns: readonly TurnId[]): Promise<void> {
    for (const turn of turns) erased.add(turn);
    const all = new Set(turns);
    for (const { name, record } of await stored()) {
      const kept = withoutWords(record, all);
      if (kept !== record) await write(name, kept);
    }
  }

  /** Also the turns of a conversation that had left it before. */
  async function allOf(conversation: ConversationId): Promise<readonly TurnId[]> {
    const records = (await stored()).map(({ record }) => record).toSorted(byTime);
    return sinceItBegan(records, conversation).flatMap(turnsOf);
  }

  return {
    add: (record) =>
      // Something that it was sent may have been erased while it ran.
      inBackground(() => write(nameOf(record.startedAt, record.turn), withoutWords(record, erased))),

    left({ conversation, turns, reason }) {
      const at = clock();
      inBackground(async () => {
        if (reason === 'forgotten') await eraseWords(turns.map(({ id }) => id));
        if (reason === 'cleared')
          await eraseWords([...turns.map(({ id }) => id), ...(await allOf(conversation))]);
        const left = turns.map(toLeftTurn);
        const record = { version: 1, kind: 'left', conversation, at, reason, turns: left } as const;
        const [first] = turns;
        if (first) await write(nameOf(at, `left-${reason}-${first.id}`), withoutWords(record, erased));
      });
    },

    records: () => queue.run(async () => (await stored()).map(({ record }) => record).toSorted(byTime)),
    forget: (turns) => change(() => eraseWords(turns)),
    clear: () => change(() => store.clear()),

    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

function turnsOf(record: LedgerRecord): readonly TurnId[] {
  return record.kind === 'answer' ? [record.turn] : record.turns.map(({ turn }) => turn);
}

interface StoredRecord {
  readonly name: string;
  readonly record: LedgerRecord;
}

/** By name they are in the order of time. */
function nameOf(at: number, id: string): string {
  return `${String(Math.trunc(at)).padStart(15, '0')}-${id.replaceAll(/[^\w-]/g, '_').slice(0, 80)}`;
}

function byTime(a: LedgerRecord, b: LedgerRecord): number {
  return timeOf(a) - timeOf(b);
}

/** An answer stands where it ended: what left in its course was part of it. */
function timeOf(record: LedgerRecord): number {
  return record.kind === 'answer' ? record.endedAt : record.at;
}
