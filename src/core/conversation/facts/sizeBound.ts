import { jsonBytes } from '../../json';
import { once } from '../../once';
import { nameOf } from '../folded';
import { inOrderOfLeaving } from '../retention';
import { withShortResults, withShortTexts } from '../shortTurn';
import type { Conversation, ConversationId, StoredTurn, Summary } from '../turn';

/** All that we keep in VS Code's workspace state, which is one blob that every update rewrites whole (M23). */
export const maxStateBytes = 256 * 1024;

/** When one turn alone is too large, all it holds is shortened to this, step by step. */
const lastResorts = [8_000, 2_000, 500, 100] as const;

/** What has to happen for all to fit. */
export interface SizeCuts {
  /** With less of the turns that they stand for. */
  readonly summaries: readonly { readonly conversation: ConversationId; readonly summary: Summary }[];
  readonly shortened: readonly { readonly conversation: ConversationId; readonly turn: StoredTurn }[];
  readonly dropped: readonly { readonly conversation: ConversationId; readonly turn: StoredTurn }[];
}

/** Knows how large things are without serialising what it has seen before: a save costs the same at 1,000 turns. */
export class SizeBound {
  readonly bytesOf = once((turn: StoredTurn) => jsonBytes(turn) + 1);
  readonly #restBytes = once(
    (conversation: Conversation) =>
      jsonBytes({ ...conversation, turns: [], summary: undefined }) + 2 * jsonBytes(conversation.id),
  );
  readonly #summaryBytes = once((summary: Summary) => jsonBytes(summary) + 11);
  readonly #short = once((turn: StoredTurn) => withShortResults(turn));

  total(conversations: Iterable<Conversation>): number {
    let bytes = 64;
    for (const conversation of conversations) {
      const { turns, summary } = conversation;
      bytes += this.#restBytes(conversation);
      for (const turn of turns) bytes += this.bytesOf(turn);
      if (summary) bytes += this.#summaryBytes(summary);
    }
    return bytes;
  }

  /**
   * First goes what no request holds: the turns that are in a summary, but for their names. Then long results of older
   * turns are shortened, then the oldest turns leave, then those names, and then the newest turn is shortened too.
   */
  cuts(conversations: Iterable<Conversation>, maxBytes: number): SizeCuts {
    const all = [...conversations];
    let over = this.total(all) - maxBytes;
    const shortened = new Map<StoredTurn, Owned>();
    const dropped: Owned[] = [];
    const summaries = new Map<ConversationId, Summary>();
    if (over <= 0) return { summaries: [], shortened: [], dropped };

    const reduceFolded = (reduce: (turns: readonly StoredTurn[]) => readonly StoredTurn[]) => {
      for (const { id, summary } of all) {
        if (over <= 0) break;
        const present = summaries.get(id) ?? summary;
        if (!present?.folded) continue;
        const short = { ...present, folded: reduce(present.folded) };
        over -= this.#summaryBytes(present) - this.#summaryBytes(short);
        summaries.set(id, short);
      }
    };
    reduceFolded((turns) => turns.map(nameOf));

    const replace = (owned: Owned, turn: StoredTurn) => {
      over -= this.bytesOf(shortened.get(owned.original)?.turn ?? owned.turn) - this.bytesOf(turn);
      if (turn !== owned.turn) shortened.set(owned.original, { ...owned, turn });
    };
    const withLong = all.filter(({ turns }) => turns.some((turn) => this.#short(turn) !== turn));
    for (const owned of oldestFirst(withLong, inOrderOfLeaving)) {
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
    reduceFolded(() => []);
    const [last] = newest.slice(-1);
    if (last && over > 0) replace(last, this.#short(last.turn));
    for (const limit of lastResorts) {
      if (last && over > 0) replace(last, withShortTexts(last.turn, limit));
    }
    return {
      summaries: Array.from(summaries, ([conversation, summary]) => ({ conversation, summary })),
      shortened: [...shortened.values()],
      dropped,
    };
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
