import type { ConversationAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';
import { factsOf, factsOfEnd, turnGone, type Fact } from '../facts/fact';
import { renewed } from './renewed';
import { leavingTurns } from '../retention';
import type { Conversation, LeaveReason, RememberedValue, TurnId } from '../turn';

/** What is taken away, in part or whole, and how it comes back. */
export function createRemoving(
  access: ConversationAccess,
): Pick<ConversationHandle, 'prune' | 'forget' | 'cut' | 'clear' | 'leave' | 'restore'> {
  const { id, durable, clock, settings, stored, change } = access;

  async function end(reason: LeaveReason): Promise<Conversation | undefined> {
    let ended: Conversation | undefined;
    await durable.erase(() => {
      ended = stored();
      return ended ? factsOfEnd(ended, 1) : [];
    }, reason);
    return ended;
  }

  return {
    async prune(maxTurns) {
      if (!Number.isInteger(maxTurns) || maxTurns < 0) {
        throw new RangeError(`prune takes a whole number from 0 on, not ${maxTurns}`);
      }
      const limits = { ...settings(), maxTurns, eviction: 'oldest', tokenBudget: 0 } as const;
      const over = () => leavingTurns(stored() ?? { turns: [] }, limits);
      await change(() => over().map(({ turn }) => turnGone(id, turn, 0)), 'cap');
    },

    forget: ({ turns = [], params: names = [] }) =>
      durable.erase(() => {
        const known = stored();
        if (!known) return [];
        const forgotten = {
          ...known,
          turns: known.turns.filter((turn) => turns.includes(turn.id)),
          params: Object.fromEntries(Object.entries(known.params).filter(([name]) => names.includes(name))),
        };
        return factsOfEnd(forgotten, 1).filter(({ kind }) => kind !== 'waiting' && kind !== 'summary-gone');
      }, 'forgotten'),

    async cut(turns) {
      const isCut = (turnId: TurnId | undefined) => turnId !== undefined && turns.includes(turnId);
      const holdsAgain = (older: RememberedValue | undefined): older is RememberedValue =>
        older !== undefined && !isCut(older.turnId);
      let before: Conversation | undefined;
      await change(() => {
        const known = stored();
        if (!known) return [];
        before = known;
        const { waiting, summary: _summary, ...rest } = known;
        const params = Object.entries(known.params).filter(([, { turnId }]) => isCut(turnId));
        const cut = {
          ...rest,
          ...(waiting && isCut(waiting.turnId) ? { waiting } : {}),
          turns: known.turns.filter((turn) => isCut(turn.id)),
          params: Object.fromEntries(params.filter(([, { before: older }]) => !holdsAgain(older))),
        };
        return [
          ...factsOfEnd(cut, 1),
          ...params.flatMap(([name, { before: older, revision }]): readonly Fact[] =>
            holdsAgain(older)
              ? [{ kind: 'param', conversation: id, name, param: { ...older, revision: revision + 1 } }]
              : [],
          ),
        ];
      }, 'rewind');
      return before;
    },

    clear: () => end('cleared'),
    leave: () => end('fresh'),

    restore: (conversation) =>
      change((facts) =>
        factsOf({ ...conversation, id, lastActive: clock() }).map((fact) => renewed(fact, facts)),
      ),
  };
}
