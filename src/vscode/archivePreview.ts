import * as vscode from 'vscode';
import type { ArchivedConversation } from '../core/conversation/archivedForm';

const scheme = 'assistant-archive';

export interface ArchivePreview extends vscode.Disposable {
  show(archived: ArchivedConversation): Promise<void>;
}

/** Shows an archived conversation as a page that can only be read. */
export function createArchivePreview(options: {
  readonly read: (id: string) => Promise<ArchivedConversation | undefined>;
  readonly render: (archived: ArchivedConversation) => string;
}): ArchivePreview {
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: async ({ query }) => {
      const archived = await options.read(query);
      return archived
        ? options.render(archived)
        : vscode.l10n.t('This conversation is no longer in the archive.');
    },
  });
  return {
    show: async ({ id, title }) => {
      // The name of the tab; a slash would make a folder of its beginning.
      const name = title.replaceAll(/[/\\]/g, ' ').trim() || id;
      const uri = vscode.Uri.from({ scheme, path: `/${name}.md`, query: id });
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose: () => registration.dispose(),
  };
}
