import { blocksOf, type Message } from '../messages';

/** Closes the messages of an interrupted turn with a sentence in Claude's voice, so that the next turn can follow. */
export function closeInterrupted(messages: readonly Message[], sentence: string): Message[] {
  const last = messages.at(-1);
  if (!last) return [];
  const closing = { type: 'text', text: sentence } as const;
  if (last.role !== 'assistant') return [...messages, { role: 'assistant', content: [closing] }];
  return [...messages.slice(0, -1), { role: 'assistant', content: [...blocksOf(last), closing] }];
}
