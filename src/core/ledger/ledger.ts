import { SerialQueue } from '../conversation/serialQueue';
import type { ConversationId, LeaveReason, StoredTurn, TurnId } from '../conversation/turn';
import { datedName, datedNames, keepNewest } from '../datedTexts';
import type { Clock, Log, TextFiles } from '../ports';
import { recordsOf, type RememberedConversation } from './conversationRecords';
import { decodeRecord } from './decodeRecord';
import { createErasing } from './erasing';
import { maxRecords, type AnswerRecord, type LedgerRecord } from './record';
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
  readonly files: TextFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** So many records keep words that the person erased, since their files cannot be changed now. */
  readonly onEraseFailed: (records: number) => void;
}): Ledger {
  const { files, clock, log } = options;
  const queue = new SerialQueue();
  const listeners = new Set<() => void>();
  const erasing = createErasing({ files, log });

  async function change(job: () => Promise<void>): Promise<void> {
    await queue.run(job);
    for (const listener of listeners) listener();
  }

  const inBackground = (job: () => Promise<void>) =>
    void change(job).catch((cause: unknown) => log.error('ledger: a record could not be written', cause));

  async function stored(): Promise<readonly LedgerRecord[]> {
    const read = (await datedNames(files)).map(async (name) => {
      const text = await readOrSkip(name);
      const record = text === undefined ? undefined : decodeRecord(text);
      return record ? [erasing.withoutErased(record)] : [];
    });
    return (await Promise.all(read)).flat().toSorted(byTime);
  }

  /** One that is locked must not hide the others; one that is gone was removed by another window. */
  const readOrSkip = (name: string) =>
    files.read(name).catch((cause: unknown) => {
      log.error('ledger: a record could not be read', cause);
      return undefined;
    });

  async function put(name: string, record: LedgerRecord): Promise<void> {
    await eraseWords([]);
    // Something that it speaks of may have been erased meanwhile.
    await files.write(name, JSON.stringify(erasing.withoutErased(record)));
    await keepNewest(files, maxRecords);
  }

  async function eraseWords(turns: readonly TurnId[]): Promise<void> {
    const failed = await erasing.run(turns);
    if (turns.length > 0 && failed > 0) options.onEraseFailed(failed);
  }

  /** Also the turns of a conversation that had left it before. */
  async function allOf(conversation: RememberedConversation): Promise<readonly TurnId[]> {
    return [...conversation.turns, ...recordsOf(conversation, await stored()).flatMap(turnsOf)];
  }

  return {
    add: (record) => inBackground(() => put(datedName(record.startedAt, record.turn), record)),

    left({ conversation, turns, reason }) {
      const at = clock();
      inBackground(async () => {
        const ids = turns.map(({ id }) => id);
        if (reason === 'forgotten') await eraseWords(ids);
        if (reason === 'cleared') await eraseWords(await allOf({ id: conversation, turns: ids }));
        const left = turns.map(toLeftTurn);
        const record = { version: 1, kind: 'left', conversation, at, reason, turns: left } as const;
        const [first] = turns;
        if (first) await put(datedName(at, `left-${reason}-${first.id}`), record);
      });
    },

    records: () =>
      queue.run(async () => {
        await eraseWords([]);
        return stored();
      }),
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

function byTime(a: LedgerRecord, b: LedgerRecord): number {
  return timeOf(a) - timeOf(b);
}

/** An answer stands where it ended: what left in its course was part of it. */
function timeOf(record: LedgerRecord): number {
  return record.kind === 'answer' ? record.endedAt : record.at;
}
