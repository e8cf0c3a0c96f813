import { isObject } from '../../json';
import { isName, isRevision } from '../decode';
import { isWhole } from '../folded';
import { firstWords } from '../reports/memoryReport';
import { decodeMemory, encodeMemory } from '../savedForm';
import { repairedMessages } from '../transcript';
import type { Conversation, TurnId } from '../turn';

/** The name of an archived conversation. It says when it was last active, how it ended and whose it is. */
export type ArchivedId = string;

/** How a conversation came here: it expired, was left for another one, or a rewind in the chat panel cut it. */
export type Ending =
  | { readonly kind: 'ended' | 'left' }
  | { readonly kind: 'branch'; readonly firstCut: TurnId };

export interface ArchivedConversation {
  readonly id: ArchivedId;
  readonly ending: Ending;
  /** The first words of the first turn; of a branch, those of the first turn that was cut. */
  readonly title: string;
  readonly endedAt: number;
  readonly conversation: Conversation;
  /** Parts of its file could not be read: the file is never removed by itself. */
  readonly isDamaged: boolean;
}

/** Of the files, each of which has the form of the stored memory with a single conversation inside. */
const version = 1;

/**
 * The same for every window that archives the same conversation, so that the second write meets the first. It sorts by
 * age as a name does.
 */
export function archivedId({ id, lastActive, turns }: Conversation, ending: Ending): ArchivedId {
  const cut = ending.kind === 'branch' ? ending.firstCut : '';
  const when = String(Math.floor(lastActive)).padStart(15, '0');
  // With the turns in it, no name ever stands for two different conversations.
  const whose = fingerprint(JSON.stringify([id, cut, turns.map((turn) => turn.id)]));
  return `${when}-${ending.kind}-${whose}`;
}

export function isArchivedId(id: unknown): id is ArchivedId {
  return typeof id === 'string' && /^\d{15}-(ended|left|branch)-[0-9a-f]{16}$/.test(id);
}

export function fileName(id: ArchivedId): string {
  return `${id}.json`;
}

export function idOf(name: string): ArchivedId | undefined {
  const id = name.replace(/\.json$/, '');
  return id !== name && isArchivedId(id) ? id : undefined;
}

export function encodeArchived(conversation: Conversation, ending: Ending): string {
  // A question of a conversation that ended waits no more.
  const { waiting: _ended, ...kept } = conversation;
  return JSON.stringify({ version, ...ending, memory: encodeMemory([kept]) });
}

export function decodeArchived(id: ArchivedId, text: string): ArchivedConversation | 'damaged' | 'newer' {
  const file = parsed(text);
  if (!isObject(file) || !isRevision(file['version']) || file['version'] === 0) return 'damaged';
  if (file['version'] > version) return 'newer';
  const memory = decodeMemory(file['memory']);
  if (memory.kind === 'newer') return 'newer';
  const [stored] = memory.conversations;
  if (!stored) return 'damaged';
  const turns = stored.turns
    .map((turn) => ({ ...turn, messages: repairedMessages(turn.messages) }))
    .filter(({ messages }) => messages.length > 0);
  const conversation = { ...stored, turns };
  const ending = decodeEnding(id, file['firstCut']);
  const all = [...turns, ...(stored.summary?.folded ?? []).filter(isWhole)];
  const cut = all.find((turn) => ending.kind === 'branch' && turn.id === ending.firstCut);
  const opening = cut ?? turns[0];
  if (!opening) return 'damaged';
  return {
    id,
    ending,
    title: firstWords(opening),
    endedAt: conversation.lastActive,
    conversation,
    isDamaged: memory.damaged.length > 0 || turns.length < stored.turns.length,
  };
}

function decodeEnding(id: ArchivedId, firstCut: unknown): Ending {
  const [, kind] = id.split('-');
  if (kind === 'branch' && isName(firstCut)) return { kind, firstCut };
  return { kind: kind === 'ended' ? kind : 'left' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told by its name: what the person can do about it does not depend on where it is broken.
    return undefined;
  }
}

/** FNV-1a in two halves: ids of other extensions' conversations hold what a file name cannot. */
function fingerprint(text: string): string {
  let [low, high] = [0x811c9dc5, 0xc9dc5118];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 7), 0x01000193);
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
