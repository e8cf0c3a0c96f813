import { wellFormed } from '../json';
import type { ConversationAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';
import { summaryGone, turnGone } from './fact';
import { leavingTurns } from './retention';
import type { TurnId } from './turn';

/** Turns that have to leave, and the summary that takes them in (M18). */
export function createFolding(
  access: ConversationAccess,
): Pick<ConversationHandle, 'leaving' | 'fold' | 'drop' | 'setSummary'> {
  const { id, clock, settings, stored, change } = access;

  const goneFacts = (turns: readonly TurnId[]) =>
    stored()
      ?.turns.filter((turn) => turns.includes(turn.id))
      .map((turn) => turnGone(id, turn, 0)) ?? [];

  return {
    leaving: () => leavingTurns(stored() ?? { turns: [] }, settings()).map(({ turn }) => turn),

    async fold(text, turns, from) {
      let isFolded = false;
      await change((facts) => {
        const gone = goneFacts(turns);
        const known = stored()?.summary;
        if (gone.length === 0 || gone.length < turns.length || known?.revision !== from?.revision) return [];
        isFolded = true;
        const revision = facts.nextSummaryRevision(id);
        const folded = (known?.turns ?? 0) + gone.length;
        const summary = { text: wellFormed(text), at: clock(), turns: folded, revision };
        return [{ kind: 'summary', conversation: id, summary }, ...gone];
      }, 'summary');
      return isFolded;
    },

    drop: (turns) => change(() => goneFacts(turns), 'cap'),

    setSummary: (text) =>
      change((facts) => {
        const { summary, lastActive = clock() } = stored() ?? {};
        if (text === undefined || text.trim() === '') return summary ? [summaryGone(id, summary, 1)] : [];
        if (summary?.text === text) return [];
        const revision = facts.nextSummaryRevision(id);
        const own = { text: wellFormed(text), at: lastActive, turns: summary?.turns ?? 0, revision };
        return [{ kind: 'summary', conversation: id, summary: own }];
      }),
  };
}
