import type { StoredTurn, Waiting } from '../conversation/turn';
import {
  blocksOf,
  callsIn,
  hasResults,
  textsIn,
  turnStarts,
  type ContentBlock,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../messages';
import { isObject } from '../text/json';
import type { TurnEnd } from './events';
import { type FinishedCall, toResultBlock } from './runTools';

/** How a round that asks the user something ends its turn. */
export function askedEnd(
  round: readonly FinishedCall[],
  sent: readonly Message[],
): Extract<TurnEnd, { reason: 'asked' }> | undefined {
  const asked = round.find(({ output }) => output.question);
  if (!asked?.output.question) return undefined;
  const { id, name, input } = asked.call;
  return {
    reason: 'asked',
    question: asked.output.question,
    toolUse: { type: 'tool_use', id, name, input },
    results: round.filter((finished) => finished !== asked).map(toResultBlock),
    sent,
  };
}

/** The round once the user has answered its question in the panel. */
export function withAnswer(
  round: readonly FinishedCall[],
  toolUse: ToolUseBlock,
  answer: string,
): readonly FinishedCall[] {
  return round.map((finished) =>
    finished.call.id === toolUse.id ? { call: finished.call, output: { content: answer } } : finished,
  );
}

/** Of several questions in one round only the first is asked; Claude may ask the others later. */
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
 * The question that a turn ended with, for when the message that answered it was taken back: what the user says instead
 * is the answer.
 */
export function endedWith({ id, outcome, endedAt, messages, isPlanning }: StoredTurn): Waiting | undefined {
  const [asking, , closing] = messages.slice(-3);
  const last = closing && blocksOf(closing).at(-1);
  if (outcome !== 'interrupted' || !asking || last?.type !== 'text') return undefined;
  for (const toolUse of callsIn(blocksOf(asking))) {
    if (toolUse.name !== 'ask_user' || !isObject(toolUse.input)) continue;
    const { param, question, options } = toolUse.input;
    if (typeof param !== 'string' || typeof question !== 'string' || question.trim() !== last.text) continue;
    const choices = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
    return {
      param,
      question: last.text,
      ...(choices.length > 0 && { options: choices }),
      turnId: id,
      askedAt: endedAt,
      tries: 1,
      toolUse,
      results: [],
      ...(isPlanning && { isPlanning }),
    };
  }
  return undefined;
}

/** A turn that continues where an earlier one asked. */
export interface ResumedTurn {
  /** Without the turn that asked. */
  readonly history: readonly Message[];
  /** The turn that asked, up to its tool use. */
  readonly earlier: readonly Message[];
  readonly userContent: ContentBlock[];
}

/**
 * Continues after a question: the user's message becomes the result of the tool use that asked. Undefined when that
 * tool use is no longer in the history; then the message is just a message.
 */
export function resumeQuestion(
  history: readonly Message[],
  waiting: {
    readonly toolUse: ToolUseBlock;
    readonly results: readonly ToolResultBlock[];
    readonly sent?: readonly Message[];
  },
  answer: string | readonly ContentBlock[],
): ResumedTurn | undefined {
  const asked = history.findLastIndex((message) => usesIn(message).includes(waiting.toolUse.id));
  const message = history[asked];
  // Something else was said since: the question is not the last thing in the conversation any more.
  if (!message || history.slice(asked + 1).some((later) => later.role === 'user' && !hasResults(later)))
    return undefined;
  // Results that were too long to be kept with the question are still in the turn.
  const siblings = new Map(
    [...resultsIn(history[asked + 1]), ...waiting.results].map((result) => [result.tool_use_id, result]),
  );
  const [text, media] = splitAnswer(answer);
  const results = usesIn(message).map((id): ToolResultBlock => {
    if (id === waiting.toolUse.id) return { type: 'tool_result', tool_use_id: id, content: text };
    return (
      siblings.get(id) ?? { type: 'tool_result', tool_use_id: id, content: 'Not finished.', is_error: true }
    );
  });
  const userContent = [...results, ...media];
  const starts = turnStarts(history);
  const startOf = (at: number) => starts.findLast((index) => index <= at) ?? 0;
  const { sent = [] } = waiting;
  const uses = new Set(sent.flatMap(usesIn));
  const isSent = (entry: Message) => usesIn(entry).some((id) => uses.has(id));
  // A turn that itself answered a question was sent with the one that asked, and began there.
  const first = startOf(history.findIndex(isSent));
  const remembered = new Set(history.slice(first).flatMap(usesIn));
  // That may be gone since, or something else has come between.
  const isWhole = uses.has(waiting.toolUse.id) && [...uses].every((id) => remembered.has(id));
  const later = starts.filter((start) => start >= first);
  if (isWhole && later.every((start, index) => history.slice(start, later[index + 1]).some(isSent)))
    return { history: history.slice(0, first), earlier: sent, userContent };
  const start = startOf(asked);
  return { history: history.slice(0, start), earlier: history.slice(start, asked + 1), userContent };
}

function usesIn(message: Message): readonly string[] {
  return callsIn(blocksOf(message)).map(({ id }) => id);
}

function resultsIn(message: Message | undefined): readonly ToolResultBlock[] {
  return message ? blocksOf(message).filter((block) => block.type === 'tool_result') : [];
}

/** The text becomes the result; what is attached follows the results. */
function splitAnswer(answer: string | readonly ContentBlock[]): [string, readonly ContentBlock[]] {
  if (typeof answer === 'string') return [answer, []];
  return [textsIn(answer).join('\n'), answer.filter(({ type }) => type !== 'text')];
}
