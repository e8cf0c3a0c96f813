import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { decodeMarks, isSameProject, type ProjectMarks } from '../../core/conversation/archive/project';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import type { Archiving } from '../../core/conversation/store';
import type { Log } from '../../core/ports';
import type { Note } from '../../core/tools/notes/note';
import type { Notes } from '../../core/tools/notes/notes';
import { inform, offer } from '../notify';
import { readOrigins } from '../tools/gitChanges';

const marksFile = 'project.json';

export interface MovedFolderOptions {
  /** Where this workspace keeps its files; those of other workspaces are beside it. Absent without a folder. */
  readonly storage: string | undefined;
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  /** All conversations that another workspace has in its storage. */
  readonly conversationsIn: (storage: string) => Promise<readonly Archiving[]>;
  readonly notes: Pick<Notes, 'takeOver'>;
  readonly notesIn: (storage: string) => Promise<readonly Note[]>;
  readonly log: Log;
}

/**
 * VS Code knows a workspace by where its folder is: one that was moved or renamed begins without any memory. So each
 * workspace notes what tells its project from others, and a new one looks, once, whether it is one of those that have
 * gone from their place. To be called after answers, so that nobody waits for it.
 */
export function createMovedFolderOffer(options: MovedFolderOptions): () => void {
  let isDone = false;
  return () => {
    if (isDone || options.storage === undefined) return;
    isDone = true;
    offerTakeOver(options.storage, options).catch((error: unknown) =>
      options.log.error('looking for a moved folder failed', error),
    );
  };
}

async function offerTakeOver(storage: string, options: MovedFolderOptions): Promise<void> {
  const { memory, archive } = options;
  const noted = await readNoted(storage);
  const marks = await readMarks(noted);
  if (!marks) return;
  await writeFile(join(storage, marksFile), JSON.stringify(marks), { mode: 0o600 });
  if (noted || archive.isOff || (await archive.list()).length > 0) return;
  const moved = await findMoved(storage, marks);
  if (!moved) return;
  const yes = l10n.t('Take Over');
  const question = l10n.t(
    'This project seems to be the one that was in {0}. Take over its conversations and notes?',
    moved.path,
  );
  if ((await inform(question, yes, l10n.t('No'))) !== yes) return;
  const conversations = await options.conversationsIn(moved.storage);
  await memory.change((draft) => conversations.forEach((one) => draft.bringBack(one)));
  await options.notes.takeOver(await options.notesIn(moved.storage));
  const count = (await archive.list()).length;
  const sentence = l10n.t('Conversations that can be resumed here now: {0}.', count);
  await offer(sentence, l10n.t('Resume…'), () =>
    vscode.commands.executeCommand('assistant.resumeConversation'),
  );
}

/** Nothing for a window without a folder on this machine. */
async function readMarks(noted: ProjectMarks | undefined): Promise<ProjectMarks | undefined> {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (uri?.scheme !== 'file') return undefined;
  const { dev, ino, birthtimeMs } = await stat(uri.fsPath);
  const folderId = [dev, ino, Math.floor(birthtimeMs)].join(':');
  const known = noted?.folderId === folderId ? noted.rootCommits : [];
  return { path: uri.fsPath, folderId, ...(await readOrigins(known)) };
}

async function findMoved(
  storage: string,
  marks: ProjectMarks,
): Promise<{ readonly storage: string; readonly path: string } | undefined> {
  const workspaces = dirname(dirname(storage));
  const names = await readdir(workspaces);
  const others = names
    .map((name) => join(workspaces, name, basename(storage)))
    .filter((path) => path !== storage);
  for (const other of others) {
    const noted = await readNoted(other);
    // A second clone is not a moved one: the first is still where it was.
    if (noted && isSameProject(noted, marks) && !(await exists(noted.path)))
      return { storage: other, path: noted.path };
  }
  return undefined;
}

async function readNoted(storage: string): Promise<ProjectMarks | undefined> {
  const text = await readFile(join(storage, marksFile), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : decodeMarks(text);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
