import { blocksOf, callsIn, type ToolUseBlock } from '../../messages';
import { isObject } from '../../text/json';
import { filesOfCall } from '../../tools/toolset';
import type { StoredTurn } from '../turn';

type WithMessages = Pick<StoredTurn, 'messages'>;

/** The tools that were called in a turn, in order of first use, each with how often. */
export function calledTools({ messages }: WithMessages): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of toolUses(messages)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The files that a turn read or changed, as it named them. */
export function touchedFiles({ messages }: WithMessages): readonly string[] {
  return [...new Set(toolUses(messages).flatMap((call) => filesOfCall(call)?.paths ?? []))];
}

/** Whether it broke off. One that ended with a question to the user is kept the same way, but nothing went wrong. */
export function wasInterrupted({ messages, outcome }: Pick<StoredTurn, 'messages' | 'outcome'>): boolean {
  if (outcome !== 'interrupted') return false;
  const last = messages.flatMap(blocksOf).at(-1);
  const closing = last?.type === 'text' ? last.text : '';
  return !toolUses(messages).some(
    ({ name, input }) =>
      name === 'ask_user' && isObject(input) && String(input['question']).trim() === closing,
  );
}

function toolUses(messages: WithMessages['messages']): readonly ToolUseBlock[] {
  return callsIn(messages.flatMap(blocksOf));
}
