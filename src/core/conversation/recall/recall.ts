import { answerText } from '../../messages';
import { inOneLine } from '../../text/cutText';
import type { RecallMemory } from '../../tools/recall';
import { ownWordsIn } from '../firstWords';
import type { ConversationMemory } from '../memory/memory';
import { renderTurns, withoutMarks } from '../renderTurns';
import type { KeptTurn, TurnPlace, TurnSearch } from '../store';
import type { StoredTurn, TurnId } from '../turn';
import { excerpt } from './excerpt';
import { findTurns } from './findTurns';
import { searchWords } from './searchQuery';

const maxQuestionChars = 300;
const maxAnswerChars = 700;
const maxWholeChars = 28_000;

/**
 * What Claude finds of earlier conversations (M27): `inSight` are the turns that it has before it anyway, `isRemoved` says
 * what the user has taken out of the chat that asks (M13).
 */
export function createRecall(
  memory: Pick<ConversationMemory, 'search'>,
  {
    inSight = new Set(),
    isRemoved = () => false,
  }: {
    readonly inSight?: ReadonlySet<TurnId>;
    readonly isRemoved?: ((turn: StoredTurn) => boolean) | undefined;
  } = {},
): RecallMemory {
  /** As many of them as are wanted: each takes a look into the database. */
  function keptOf(search: TurnSearch, places: readonly TurnPlace[], limit: number): readonly KeptTurn[] {
    const found: KeptTurn[] = [];
    for (const place of places) {
      if (found.length === limit) break;
      const kept = search.kept(place);
      if (kept && !isRemoved(kept.kept)) found.push(kept);
    }
    return found;
  }

  return {
    async find(query, limit) {
      const words = searchWords(query);
      const found = await memory.search((search) =>
        keptOf(search, findTurns(search, query, { inSight }), limit),
      );
      return found?.map((one) => describe(one, words));
    },
    async whole(turn) {
      const found = await memory.search((search) => {
        const place = search.place(turn);
        return { kept: place && keptOf(search, [place], 1)[0] };
      });
      if (!found) return undefined;
      return found.kept ? `${heading(found.kept)}\n${renderTurns([found.kept.kept], maxWholeChars)}` : '';
    },
  };
}

function describe(found: KeptTurn, words: readonly string[]): string {
  const asked = excerpt(ownWordsIn(found.kept), words, maxQuestionChars);
  const answered = excerpt(answerText(found.kept.messages), words, maxAnswerChars);
  return [heading(found), `Person: ${withoutMarks(asked)}`, `Claude: ${withoutMarks(answered)}`].join('\n');
}

function heading({ kept, title }: KeptTurn): string {
  const day = new Date(kept.endedAt).toISOString().slice(0, 16).replace('T', ' ');
  return `[${day} UTC, conversation ${JSON.stringify(inOneLine(title))}, turn ${/^[\w-]+$/.test(kept.id) ? kept.id : JSON.stringify(kept.id)}]`;
}
