import type { Message } from '../../src/core/messages';

/** A turn as lines: who said what, and which tool uses have results. */
export type TurnLines = readonly string[];

/** The remembered messages, turn by turn; each begins with a question of the soak. */
export function turnsOf(messages: readonly Message[]): TurnLines[] {
  const turns: string[][] = [];
  for (const line of messages.flatMap(linesOf)) {
    if (/^user: Question \d+\?$/.test(line)) turns.push([]);
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
 * What a turn that did not come to its end may have left: nothing when no round was done and nothing was to be kept,
 * else its finished rounds in order and a sentence that says how it ended.
 */
export function isInterrupted(turn: TurnLines, finished: TurnLines): boolean {
  const [question, ...rest] = turn;
  const last = rest.at(-1) ?? '';
  const results = rest.filter((line) => line.startsWith('result: '));
  const expected = finished.filter((line) => line.startsWith('result: '));
  return (
    question === finished[0] &&
    last.startsWith('assistant: ') &&
    last.includes('[') &&
    results.every((line, index) => line === expected[index])
  );
}
