import type { Conversation, StoredTurn } from '../../../src/core/conversation/turn';
import { exchange } from './testWorkspace';

/** A turn as it is remembered. */
export function aTurn(id: string, rest: Partial<StoredTurn> = {}): StoredTurn {
  return { id, order: 1, startedAt: 1, endedAt: 1, outcome: 'finished', messages: exchange(id), ...rest };
}

export function aConversation(id: string, rest: Partial<Conversation> = {}): Conversation {
  return { id, lastActive: 1, turns: [], summarized: [], params: [], ...rest };
}
