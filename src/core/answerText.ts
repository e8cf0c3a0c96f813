import { blocksOf, type Message } from './messages';

/** What Claude said in a turn, as it is remembered: each round is a paragraph of its own. */
export function answerText(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .map((texts) => texts.join(''))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}
