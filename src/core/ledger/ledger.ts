import { SerialQueue } from '../conversation/serialQueue';
import type { ConversationId, LeaveReason, StoredTurn, TurnId } from '../conversation/turn';
import { datedName, datedNames, keepNewest } from '../datedTexts';
import type { Clock, Log, TextFiles } from '../ports';
import { decodeRecord } from './decodeRecord';
import { sinceItBegan } from './leftOut';
import { withoutWords, type AnswerRecord, type LedgerRecord } from './record';
import { toLeftTurn } from './recorder';

const maxRecords = 300;

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
  readonly files: TextFiles;
  readonly clock: Clock;
  readonly log: Log;
}): Ledger {
  const { files, clock, log } = options;
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
    const read = (await datedNames(files)).map(async (name) => {
      // Another window may just have removed it.
      const text = await files.read(name);
      const record = text === undefined ? undefined : decodeRecord(text);
      return record ? [{ name, record }] : [];
    });
    return (await Promise.all(read)).flat();
  }

  const write = (name: string, record: LedgerRecord) => files.write(name, JSON.stringify(record));

  async function put(name: string, record: LedgerRecord): Promise<void> {
    // Something that it speaks of may have been erased meanwhile.
    await write(name, withoutWords(record, erased));
    await keepNewest(files, maxRecords);
  }

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
    add: (record) => inBackground(() => put(datedName(record.startedAt, record.turn), record)),

    left({ conversation, turns, reason }) {
      const at = clock();
      inBackground(async () => {
        if (reason === 'forgotten') await eraseWords(turns.map(({ id }) => id));
        if (reason === 'cleared')
          await eraseWords([...turns.map(({ id }) => id), ...(await allOf(conversation))]);
        const left = turns.map(toLeftTurn);
        const record = { version: 1, kind: 'left', conversation, at, reason, turns: left } as const;
        const [first] = turns;
        if (first) await put(datedName(at, `left-${reason}-${first.id}`), record);
      });
    },

    records: () => queue.run(async () => (await stored()).map(({ record }) => record).toSorted(byTime)),
    forget: (turns) => change(() => eraseWords(turns)),
    clear: () => change(() => files.clear()),

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

function byTime(a: LedgerRecord, b: LedgerRecord): number {
  return timeOf(a) - timeOf(b);
}

/** An answer stands where it ended: what left in its course was part of it. */
function timeOf(record: LedgerRecord): number {
  return record.kind === 'answer' ? record.endedAt : record.at;
}
