import { memoizeByObject } from '../memoizeByObject';
import { jsonBytes } from '../text/json';
import { withShortResults, withShortTexts } from './shortTurn';
import type { Conversation, StoredTurn } from './turn';
import { inOrderOfEviction } from './view';

/** All that we keep in VS Code's workspace state, which is one blob that every update rewrites whole (M23). */
export const maxStateBytes = 256 * 1024;

/** Of turns that a summary stands for, so many go along at most. */
export const maxStubs = 100;

/** When one turn alone is too large, all it holds is shortened to this, step by step. */
const lastResorts = [8_000, 2_000, 500, 100] as const;

/** What has to happen for all to fit. */
export interface SizeFit {
  readonly conversations: readonly Conversation[];
  readonly evicted: readonly { readonly conversation: Conversation; readonly turn: StoredTurn }[];
  /** Conversations that have to end, oldest first. */
  readonly ended: readonly Conversation[];
}

// Memoized by object: a save costs the same at 1,000 turns.
const bytesOfTurn = memoizeByObject((turn: StoredTurn) => jsonBytes(turn) + 1);
const short = memoizeByObject((turn: StoredTurn) => withShortResults(turn));
const bytesOfRest = memoizeByObject((conversation: Conversation) => {
  const { turns: _turns, summarized, ...rest } = conversation;
  const stubs = summarized.slice(-maxStubs).map(toStub);
  return jsonBytes(rest) + jsonBytes(stubs) + 2 * jsonBytes(conversation.id) + 32;
});

export function bytesOf(conversation: Conversation): number {
  return conversation.turns.reduce((sum, turn) => sum + bytesOfTurn(turn), bytesOfRest(conversation));
}

/** Of the conversation that stays to the last: when even that is too much, whatever is cut does not help. */
function leastBytes(conversation: Conversation | undefined): number {
  const newest = conversation?.turns.at(-1);
  const least = newest ? bytesOfTurn(withShortTexts(short(newest), Math.min(...lastResorts))) : 0;
  return 64 + least + (conversation ? bytesOfRest(conversation) : 0);
}

/** No more of a turn than it takes to find out that it was removed. */
export const toStub = memoizeByObject((turn: StoredTurn): StoredTurn => {
  const { messages: _said, model: _model, usage: _usage, tokens: _tokens, ...rest } = turn;
  return { messages: [], ...rest };
});

/**
 * Takes them oldest first. Long results of older turns are shortened first. Then the oldest conversations end, then the
 * oldest turns are evicted, and then the newest turn is shortened, too: only if that helps.
 */
export function fitSize(all: readonly Conversation[], maxBytes: number): SizeFit {
  let over = all.reduce((sum, conversation) => sum + bytesOf(conversation), 64) - maxBytes;
  if (over <= 0) return { conversations: all, evicted: [], ended: [] };
  if (leastBytes(all.at(-1)) > maxBytes) return { conversations: all, evicted: [], ended: [] };
  const conversations = [...all];
  const evicted: { conversation: Conversation; turn: StoredTurn }[] = [];
  const ended: Conversation[] = [];

  const replace = (index: number, turns: readonly StoredTurn[]) => {
    const conversation = conversations[index];
    if (!conversation) return;
    const next = { ...conversation, turns };
    over -= bytesOf(conversation) - bytesOf(next);
    conversations[index] = next;
  };
  const shorten = (isMeant: (turn: StoredTurn, newest: StoredTurn | undefined) => boolean) => {
    for (const [index, { turns }] of conversations.entries()) {
      const changed: StoredTurn[] = [...turns];
      let saved = 0;
      for (const [at, turn] of turns.entries()) {
        if (over - saved <= 0) break;
        if (!isMeant(turn, turns.at(-1)) || short(turn) === turn) continue;
        saved += bytesOfTurn(turn) - bytesOfTurn(short(turn));
        changed[at] = short(turn);
      }
      if (saved > 0) replace(index, changed);
    }
  };
  shorten((turn, newest) => turn !== newest && !turn.isPinned);
  shorten((turn, newest) => turn !== newest);
  while (over > 0 && conversations.length > 1) {
    const [oldest] = conversations.splice(0, 1);
    if (!oldest) break;
    over -= bytesOf(oldest);
    ended.push(oldest);
  }
  const [last] = conversations;
  if (last && over > 0) {
    const gone = new Set<StoredTurn>();
    let saved = 0;
    for (const turn of inOrderOfEviction(last.turns)) {
      if (over - saved <= 0) break;
      saved += bytesOfTurn(turn);
      gone.add(turn);
    }
    evicted.push(...Array.from(gone, (turn) => ({ conversation: last, turn })));
    replace(
      0,
      last.turns.filter((turn) => !gone.has(turn)),
    );
  }
  shorten(() => true);
  for (const limit of lastResorts) {
    const newest = conversations[0]?.turns.at(-1);
    if (over > 0 && newest && over < bytesOfTurn(newest)) replace(0, [withShortTexts(newest, limit)]);
  }
  return { conversations, evicted, ended };
}
