import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../src/core/messages';

/** A turn as lines: who said what, and which tool uses have results. */
export type TurnLines = readonly string[];

/** The remembered messages, turn by turn; each begins with a question of the soak. A summary may stand before them. */
export function turnsOf([first, ...others]: readonly Message[]): TurnLines[] {
  const turns: string[][] = [];
  if (!first) return turns;
  const isSummary = linesOf(first)[0]?.startsWith('user: <summary>');
  // It is a question and an answer, too.
  const said = isSummary ? others.slice(1) : [first, ...others];
  for (const line of said.flatMap(linesOf)) {
    if (/^user: (Question \d+\?|Start the plan\.)/.test(line)) turns.push([]);
    const turn = turns.at(-1);
    if (!turn) throw new Error(`The memory does not begin with a question but with: ${line}`);
    turn.push(line);
  }
  return turns;
}

function linesOf({ role, content }: Message): string[] {
  if (typeof content === 'string') return [`${role}: ${content.trim()}`];
  return content.flatMap((block) => {
    if (block.type === 'text') return [`${role}: ${block.text.trim()}`];
    return block.type === 'tool_result' ? [`result: ${block.tool_use_id}`] : [];
  });
}

/**
 * Whether this is what a turn leaves that did not come to its end: all rounds that were done, as they were; of what was
 * being said then, at most what had been said; and a sentence that says how it ended.
 */
export function isInterrupted(turn: TurnLines, finished: TurnLines, rounds: number): boolean {
  // The question; then of each round what was said and its result.
  const done = 1 + 2 * rounds;
  const [ending = '', ...said] = turn.slice(done).toReversed();
  return (
    isDeepStrictEqual(turn.slice(0, done), finished.slice(0, done)) &&
    /^assistant: \[.+\]$/.test(ending) &&
    said.length <= 1 &&
    said.every((line) => finished[done]?.startsWith(line))
  );
}
