import type { Fact } from '../facts/fact';
import type { Facts } from '../facts/facts';

/** A removal stands at most one revision above what it removed. */
const aboveItsRemoval = 2;

/** The same fact with a revision that holds, whatever was removed since, here or in a window that knows more. */
export function renewed(fact: Fact, facts: Facts): Fact {
  const { conversation } = fact;
  switch (fact.kind) {
    case 'turn': {
      const next = facts.nextTurnRevision(conversation, fact.turn.id);
      return {
        ...fact,
        turn: { ...fact.turn, revision: Math.max(next, fact.turn.revision + aboveItsRemoval) },
      };
    }
    case 'param': {
      const next = facts.nextParamRevision(conversation, fact.name);
      return {
        ...fact,
        param: { ...fact.param, revision: Math.max(next, fact.param.revision + aboveItsRemoval) },
      };
    }
    case 'waiting': {
      const next = facts.nextWaitingRevision(conversation);
      return { ...fact, revision: Math.max(next, fact.revision + aboveItsRemoval) };
    }
    case 'summary': {
      const next = facts.nextSummaryRevision(conversation);
      const revision = Math.max(next, fact.summary.revision + aboveItsRemoval);
      return { ...fact, summary: { ...fact.summary, revision } };
    }
    default:
      return fact;
  }
}
