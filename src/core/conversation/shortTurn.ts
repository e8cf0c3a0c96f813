import { type Message, resultText, type ToolResultBlock } from '../messages';
import { jsonBytes, wellFormed } from '../text/json';
import type { StoredTurn } from './turn';

/** Results longer than this are shortened before any turn has to leave. */
const longResult = 2_000;

/** The same turn where no result is long. */
export function withShortResults(turn: StoredTurn): StoredTurn {
  let isChanged = false;
  const messages = turn.messages.map((message): Message => {
    if (message.role !== 'user' || typeof message.content === 'string') return message;
    const content = message.content.map((block) => {
      const short = block.type === 'tool_result' ? shortResult(block) : block;
      isChanged ||= short !== block;
      return short;
    });
    return { role: 'user', content };
  });
  return isChanged ? withFewerTokens({ ...turn, messages }, turn) : turn;
}

/** Every string of the messages, also in tool inputs: for a single turn that is larger than all there is room for. */
export function withShortTexts(turn: StoredTurn, limit: number): StoredTurn {
  const messages: Message[] = JSON.parse(JSON.stringify(turn.messages), (key, value: unknown) =>
    typeof value === 'string' && value.length > limit && !key.endsWith('id')
      ? shortText(value, limit)
      : value,
  );
  return withFewerTokens({ ...turn, messages }, turn);
}

function shortResult(block: ToolResultBlock): ToolResultBlock {
  const text = resultText(block);
  return text.length > longResult ? { ...block, content: shortText(text, longResult) } : block;
}

function shortText(text: string, limit: number): string {
  const kept = wellFormed(text.slice(0, limit - 100 > 0 ? limit - 100 : limit));
  return `${kept}\n[… shortened to keep memory small: ${text.length - kept.length} of ${text.length} characters left out]`;
}

/** What was reported for a turn shrinks with it. */
function withFewerTokens(short: StoredTurn, turn: StoredTurn): StoredTurn {
  if (turn.tokens === undefined) return short;
  const share = jsonBytes(short.messages) / jsonBytes(turn.messages);
  return { ...short, tokens: Math.ceil(turn.tokens * share) };
}
