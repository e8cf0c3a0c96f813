import { answerText } from '../../messages';
import { inOneLine } from '../../text/cutText';
import type { RecallMemory } from '../../tools/recall';
import { ownWords } from '../firstWords';
import type { ConversationMemory } from '../memory/memory';
import { renderTurns, withoutMarks } from '../renderTurns';
import type { KeptTurn } from '../store';
import type { TurnId } from '../turn';
import { excerpt } from './excerpt';
import { findTurns } from './findTurns';
import { searchWords } from './searchQuery';

const maxQuestionChars = 300;
const maxAnswerChars = 700;
const maxWholeChars = 28_000;

/** What Claude finds of earlier conversations (M27): `inSight` are the turns that it has before it anyway. */
export function createRecall(
  memory: Pick<ConversationMemory, 'search'>,
  inSight: ReadonlySet<TurnId> = new Set(),
): RecallMemory {
  return {
    async find(query, limit) {
      const words = searchWords(query);
      const found = await memory.search((search) =>
        findTurns(search, query, { limit, inSight }).flatMap((place) => search.kept(place) ?? []),
      );
      return found?.map((one) => describe(one, words));
    },
    async whole(turn) {
      const found = await memory.search((search) => {
        const place = search.place(turn);
        return { kept: place && search.kept(place) };
      });
      if (!found) return undefined;
      return found.kept ? `${heading(found.kept)}\n${renderTurns([found.kept.kept], maxWholeChars)}` : '';
    },
  };
}

function describe(found: KeptTurn, words: readonly string[]): string {
  const asked = excerpt(ownWords(found.kept), words, maxQuestionChars);
  const answered = excerpt(answerText(found.kept.messages), words, maxAnswerChars);
  return [heading(found), `Person: ${withoutMarks(asked)}`, `Claude: ${withoutMarks(answered)}`].join('\n');
}

function heading({ kept, title }: KeptTurn): string {
  const day = new Date(kept.endedAt).toISOString().slice(0, 16).replace('T', ' ');
  return `[${day} UTC, conversation ${JSON.stringify(inOneLine(title))}, turn ${kept.id}]`;
}
