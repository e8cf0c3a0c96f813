import { UserError } from '../errors';
import { isObject } from '../json';
import type { ArchiveFiles, Log } from '../ports';
import { inEnglish, type Translate } from '../translate';
import { isName, isRevision } from './decode';
import { firstWords } from './memoryReport';
import { decodeMemory, encodeMemory } from './savedForm';
import { SerialQueue } from './serialQueue';
import { repairedMessages } from './transcript';
import type { Conversation, TurnId } from './turn';

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

export interface ArchiveListing {
  /** Newest first. */
  readonly conversations: readonly ArchivedConversation[];
  /** Files that cannot be read. They stay where they are. */
  readonly unreadable: readonly { readonly name: string; readonly why: 'damaged' | 'newer' }[];
}

/** Conversations that ended, one file each (M20). Nothing is read before somebody asks. */
export interface ConversationArchive {
  /** Nothing is kept: the person wants no archive, or there is no folder for it. */
  readonly isOff: boolean;
  /** Says under which id it is kept, or nothing when it is not. `sparing`, which is about to leave, is not removed to make room. */
  put(conversation: Conversation, ending: Ending, sparing?: ArchivedId): Promise<ArchivedId | undefined>;
  list(): Promise<ArchiveListing>;
  get(id: ArchivedId): Promise<ArchivedConversation | undefined>;
  remove(id: ArchivedId): Promise<void>;
  clear(): Promise<void>;
}

/** Of the files, each of which has the form of the stored memory with a single conversation inside. */
const version = 1;

export function createArchive(options: {
  /** Absent in a window without a folder. */
  readonly files: ArchiveFiles | undefined;
  /** How many conversations are kept at most; asked at every use. */
  readonly size: () => number;
  readonly log: Log;
  readonly translate?: Translate;
}): ConversationArchive {
  const { files, size, log, translate = inEnglish } = options;
  const queue = new SerialQueue();

  async function list(): Promise<ArchiveListing> {
    const ids = ((await files?.names()) ?? []).flatMap((name) => idOf(name) ?? []);
    const read = await Promise.all(
      ids.toSorted().map(async (id) => {
        const text = await files?.read(fileName(id));
        return text === undefined ? [] : [{ id, archived: decodeArchived(id, text) }];
      }),
    );
    const conversations: ArchivedConversation[] = [];
    const unreadable: { name: string; why: 'damaged' | 'newer' }[] = [];
    for (const { id, archived } of read.flat()) {
      if (typeof archived === 'string') unreadable.push({ name: fileName(id), why: archived });
      else conversations.push(archived);
    }
    return { conversations: conversations.toReversed(), unreadable };
  }

  async function tidy(kept: ArchivedId, spared: ArchivedId | undefined): Promise<void> {
    const { conversations } = await list();
    const others = conversations.filter(({ id }) => id !== kept && id !== spared);
    const newest = conversations.find(({ id }) => id === kept);
    const copies = others.filter((one) => !one.isDamaged && isPartOf(one, newest?.conversation));
    const leaving = inOrderOfLeaving(others.filter((one) => !copies.includes(one)));
    const over = leaving.length + 1 - size();
    for (const { id } of [...copies, ...leaving.slice(0, Math.max(0, over))])
      await files?.remove(fileName(id));
  }

  return {
    get isOff() {
      return !files || size() === 0;
    },

    async put(conversation, ending, sparing) {
      if (!files || size() === 0 || conversation.turns.length === 0) return undefined;
      const id = archivedId(conversation, ending);
      // A question of a conversation that ended waits no more.
      const { waiting: _ended, ...kept } = conversation;
      await queue.run(async () => {
        await files.write(fileName(id), JSON.stringify({ version, ...ending, ...encodedMemory(kept) }));
        await tidy(id, sparing).catch((cause: unknown) => log.error('archive: making room failed', cause));
      });
      return id;
    },

    list,

    async get(id) {
      const text = isArchivedId(id) ? await files?.read(fileName(id)) : undefined;
      const archived = text === undefined ? undefined : decodeArchived(id, text);
      if (typeof archived !== 'string') return archived;
      throw new UserError(
        archived === 'newer'
          ? translate('{0} was written by a newer version of Claude Assistant.', fileName(id))
          : translate('{0} is damaged and cannot be read. It is left where it is.', fileName(id)),
      );
    },

    async remove(id) {
      if (isArchivedId(id)) await queue.run(async () => files?.remove(fileName(id)));
    },

    clear: () => queue.run(async () => files?.clear()),
  };
}

/**
 * The same for every window that archives the same conversation, so that the second write meets the first. It sorts by
 * age as a name does.
 */
function archivedId({ id, lastActive, turns }: Conversation, ending: Ending): ArchivedId {
  const cut = ending.kind === 'branch' ? ending.firstCut : '';
  const when = String(Math.floor(lastActive)).padStart(15, '0');
  // With the turns in it, no name ever stands for two different conversations.
  const whose = fingerprint(JSON.stringify([id, cut, turns.map((turn) => turn.id)]));
  return `${when}-${ending.kind}-${whose}`;
}

function isArchivedId(id: unknown): id is ArchivedId {
  return typeof id === 'string' && /^\d{15}-(ended|left|branch)-[0-9a-f]{16}$/.test(id);
}

function fileName(id: ArchivedId): string {
  return `${id}.json`;
}

function idOf(name: string): ArchivedId | undefined {
  const id = name.replace(/\.json$/, '');
  return id !== name && isArchivedId(id) ? id : undefined;
}

function encodedMemory(conversation: Conversation): { readonly memory: unknown } {
  return { memory: encodeMemory([conversation]) };
}

function decodeArchived(id: ArchivedId, text: string): ArchivedConversation | 'damaged' | 'newer' {
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
  const cut = turns.find((turn) => ending.kind === 'branch' && turn.id === ending.firstCut);
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

/** Another window, or a crash in the middle of a swap, left a copy of what is elsewhere. */
export function isPartOf({ conversation }: ArchivedConversation, whole: Conversation | undefined): boolean {
  const turns = new Set(whole?.turns.map(({ id }) => id));
  return conversation.turns.every(({ id }) => turns.has(id));
}

/** Branches first, since nobody ended them on purpose; then the oldest. */
function inOrderOfLeaving(newestFirst: readonly ArchivedConversation[]): readonly ArchivedConversation[] {
  const oldestFirst = newestFirst.toReversed();
  return [
    ...oldestFirst.filter(({ ending }) => ending.kind === 'branch'),
    ...oldestFirst.filter(({ ending }) => ending.kind !== 'branch'),
  ];
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
