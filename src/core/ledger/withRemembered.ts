import { firstWords } from '../conversation/reports/memoryReport';
import type { Conversation, TurnId } from '../conversation/turn';
import type { LedgerRecord } from './record';

/** The records with the words of all turns that are remembered: what was erased and brought back is known again. */
export function withRemembered(
  records: readonly LedgerRecord[],
  conversations: readonly Conversation[],
): readonly LedgerRecord[] {
  const turns = conversations.flatMap((conversation) => conversation.turns);
  const remembered = new Map(turns.map((turn) => [turn.id, firstWords(turn)]));
  const named = <Item extends { readonly turn: TurnId; readonly words?: string }>(item: Item): Item => {
    const words = item.words ?? remembered.get(item.turn);
    return words === undefined ? item : { ...item, words };
  };
  return records.map((record) =>
    record.kind === 'left'
      ? { ...record, turns: record.turns.map(named) }
      : {
          ...named(record),
          leftOut: record.leftOut.map(named),
          sent: record.sent.map((item) => (item.kind === 'turn' ? named(item) : item)),
        },
  );
}
