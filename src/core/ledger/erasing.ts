import { isName } from '../conversation/decode';
import type { TurnId } from '../conversation/turn';
import { datedNames } from '../datedTexts';
import type { Log, TextFiles } from '../ports';
import { decodeRecord } from './decodeRecord';
import { withoutWords, type LedgerRecord } from './record';

/** Takes words out of records for good (M26). */
export interface Erasing {
  /** Erases the words of these turns, and what could not be erased before. Gives the number of records that keep some. */
  run(turns: readonly TurnId[]): Promise<number>;
  /** The record without the words of turns that were erased in this activation or are still to be. */
  withoutErased(record: LedgerRecord): LedgerRecord;
}

/** Holds the ids of turns whose words are being erased: neither a crash nor a locked file makes that be forgotten. */
const pendingName = 'erasing.json';

export function createErasing({ files, log }: { readonly files: TextFiles; readonly log: Log }): Erasing {
  const erased = new Set<TurnId>();
  let isPending: boolean | undefined;

  async function readPending(): Promise<readonly TurnId[]> {
    try {
      const ids: unknown = JSON.parse((await files.read(pendingName)) ?? '[]');
      return Array.isArray(ids) ? ids.filter(isName) : [];
    } catch (cause) {
      log.error('ledger: what is still to be erased is not known', cause);
      return [];
    }
  }

  async function eraseIn(name: string, turns: ReadonlySet<TurnId>): Promise<void> {
    const text = await files.read(name);
    if (text === undefined || ![...turns].some((turn) => text.includes(JSON.stringify(turn)))) return;
    const record = decodeRecord(text);
    const kept = record && withoutWords(record, turns);
    if (record && kept === record) return;
    const isRewritten =
      kept !== undefined &&
      (await files.write(name, JSON.stringify(kept)).then(
        () => true,
        () => false,
      ));
    // On a full disk, or where only a later version knows what it says: better no record than those words.
    if (!isRewritten) await files.remove(name);
  }

  return {
    async run(turns) {
      for (const turn of turns) erased.add(turn);
      if (turns.length === 0 && isPending === false) return 0;
      const pending = await readPending();
      for (const turn of pending) erased.add(turn);
      isPending = pending.length > 0 || turns.length > 0;
      if (!isPending) return 0;
      const all = new Set([...pending, ...turns]);
      let failed = 0;
      if (turns.length > 0) {
        await files
          .write(pendingName, JSON.stringify([...all]))
          .catch((cause: unknown) => log.error('ledger: what is erased could not be noted', cause));
      }
      for (const name of await datedNames(files)) {
        try {
          await eraseIn(name, all);
        } catch (cause) {
          failed++;
          log.error('ledger: words could not be erased from a record', cause);
        }
      }
      isPending = failed > 0;
      if (!isPending) await files.remove(pendingName);
      return failed;
    },

    withoutErased: (record) => withoutWords(record, erased),
  };
}
