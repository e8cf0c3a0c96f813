import { factsOf, factsOfEnd, summaryGone, turnGone, type Fact } from '../facts/fact';
import type { Facts } from '../facts/facts';
import { beside, isWhole } from '../folded';
import { leavingTurns } from '../retention';
import type { Conversation, LeaveReason, StoredTurn, TurnId } from '../turn';
import { changedTurns } from './changedTurns';
import type { ConversationAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';
import { valuesWithout, withoutFound } from './foundValues';
import { renewed } from './renewed';

/** What is taken away, in part or whole, and how it comes back. */
export function createRemoving(
  access: ConversationAccess,
): Pick<ConversationHandle, 'prune' | 'forget' | 'cut' | 'clear' | 'leave' | 'restore'> {
  const { id, durable, clock, settings, stored, change, noteFound } = access;

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

    forget: ({ turns = [], params: names = [] }, turnId) =>
      durable.erase((facts) => {
        const known = stored();
        if (!known) return [];
        const { waiting: _waiting, summary: _summary, ...rest } = known;
        const forgotten = {
          ...rest,
          turns: [],
          params: Object.fromEntries(Object.entries(known.params).filter(([name]) => names.includes(name))),
        };
        return [
          ...(turnId === undefined
            ? changedTurns(known, (turn) => withoutFound(turn, names), facts)
            : noteFound(Object.keys(forgotten.params), turnId, facts)),
          ...factsOfEnd(forgotten, 1),
          ...factsOfRemoval(known, new Set(turns), facts),
        ];
      }, 'forgotten'),

    async cut(turns, reason = 'rewind') {
      const isCut = (turnId: TurnId | undefined) => turnId !== undefined && turns.includes(turnId);
      let before: Conversation | undefined;
      await change((facts) => {
        const known = stored();
        if (!known) return [];
        before = known;
        const { waiting, summary: _summary, ...rest } = known;
        const values = Object.entries(valuesWithout(known, isCut));
        const gone = new Set(values.flatMap(([name, value]) => (value ? [] : [name])));
        const cut = {
          ...rest,
          ...(waiting && isCut(waiting.turnId) ? { waiting } : {}),
          turns: [],
          params: Object.fromEntries(Object.entries(known.params).filter(([name]) => gone.has(name))),
        };
        return [
          ...factsOfEnd(cut, 1),
          ...factsOfRemoval(known, new Set(turns), facts),
          ...values.flatMap(([name, value]): readonly Fact[] => {
            const revision = facts.nextParamRevision(id, name);
            return value ? [{ kind: 'param', conversation: id, name, param: { ...value, revision } }] : [];
          }),
        ];
      }, reason);
      return before;
    },

    clear: () => end('cleared'),
    leave: () => end('fresh'),

    restore: (conversation) =>
      change((facts) => {
        const back = beside(stored(), conversation);
        return factsOf({ ...back, id, lastActive: clock() }).map((fact) => renewed(fact, facts));
      }),
  };
}

/** Takes turns out. A summary that tells of one of them goes, and what else it stood for comes back. */
function factsOfRemoval(
  { id, turns, summary, lastActive }: Conversation,
  ids: ReadonlySet<TurnId>,
  facts: Facts,
): readonly Fact[] {
  const isRemoved = (turn: StoredTurn) => ids.has(turn.id);
  const removed = turns.filter(isRemoved).map((turn) => turnGone(id, turn, 1));
  const told = summary?.folded?.filter(isRemoved) ?? [];
  if (!summary || told.length === 0) return removed;
  const back = summary.folded?.filter((turn) => isWhole(turn) && !isRemoved(turn)) ?? [];
  return [
    ...removed,
    ...told.map((turn) => turnGone(id, turn, 1)),
    summaryGone(id, summary, 1),
    ...back.map((turn) => renewed({ kind: 'turn', conversation: id, turn, at: lastActive }, facts)),
  ];
}
