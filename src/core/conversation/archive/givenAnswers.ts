import { blocksOf, ownWords, resultText } from '../../messages';
import { isObject } from '../../text/json';
import { answerComesLater } from '../../tools/askUser';
import { isValue } from '../paramContext';
import type { StoredTurn, TurnId } from '../turn';

/** What the user answered when they were asked for a value. */
export interface GivenAnswer {
  readonly param: string;
  readonly answer: string;
  /** The turn in which it was given. */
  readonly turnId: TurnId;
  /** The call whose result it is; absent when it is the message that began the turn. */
  readonly toolUseId?: string;
}

/** All answers that can stand for a value, also of questions that were asked again since. */
export function answersIn(turns: readonly StoredTurn[]): readonly GivenAnswer[] {
  return turns.flatMap(({ id, messages }, index) => {
    const blocks = messages.flatMap(blocksOf);
    const params = new Map(
      blocks.flatMap((block) => {
        if (block.type !== 'tool_use' || block.name !== 'ask_user') return [];
        const { param } = isObject(block.input) ? block.input : {};
        return typeof param === 'string' ? [[block.id, param] as const] : [];
      }),
    );
    return blocks.flatMap((block): GivenAnswer[] => {
      const param = block.type === 'tool_result' ? params.get(block.tool_use_id) : undefined;
      if (block.type !== 'tool_result' || param === undefined || block.is_error) return [];
      const answer = resultText(block).trim();
      if (answer === answerComesLater) return answerAfter(turns.slice(index + 1), param);
      return isValue(answer) ? [{ param, answer, turnId: id, toolUseId: block.tool_use_id }] : [];
    });
  });
}

/** The user's next message; what came through the API meanwhile was shown in no thread. */
function answerAfter(later: readonly StoredTurn[], param: string): GivenAnswer[] {
  const next = later.find(({ thread }) => thread !== undefined) ?? later[0];
  const answer = ownWords(next?.messages[0]?.content ?? '');
  return next && isValue(answer) ? [{ param, answer, turnId: next.id }] : [];
}
