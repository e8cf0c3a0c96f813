import { acceptableMessage } from '../acceptable';
import { repairedMessages } from '../transcript';
import type { FinishedTurn, StoredTurn, TurnId } from '../turn';
import { boundTo } from './boundTo';
import { changedTurns } from './changedTurns';
import type { ConversationAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';

/** How turns come in, and what is said of them later. */
export function createTurnSaving(
  access: ConversationAccess,
  activationId: string,
): Pick<ConversationHandle, 'saveTurn' | 'touch' | 'begin' | 'setPinned' | 'bind'> {
  const { id, durable, clock, stored, change } = access;
  const storedTurn = (turnId: TurnId) => durable.facts.turn(id, turnId);

  /** `startedAt`, unless the clock stands still or was set back: the newest turn stays the newest. */
  function orderOf(
    turn: { readonly id: TurnId; readonly startedAt: number },
    before: StoredTurn | undefined,
  ): number {
    const known = before?.order ?? durable.expiry.begun(turn.id)?.order;
    if (known !== undefined) return known;
    const last = stored()?.turns.at(-1)?.order ?? 0;
    return clock() <= last ? last + 1 : turn.startedAt;
  }

  return {
    async saveTurn(turn) {
      const messages = repairedMessages(turn.messages);
      if (messages.length > 0) {
        await change((facts) => {
          const before = storedTurn(turn.id);
          const found = { ...durable.found.get(turn.id), ...before?.found };
          // What every turn has comes first: so they share one hidden class, and to walk 1,000 of them costs a third.
          const kept: StoredTurn = {
            messages,
            order: orderOf(turn, before),
            revision: facts.nextTurnRevision(id, turn.id),
            activation: activationId,
            ...plainTurn(turn),
            ...(before?.isPinned ? { isPinned: true } : {}),
            ...(Object.keys(found).length > 0 ? { found } : {}),
          };
          return [{ kind: 'turn', conversation: id, turn: kept, at: clock() }];
        });
      }
      await durable.end(id, turn.id);
    },

    touch: () => void durable.expiry.touch(id),

    begin(turn) {
      const order = orderOf(turn, storedTurn(turn.id));
      const revision = durable.facts.nextTurnRevision(id, turn.id);
      durable.expiry.begin(id, turn.id, order);
      return {
        async record(messages) {
          const soFar = messages.flatMap((message) => acceptableMessage(message) ?? []);
          if (soFar.length === 0) return;
          const found = durable.found.get(turn.id);
          await durable.record({
            ...turn,
            ...(found && { found }),
            conversation: id,
            order,
            revision,
            at: clock(),
            messages: soFar,
          });
        },
        abandon: () => durable.end(id, turn.id),
      };
    },

    setPinned: (turnId, isPinned) =>
      change((facts) => {
        const turn = storedTurn(turnId);
        const at = stored()?.lastActive ?? clock();
        if (!turn || (turn.isPinned ?? false) === isPinned) return [];
        const { isPinned: _before, ...rest } = turn;
        const revision = facts.nextTurnRevision(id, turnId);
        const changed = { ...rest, revision, ...(isPinned ? { isPinned } : {}) };
        return [{ kind: 'turn', conversation: id, turn: changed, at }];
      }),

    bind: (turns, thread) =>
      change((facts) => {
        const known = stored();
        const ids = new Set(turns);
        const place = thread === undefined ? undefined : { thread, activation: activationId };
        return known
          ? changedTurns(known, (turn) => (ids.has(turn.id) ? boundTo(place, turn) : turn), facts)
          : [];
      }),
  };
}

/** Only what a turn is made of, whatever else the caller's object carries. */
function plainTurn(turn: FinishedTurn): Omit<FinishedTurn, 'messages'> {
  const { id, startedAt, endedAt, outcome, model, usage, tokens, thread, position } = turn;
  return {
    id,
    startedAt,
    endedAt,
    outcome,
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(thread === undefined ? {} : { thread }),
    ...(position === undefined ? {} : { position }),
  };
}
