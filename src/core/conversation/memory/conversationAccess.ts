import type { Clock } from '../../ports';
import type { DurableFacts } from '../facts/durableFacts';
import type { Fact } from '../facts/fact';
import type { Facts } from '../facts/facts';
import { leavingTurns, notInFuture, type MemoryLimits } from '../retention';
import type { Conversation, ConversationId, LeaveReason, StoredTurn, TurnId } from '../turn';
import { changedTurns } from './changedTurns';
import { valuesNow, withFound } from './foundValues';

/** One conversation as it stands, and the way to change it: what all operations of its handle are made of. */
export interface ConversationAccess {
  readonly id: ConversationId;
  readonly durable: DurableFacts;
  readonly clock: Clock;
  readonly settings: () => MemoryLimits;
  /** All that is stored, whether it reaches the model or not. */
  readonly stored: () => Conversation | undefined;
  /** All that reaches the model. */
  readonly snapshot: () => Conversation | undefined;
  /** Nothing that is done now brings back a conversation that has ended. */
  readonly change: (build: (facts: Facts) => readonly Fact[], reason?: LeaveReason) => Promise<void>;
  /** To be told of the params that a turn is about to change: what it finds there is kept with it. */
  readonly noteFound: (names: readonly string[], turn: TurnId | undefined, facts: Facts) => readonly Fact[];
}

export function createAccess(
  options: Pick<ConversationAccess, 'id' | 'durable' | 'clock' | 'settings'>,
): ConversationAccess {
  const { id, durable, clock, settings } = options;
  const stored = () => durable.facts.conversations.get(id);
  return {
    id,
    durable,
    clock,
    settings,
    stored,

    snapshot() {
      const found = stored();
      if (!found) return undefined;
      const conversation = notInFuture(found, clock());
      if (conversation !== found) durable.facts.touch(id, conversation.lastActive);
      const over = new Set(leavingTurns(conversation, settings()).map(({ turn }) => turn));
      const hasExpired = durable.expiry.hasExpired(conversation);
      if (hasExpired || (over.size > 0 && settings().whenFull === 'drop')) durable.tidySoon();
      if (hasExpired) return undefined;
      if (over.size === 0) return conversation;
      return { ...conversation, turns: conversation.turns.filter((turn) => !over.has(turn)) };
    },

    async change(build, reason) {
      await durable.load();
      const conversation = stored();
      if (conversation && durable.expiry.hasExpired(conversation)) await durable.refresh();
      await durable.commit(build, reason);
    },

    noteFound(names, turnId, facts) {
      if (turnId === undefined || names.length === 0) return [];
      const conversation = stored();
      const found = valuesNow(conversation ?? { params: {} }, names);
      // Until the turn is saved.
      durable.found.set(turnId, { ...found, ...durable.found.get(turnId) });
      const isMeant = (turn: StoredTurn) => turn.id === turnId;
      return conversation
        ? changedTurns(conversation, (turn) => (isMeant(turn) ? withFound(turn, found) : turn), facts)
        : [];
    },
  };
}
