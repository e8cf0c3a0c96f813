import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openChat } from './openChat';

const scheme = 'assistant-image';

/**
 * Attaches image files to the chat. VS Code silently drops them unless an extension declares a proposed API, but any
 * other file is attached. So each image is attached under another name, and replaced by the original when it is read.
 */
export interface ImageFiles extends vscode.Disposable {
  /** The command: opens the chat with these images, with the one in the active editor, or with those the user picks. */
  readonly ask: (image?: unknown, selected?: unknown) => Promise<void>;
  /** The attachment with the original file; any other as it is. */
  readonly resolve: (reference: vscode.ChatPromptReference) => vscode.ChatPromptReference;
}

export function createImageFiles(): ImageFiles {
  const nothing = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: nothing.event,
    watch: () => ({ dispose: () => undefined }),
    stat: (uri) => vscode.workspace.fs.stat(find(uri)),
    readFile: (uri) => vscode.workspace.fs.readFile(find(uri)),
    readDirectory: () => [],
    writeFile: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  const registration = vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true });

  return {
    async ask(image, selected) {
      const images = givenImages(image, selected) ?? (await pickImages());
      if (images.length > 0) await openChat({ attachFiles: images.map(standInFor) });
    },
    resolve(reference) {
      const original = reference.value instanceof vscode.Uri ? originalOf(reference.value) : undefined;
      return original ? { ...reference, value: original } : reference;
    },
    dispose: () => vscode.Disposable.from(registration, nothing).dispose(),
  };
}

/** The URI itself names the original: VS Code keeps it with the message, longer than this window. */
function standInFor(original: vscode.Uri): vscode.Uri {
  const path = `/${posix.basename(original.path)} (image)`;
  return vscode.Uri.from({ scheme, path, query: original.toString() });
}

/** Images only: a made-up URI must not give access to anything else. */
function originalOf(uri: vscode.Uri): vscode.Uri | undefined {
  if (uri.scheme !== scheme) return undefined;
  const original = vscode.Uri.parse(uri.query);
  return isImageName(original) ? original : undefined;
}

function find(uri: vscode.Uri): vscode.Uri {
  const original = originalOf(uri);
  if (!original) throw vscode.FileSystemError.FileNotFound(uri);
  return original;
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}

/** A menu passes the file it was opened on, and all that are selected with it, images or not. */
function givenImages(image: unknown, selected: unknown): readonly vscode.Uri[] | undefined {
  const all = (Array.isArray(selected) && selected.length > 0 ? selected : [image]).filter(
    (uri): uri is vscode.Uri => uri instanceof vscode.Uri && isImageName(uri),
  );
  if (all.length > 0) return all;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && isImageName(input.uri) ? [input.uri] : undefined;
}

async function pickImages(): Promise<readonly vscode.Uri[]> {
  const picked = await vscode.window.showOpenDialog({
    title: l10n.t('Ask About Image'),
    openLabel: l10n.t('Ask About Image'),
    canSelectMany: true,
    filters: { [l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] },
    ...defaultFolder(),
  });
  return picked ?? [];
}

function defaultFolder(): { readonly defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0];
  return folder ? { defaultUri: folder.uri } : {};
}

function isImageName({ path }: vscode.Uri): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(path);
}
