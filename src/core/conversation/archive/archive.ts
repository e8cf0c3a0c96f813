import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors';
import type { Log, TextFiles } from '../../ports';
import { unfolded } from '../folded';
import { SerialQueue } from '../serialQueue';
import type { Conversation } from '../turn';
import {
  archivedId,
  decodeArchived,
  encodeArchived,
  fileName,
  idOf,
  isArchivedId,
  type ArchivedConversation,
  type ArchivedId,
  type Ending,
} from './archivedForm';

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

export function createArchive(options: {
  /** Absent in a window without a folder. */
  readonly files: TextFiles | undefined;
  /** How many conversations are kept at most; asked at every use. */
  readonly size: () => number;
  readonly log: Log;
}): ConversationArchive {
  const { files, size, log } = options;
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
      // What has no turns but those in its summary is shown and found by these.
      const kept = conversation.turns.length > 0 ? conversation : unfolded(conversation);
      if (!files || size() === 0 || kept.turns.length === 0) return undefined;
      const id = archivedId(kept, ending);
      await queue.run(async () => {
        await files.write(fileName(id), encodeArchived(kept, ending));
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
          ? l10n.t('{0} was written by a newer version of Claude Assistant.', fileName(id))
          : l10n.t('{0} is damaged and cannot be read. It is left where it is.', fileName(id)),
      );
    },

    async remove(id) {
      if (isArchivedId(id)) await queue.run(async () => files?.remove(fileName(id)));
    },

    clear: () => queue.run(async () => files?.clear()),
  };
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
