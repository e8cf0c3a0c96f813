import type { Conversation, ConversationId, TurnId } from '../conversation/turn';
import type { ExcludedTurn, Eviction, LedgerRecord, Shown, ShownAnswer, TurnSize } from './record';

/** A conversation by the turns that are remembered of it, as they are or in its summary. */
export interface RememberedConversation {
  readonly id: ConversationId;
  readonly turns: readonly TurnId[];
}

export function rememberedIn(
  id: ConversationId,
  conversation: Conversation | undefined,
): RememberedConversation {
  const turns = [...(conversation?.summarized ?? []), ...(conversation?.turns ?? [])];
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
  let ended: LedgerRecord[] = [];
  let endedAt: number | undefined;
  let sinceEnd: LedgerRecord[] = [];
  for (const record of records) {
    if (record.kind === 'answer' && remembered.has(record.turn)) kept.add(record);
    if (record.conversation !== id) continue;
    if (record.kind === 'answer' || !endsConversation(record)) {
      sinceEnd.push(record);
      continue;
    }
    if (record.at !== endedAt) [ended, endedAt, sinceEnd] = [sinceEnd, record.at, []];
    if (remembered.has(record.turn)) for (const own of ended) kept.add(own);
  }
  for (const own of sinceEnd) kept.add(own);
  return records.filter((record) => kept.has(record));
}

/** Why a turn was not sent. */
export type WhyNot = Eviction['reason'] | ExcludedTurn['reason'];

type UnsentTurn = Shown<TurnSize & { readonly reason: WhyNot }>;

/** The turns of its conversation that an answer was not sent, oldest first. */
export function unsentFor(answer: ShownAnswer, records: readonly LedgerRecord[]): readonly UnsentTurn[] {
  const evictions = records.filter(
    (record): record is Eviction =>
      record.kind === 'evicted' && record.conversation === answer.conversation && record.at <= answer.endedAt,
  );
  const sent = new Set(answer.sent.flatMap((item) => (item.kind === 'turn' ? [item.turn] : [])));
  const unsent = new Map<TurnId, UnsentTurn>();
  // Those of the conversation before this one, and those since. Older ones are another story.
  const lastEnd = evictions.findLast(endsConversation)?.at ?? 0;
  for (const turn of evictions) if (turn.at >= lastEnd && !sent.has(turn.turn)) unsent.set(turn.turn, turn);
  // Why a turn was evicted says more than that it was about to be.
  for (const turn of answer.excluded) if (!unsent.has(turn.turn)) unsent.set(turn.turn, turn);
  unsent.delete(answer.turn);
  return [...unsent.values()];
}

function endsConversation({ reason }: Eviction): boolean {
  return reason === 'expiry' || reason === 'cleared' || reason === 'fresh';
}
