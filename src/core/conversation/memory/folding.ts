import { wellFormed } from '../../json';
import { summaryGone, turnGone } from '../facts/fact';
import { leavingTurns } from '../retention';
import type { ConversationAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';
import { factsOfFold, factsOfUnfold, foldOf, type Fold } from './fold';
import { renewed } from './renewed';

/** Turns that have to leave, and the summary that takes them in (M18). */
export function createFolding(
  access: ConversationAccess,
): Pick<ConversationHandle, 'leaving' | 'fold' | 'unfold' | 'drop' | 'setSummary'> {
  const { id, durable, clock, settings, stored, change } = access;

  return {
    leaving: () => leavingTurns(stored() ?? { turns: [] }, settings()).map(({ turn }) => turn),

    async fold(text, turns, from) {
      let fold: Fold | undefined;
      // It took a while to write the text: another window may have changed what it is about.
      await durable.refresh();
      await change((facts) => {
        const wanted = { text: wellFormed(text), turns, from };
        const revision = facts.nextSummaryRevision(id);
        fold = foldOf(stored(), wanted, { at: clock(), revision });
        return fold ? factsOfFold(id, fold) : [];
      }, 'summary');
      return fold;
    },

    async unfold(fold) {
      let isBack = false;
      await change((facts) => {
        const back = factsOfUnfold(stored(), fold, clock());
        isBack = back.length > 0;
        return back.map((fact) => renewed(fact, facts));
      });
      return isBack;
    },

    drop: (turns) =>
      change(() => {
        const dropped = stored()?.turns.filter((turn) => turns.includes(turn.id)) ?? [];
        return dropped.map((turn) => turnGone(id, turn, 0));
      }, 'cap'),

    async setSummary(text) {
      if (text === undefined || text.trim() === '') {
        return durable.erase(() => {
          const { summary } = stored() ?? {};
          return summary ? [summaryGone(id, summary, 1)] : [];
        }, 'forgotten');
      }
      await change((facts) => {
        const { summary, lastActive = clock() } = stored() ?? {};
        if (summary?.text === text) return [];
        const revision = facts.nextSummaryRevision(id);
        const own = { turns: 0, ...summary, text: wellFormed(text), at: lastActive, revision };
        return [{ kind: 'summary', conversation: id, summary: own }];
      });
    },
  };
}
