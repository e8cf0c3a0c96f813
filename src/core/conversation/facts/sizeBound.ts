import { jsonBytes, wellFormed } from '../../json';
import type { Message, ToolResultBlock } from '../../messages';
import { once } from '../../once';
import { runningSum } from '../../runningSum';
import { inOrderOfLeaving } from '../retention';
import type { Conversation, ConversationId, StoredTurn } from '../turn';

/** All that we keep in VS Code's workspace state, which is one blob that every update rewrites whole (M23). */
export const maxStateBytes = 256 * 1024;

/** Results longer than this are shortened before any turn has to leave. */
const longResult = 2_000;
/** When one turn alone is too large, all it holds is shortened to this, step by step. */
const lastResorts = [8_000, 2_000, 500, 100] as const;

/** What has to happen for all to fit. */
export interface SizeCuts {
  readonly shortened: readonly { readonly conversation: ConversationId; readonly turn: StoredTurn }[];
  readonly dropped: readonly { readonly conversation: ConversationId; readonly turn: StoredTurn }[];
}

/** Knows how large things are without serialising what it has seen before: a save costs the same at 1,000 turns. */
export class SizeBound {
  readonly bytesOf = once((turn: StoredTurn) => jsonBytes(turn) + 1);
  readonly #bytesOfTurns = runningSum(this.bytesOf);
  readonly #restBytes = once(
    (conversation: Conversation) =>
      jsonBytes({ ...conversation, turns: [] }) + 2 * jsonBytes(conversation.id),
  );
  readonly #short = once((turn: StoredTurn) => withFewerTokens(withShortResults(turn), turn));
  readonly #countLong = runningSum((turn: StoredTurn) => Number(this.#short(turn) !== turn));

  total(conversations: Iterable<Conversation>): number {
    let bytes = 64;
    for (const conversation of conversations) {
      bytes += this.#restBytes(conversation) + this.#bytesOfTurns(conversation.turns);
    }
    return bytes;
  }

  /** Long results of older turns are shortened first, then the oldest turns leave, then the newest is shortened too. */
  cuts(conversations: Iterable<Conversation>, maxBytes: number): SizeCuts {
    const all = [...conversations];
    let over = this.total(all) - maxBytes;
    const shortened = new Map<StoredTurn, Owned>();
    const dropped: Owned[] = [];
    if (over <= 0) return { shortened: [], dropped };

    const replace = (owned: Owned, turn: StoredTurn) => {
      over -= this.bytesOf(shortened.get(owned.original)?.turn ?? owned.turn) - this.bytesOf(turn);
      if (turn !== owned.turn) shortened.set(owned.original, { ...owned, turn });
    };
    const long = (turns: readonly StoredTurn[]) =>
      this.#countLong(turns) === 0 ? [] : inOrderOfLeaving(turns);
    for (const owned of oldestFirst(all, long)) {
      if (over <= 0) break;
      replace(owned, this.#short(owned.turn));
    }
    const drop = (turns: Iterable<Owned>) => {
      for (const owned of turns) {
        if (over <= 0) break;
        over -= this.bytesOf(shortened.get(owned.original)?.turn ?? owned.turn);
        shortened.delete(owned.original);
        dropped.push(owned);
      }
    };
    drop(oldestFirst(all, inOrderOfLeaving));
    const newest = [...oldestFirst(all, (turns) => turns.slice(-1))];
    drop(newest.slice(0, -1));
    const [last] = newest.slice(-1);
    if (last && over > 0) replace(last, this.#short(last.turn));
    for (const limit of lastResorts) {
      if (last && over > 0) replace(last, withFewerTokens(withShortTexts(last.turn, limit), last.turn));
    }
    return { shortened: [...shortened.values()], dropped };
  }
}

interface Owned {
  readonly conversation: ConversationId;
  readonly original: StoredTurn;
  readonly turn: StoredTurn;
}

/** The chosen turns of all conversations: pinned ones last, else by age. Those of one come in this order already. */
function oldestFirst(
  conversations: readonly Conversation[],
  chosen: (turns: readonly StoredTurn[]) => Iterable<StoredTurn>,
): Iterable<Owned> {
  const [only, ...others] = conversations;
  // At the bound this is done with every save, and as a rule only the first one has to leave.
  if (only && others.length === 0) return ownedBy(only, chosen);
  return conversations
    .flatMap((conversation) => [...ownedBy(conversation, chosen)])
    .toSorted(
      (a, b) =>
        Number(a.turn.isPinned ?? false) - Number(b.turn.isPinned ?? false) || a.turn.order - b.turn.order,
    );
}

function* ownedBy(
  { id, turns }: Conversation,
  chosen: (turns: readonly StoredTurn[]) => Iterable<StoredTurn>,
): Iterable<Owned> {
  for (const turn of chosen(turns)) yield { conversation: id, original: turn, turn };
}

/** What was reported for a turn shrinks with it. */
function withFewerTokens(short: StoredTurn, turn: StoredTurn): StoredTurn {
  if (short === turn || turn.tokens === undefined) return short;
  const share = jsonBytes(short.messages) / jsonBytes(turn.messages);
  return { ...short, tokens: Math.ceil(turn.tokens * share) };
}

function withShortResults(turn: StoredTurn): StoredTurn {
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
  return isChanged ? { ...turn, messages } : turn;
}

function shortResult(block: ToolResultBlock): ToolResultBlock {
  const { content } = block;
  if (content === undefined) return block;
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
  return text.length > longResult ? { ...block, content: shortText(text, longResult) } : block;
}

/** Every string of the messages, also in tool inputs: for a single turn that is larger than all there is room for. */
function withShortTexts(turn: StoredTurn, limit: number): StoredTurn {
  const messages: Message[] = JSON.parse(JSON.stringify(turn.messages), (key, value: unknown) =>
    typeof value === 'string' && value.length > limit && !key.endsWith('id')
      ? shortText(value, limit)
      : value,
  );
  return { ...turn, messages };
}

function shortText(text: string, limit: number): string {
  const kept = wellFormed(text.slice(0, limit - 100 > 0 ? limit - 100 : limit));
  return `${kept}\n[… shortened to keep memory small: ${text.length - kept.length} of ${text.length} characters left out]`;
}
