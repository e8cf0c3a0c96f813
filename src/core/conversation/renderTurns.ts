import { blocksOf, type ContentBlock, type Message, resultText } from '../messages';
import { wellFormed } from '../text/json';
import type { StoredTurn } from './turn';

/** At most this many characters of each part are kept. */
const limits = { words: 6_000, result: 1_500, input: 600 } as const;
/** When all of it is too long, these shares of the limits are tried one after the other. */
const shares = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16] as const;

/** Turns as one plain text: what was said, which tools were used, and how long results begin and end. */
export function renderTurns(turns: readonly Pick<StoredTurn, 'messages'>[], maxChars: number): string {
  let text = '';
  for (const share of shares) {
    text = turns.map((turn) => `<turn>\n${renderTurn(turn, share)}\n</turn>`).join('\n');
    if (text.length <= maxChars) return text;
  }
  return wellFormed(text.slice(-maxChars));
}

/** Text from outside cannot close a part that we opened, nor open one of its own. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/<(?=\/?(?:summary|turns?)\b)/gi, '‹');
}

function renderTurn({ messages }: Pick<StoredTurn, 'messages'>, share: number): string {
  const lines = messages.flatMap((message) =>
    blocksOf(message).flatMap((block) => renderBlock(block, message.role, share) ?? []),
  );
  return withoutMarks(lines.join('\n'));
}

function renderBlock(block: ContentBlock, role: Message['role'], share: number): string | undefined {
  switch (block.type) {
    case 'text':
      return `${role === 'user' ? 'Person' : 'Claude'}: ${shortened(block.text, limits.words * share)}`;
    case 'tool_use':
      return `Claude used ${block.name}: ${shortened(JSON.stringify(block.input), limits.input * share)}`;
    case 'tool_result':
      return `${block.is_error ? 'Failed' : 'Result'}: ${shortened(resultText(block), limits.result * share)}`;
    default:
      return undefined;
  }
}

/** Begin and end: an error often stands last. */
function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const tail = Math.floor(maxChars / 4);
  const head = Math.floor(maxChars) - tail;
  const left = text.length - head - tail;
  return wellFormed(`${text.slice(0, head)} […${left} characters…] ${text.slice(text.length - tail)}`);
}
