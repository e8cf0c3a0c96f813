import {
  blocksOf,
  hasResults,
  type ContentBlock,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../messages';
import type { TurnEnd } from './events';
import { toResultBlock, type FinishedCall } from './runTools';

/** How a round that asks the person something ends its turn. */
export function askedEnd(round: readonly FinishedCall[]): Extract<TurnEnd, { reason: 'asked' }> | undefined {
  const asked = round.find(({ output }) => output.question);
  if (!asked?.output.question) return undefined;
  const { id, name, input } = asked.call;
  return {
    reason: 'asked',
    question: asked.output.question,
    toolUse: { type: 'tool_use', id, name, input },
    results: round.filter((finished) => finished !== asked).map(toResultBlock),
  };
}

/** Of several questions in one round the first is asked; the others come back to Claude. */
export function onlyFirstQuestion(round: readonly FinishedCall[]): readonly FinishedCall[] {
  const first = round.find(({ output }) => output.question);
  return round.map((finished) =>
    finished === first || !finished.output.question
      ? finished
      : {
          call: finished.call,
          output: {
            content: 'Not asked: one question at a time. Ask it after the other was answered.',
            isError: true,
          },
        },
  );
}

/**
 * Goes on where a question left off: the person's message becomes the result of the very tool use that asked. Undefined
 * when that tool use has left the history meanwhile; then the message is just a message.
 */
export function resumeQuestion(
  history: readonly Message[],
  waiting: { readonly toolUse: ToolUseBlock; readonly results: readonly ToolResultBlock[] },
  answer: string | readonly ContentBlock[],
): { readonly history: readonly Message[]; readonly userContent: ContentBlock[] } | undefined {
  const asked = history.findLastIndex((message) => usesIn(message).includes(waiting.toolUse.id));
  const message = history[asked];
  // Something else was said since: the question is not the last thing in the conversation any more.
  if (!message || history.slice(asked + 1).some((later) => later.role === 'user' && !hasResults(later)))
    return undefined;
  const siblings = new Map(waiting.results.map((result) => [result.tool_use_id, result]));
  const [text, media] = splitAnswer(answer);
  const results = usesIn(message).map((id): ToolResultBlock => {
    if (id === waiting.toolUse.id) return { type: 'tool_result', tool_use_id: id, content: text };
    return (
      siblings.get(id) ?? { type: 'tool_result', tool_use_id: id, content: 'Not finished.', is_error: true }
    );
  });
  return { history: history.slice(0, asked + 1), userContent: [...results, ...media] };
}

function usesIn(message: Message): readonly string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

/** Words go into the result; what is attached follows the results. */
function splitAnswer(answer: string | readonly ContentBlock[]): [string, readonly ContentBlock[]] {
  if (typeof answer === 'string') return [answer, []];
  const texts = answer.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return [texts.join('\n'), answer.filter(({ type }) => type !== 'text')];
}
