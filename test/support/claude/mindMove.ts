import type { Conversation, FinishedCall } from './mindConversation';
import { fillInput, type Wishes } from './mindInput';

/** What the mind does next: says something, and perhaps calls one tool. */
export interface Move {
  readonly say: string;
  readonly call?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

/** Says what to do when it is the one that fits. */
export type Rule = (conversation: Conversation) => Move | undefined;

/** A move that calls a tool, if the request offers it. */
export function call({ tools }: Conversation, tool: string, wishes: Wishes, say: string): Move | undefined {
  const offered = tools.get(tool);
  return offered && { say, call: { tool, input: fillInput(offered.input_schema, wishes) } };
}

/** The last call of this tool in this turn. */
export function callOf({ calls }: Conversation, tool: string): FinishedCall | undefined {
  return calls.findLast((finished) => finished.tool === tool);
}

export function clip(said: string, length: number): string {
  const points = Array.from(said);
  return points.length > length ? `${points.slice(0, length).join('')}…` : said;
}
