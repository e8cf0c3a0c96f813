import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SomeTurn } from '../../core/conversation/archive/archive';
import { firstWords } from '../../core/conversation/firstWords';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import { turnMarkdown } from '../../core/conversation/reports/turnMarkdown';
import type { KeptTurn } from '../../core/conversation/store';
import type { ConversationId, StoredTurn } from '../../core/conversation/turn';

const scheme = 'assistant-memory';

/** A remembered turn as a file to read. The last part of the path is only its title. */
export function turnUri(conversation: ConversationId, turn: StoredTurn): vscode.Uri {
  return uriOf(['turn', conversation, turn.id], firstWords(turn, 40));
}

/** A turn that was found, wherever it is kept. */
export function foundUri({ key, kept }: KeptTurn): vscode.Uri {
  return uriOf(['found', key, kept.id], firstWords(kept, 40));
}

/** Which turn a document shows. */
export function turnOf(uri: vscode.Uri): SomeTurn | undefined {
  const [kind, key, turn] = idsOf(uri);
  if (uri.scheme !== scheme || turn === undefined) return undefined;
  return { turn, key: kind === 'found' ? key : undefined };
}

/** The summary of a conversation as a file to change: saving it changes what Claude gets, empty text removes it. */
export function summaryUri(conversation: ConversationId): vscode.Uri {
  return uriOf(['summary', conversation], l10n.t('Summary'));
}

/**
 * What is remembered, as documents in the editor. As text, not as a preview: a preview would fetch the remote images
 * that an answer names.
 */
export function registerMemoryFiles(memory: ConversationMemory): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const find = async (uri: vscode.Uri): Promise<MemoryFile> => {
    await memory.load();
    const [kind, conversation = '', turnId] = idsOf(uri);
    const snapshot = memory.forConversation(conversation).snapshot();
    if (kind === 'summary') {
      const { text = '', at = 0 } = snapshot?.summary ?? {};
      // A change of the user's own keeps the time of the summary.
      return { text, mtime: at + text.length };
    }
    const turn =
      kind === 'found' && turnId !== undefined
        ? (await memory.search((search) => search.kept({ key: conversation, turn: turnId })))?.kept
        : snapshot?.turns.find(({ id }) => kind === 'turn' && id === turnId);
    if (!turn) throw vscode.FileSystemError.FileNotFound(uri);
    return {
      text: turnMarkdown(turn),
      mtime: turn.endedAt,
      permissions: vscode.FilePermission.Readonly,
    };
  };
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri) {
      const { text, ...rest } = await find(uri);
      return { type: vscode.FileType.File, ctime: 0, size: encode(text).length, ...rest };
    },
    readFile: async (uri) => encode((await find(uri)).text),
    async writeFile(uri, content) {
      const [kind, conversation = ''] = idsOf(uri);
      if (kind !== 'summary') refuse(uri);
      await memory.forConversation(conversation).setSummary(new TextDecoder().decode(content).trim());
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    memory.onDidChange(() => {
      const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
      changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
    }),
  );
}

interface MemoryFile {
  readonly text: string;
  readonly mtime: number;
  readonly permissions?: vscode.FilePermission;
}

/** Ids are encoded, since they may hold a slash; the title is what stands on the tab. */
function uriOf(ids: readonly string[], title: string): vscode.Uri {
  const words = title.replaceAll(/[^\p{L}\p{N} _.,-]+/gu, ' ').replace(/[ .]+$/, '');
  const name = words.trim() || ids.at(-1);
  return vscode.Uri.from({ scheme, path: ['', ...ids.map(encodeURIComponent), `${name}.md`].join('/') });
}

function idsOf(uri: vscode.Uri): readonly string[] {
  return uri.path.split('/').slice(1, -1).map(decodeURIComponent);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
