import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { maxPlanChars, type Plan } from '../../core/tools/plans/plan';
import type { Plans } from '../../core/tools/plans/plans';

const scheme = 'assistant-plan';

/** The plans as documents of the editor: text, with its undo, its unsaved changes and its conflicts as anywhere (N2). */
export interface PlanFiles extends vscode.Disposable {
  show(plan: Pick<Plan, 'id'>, options?: vscode.TextDocumentShowOptions): Promise<void>;
  /** What the user has written and not saved yet is what counts. One that is in conflict stays as it is. */
  saveEditors(): Promise<void>;
}

export function createPlanFiles({
  plans,
  ready,
}: {
  readonly plans: Plans;
  /** Memory has opened the database, and told of it if it was damaged. */
  readonly ready: Promise<unknown>;
}): PlanFiles {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  // VS Code compares what it has read with what `stat` says, right before it writes: that much the user has seen.
  const seen = new Map<number, number>();

  const find = async (uri: vscode.Uri): Promise<Plan> => {
    await ready;
    const plan = await plans.get(planIdOf(uri));
    if (!plan) throw vscode.FileSystemError.FileNotFound(uri);
    return plan;
  };
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri) {
      // Each plan is in a folder of its own, for which VS Code looks before it writes.
      if (/^\/\d*$/.test(uri.path)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      const { id, text, revision, changedAt } = await find(uri);
      seen.set(id, revision);
      const size = encode(text).length + (revision % sizes) * sizeStep;
      return { type: vscode.FileType.File, ctime: 0, mtime: changedAt, size };
    },
    readFile: async (uri) => encode((await find(uri)).text),
    async writeFile(uri, content) {
      const { id, revision } = await find(uri);
      const text = decode(content);
      if (text.length > maxPlanChars) throw tooLong(text.length);
      const saved = await plans.save(id, text, seen.get(id) ?? revision);
      if (!saved) throw vscode.FileSystemError.FileNotFound(uri);
      if (saved.kind === 'changed')
        throw vscode.FileSystemError.Unavailable(
          l10n.t('The plan was changed at this very moment. Save again to compare.'),
        );
      seen.set(id, saved.plan.revision);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };

  /** Documents without unsaved changes follow, and go with their plan; the others are left to the user. */
  async function follow(): Promise<void> {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isPlanTab);
    if (open.length + tabs.length === 0) return;
    const known = new Set((await plans.list()).map(({ id }) => id));
    const isKnown = (uri: vscode.Uri) => known.has(planIdOf(uri));
    await vscode.window.tabGroups.close(tabs.filter(({ input, isDirty }) => !isDirty && !isKnown(input.uri)));
    changed.fire(
      open.map(({ uri }) => ({
        uri,
        type: isKnown(uri) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted,
      })),
    );
  }

  const subscriptions = vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    // A database that cannot be read has been told of.
    plans.onDidChange(() => void follow().catch(() => undefined)),
  );
  return {
    async show({ id }, options) {
      await vscode.window.showTextDocument(uriOf(id), { preview: false, ...options });
    },
    async saveEditors() {
      const dirty = vscode.workspace.textDocuments.filter(
        ({ uri, isDirty }) => uri.scheme === scheme && isDirty,
      );
      await Promise.all(dirty.map((document) => document.save()));
    },
    dispose: () => void subscriptions.dispose(),
  };
}

function isPlanTab(tab: vscode.Tab): tab is vscode.Tab & { readonly input: vscode.TabInputText } {
  return tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === scheme;
}

/**
 * VS Code sees that a file has changed only where its size has, too, which that of a plan has not when a step is ticked.
 * So each revision claims a size of its own: below 10 MB, from which on VS Code would ask before it opens it.
 */
const sizeStep = 2 ** 18;
const sizes = 37;

/** The last part is only what stands on the tab. */
function uriOf(id: number): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${id}/${l10n.t('Plan')}.md` });
}

export function planIdOf({ path }: vscode.Uri): number {
  return Number(/^\/(\d+)\/[^/]+$/.exec(path)?.[1]);
}

/** With a byte order mark: else VS Code would read and write it in whatever `files.encoding` says. */
function encode(text: string): Uint8Array {
  return new TextEncoder().encode(`\uFEFF${text}`);
}

function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw vscode.FileSystemError.Unavailable(l10n.t('A plan is kept as UTF-8. Save it with that encoding.'));
  }
}

function tooLong(length: number): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(
    l10n.t(
      'The plan has {0} characters, and {1} are the most it may have. Nothing was saved: make it shorter.',
      length,
      maxPlanChars,
    ),
  );
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
