import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ArchivedConversation, ConversationArchive } from '../../core/conversation/archive/archive';
import { toMarkdown } from '../../core/conversation/reports/exportMarkdown';
import type { ArchivedHeader } from '../../core/conversation/store';
import { formatTime } from '../formats';
import { openMarkdown } from './openMarkdown';

const scheme = 'assistant-archive';

export interface ArchivePreview extends vscode.Disposable {
  show(archived: Pick<ArchivedHeader, 'id' | 'title'>): Promise<void>;
}

/** Shows an archived conversation as a page that can only be read. */
export function createArchivePreview(options: {
  readonly archive: Pick<ConversationArchive, 'get'>;
  readonly nameOfModel: (id: string) => string;
}): ArchivePreview {
  const render = ({ conversation }: ArchivedConversation) =>
    toMarkdown(conversation, {
      withValues: false,
      secrets: [],
      nameOfModel: options.nameOfModel,
      formatTime,
    });
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: async ({ query }) => {
      const archived = await options.archive.get(query);
      return archived ? render(archived) : l10n.t('This conversation is no longer in the archive.');
    },
  });
  return {
    show: async ({ id, title }) => {
      // The name of the tab; a slash would make a folder of its beginning.
      const name = title.replaceAll(/[/\\]/g, ' ').trim() || id;
      await openMarkdown(scheme, id, name);
    },
    dispose: () => registration.dispose(),
  };
}
