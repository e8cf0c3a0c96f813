import type { DepartureRow } from '../../src/core/conversation/store';
import type { TurnId } from '../../src/core/conversation/turn';
import type { LedgerTable } from '../../src/core/ledger/ledger';
import { maxRecords } from '../../src/core/ledger/record';

/** A ledger's table in memory, with what the memory's own transactions would write. */
export interface LedgerTableInMemory extends LedgerTable {
  /** As the table has them, as JSON. */
  readonly stored: string[];
  readonly departed: DepartureRow[];
  /** Turns that are known, with their first words. */
  readonly words: Map<TurnId, string>;
  readonly params: Set<string>;
  readonly noteTexts: Map<number, string>;
}

export function ledgerTableInMemory(): LedgerTableInMemory {
  const stored: string[] = [];
  const departed: DepartureRow[] = [];
  const words = new Map<TurnId, string>();
  const params = new Set<string>();
  const noteTexts = new Map<number, string>();
  return {
    stored,
    departed,
    words,
    params,
    noteTexts,
    notes: () => noteTexts,
    add: (record) => void stored.push(JSON.stringify(record)),
    answers: () => stored.slice(-maxRecords).map((text): unknown => JSON.parse(text)),
    departures: () => departed.slice(-maxRecords),
    wordsOf: (turns) => new Map([...words].filter(([turn]) => turns.includes(turn))),
    paramNames: () => [...params],
    clear: () => {
      stored.length = 0;
      departed.length = 0;
    },
  };
}
