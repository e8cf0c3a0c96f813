import type { Conversation, ConversationId, TurnId } from '../conversation/turn';
import type { DepartureRecord, LedgerRecord } from './record';

/** A conversation by the turns that are remembered of it, as they are or in its summary. */
export interface RememberedConversation {
  readonly id: ConversationId;
  readonly turns: readonly TurnId[];
}

export function rememberedIn(
  id: ConversationId,
  conversation: Conversation | undefined,
): RememberedConversation {
  const turns = [...(conversation?.summary?.folded ?? []), ...(conversation?.turns ?? [])];
  return { id, turns: turns.map((turn) => turn.id) };
}

/**
 * All records of a conversation since it began, whatever became of its turns. One id serves many conversations one after
 * another: of those that ended, only what came back belongs to this one.
 */
export function recordsOf(
  { id, turns }: RememberedConversation,
  records: readonly LedgerRecord[],
): readonly LedgerRecord[] {
  const remembered = new Set(turns);
  const kept = new Set<LedgerRecord>();
  let sinceLastEnd: LedgerRecord[] = [];
  for (const record of records) {
    if (record.kind === 'answer' && remembered.has(record.turn)) kept.add(record);
    if (record.conversation !== id) continue;
    if (record.kind === 'answer' || !endsConversation(record)) {
      sinceLastEnd.push(record);
      continue;
    }
    const isBack = record.turns.some(({ turn }) => remembered.has(turn));
    if (isBack) for (const own of sinceLastEnd) kept.add(own);
    sinceLastEnd = [];
  }
  for (const own of sinceLastEnd) kept.add(own);
  return records.filter((record) => kept.has(record));
}

export function endsConversation({ reason }: DepartureRecord): boolean {
  return reason === 'expiry' || reason === 'cleared' || reason === 'fresh';
}
