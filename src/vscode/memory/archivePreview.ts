import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { toMarkdown } from '../../core/conversation/reports/exportMarkdown';
import type { ArchivedHeader } from '../../core/conversation/store';
import { formatTime } from '../formats';
import { createMarkdownPages } from './markdownPages';

export interface ArchivePreview extends vscode.Disposable {
  show(archived: Pick<ArchivedHeader, 'id' | 'title'>): Promise<void>;
}

/** Shows an archived conversation as a page that can only be read. */
export function createArchivePreview(options: {
  readonly archive: Pick<ConversationArchive, 'get'>;
  readonly nameOfModel: (id: string) => string;
}): ArchivePreview {
  const { archive, nameOfModel } = options;
  const pages = createMarkdownPages('assistant-archive', async (id) => {
    const archived = await archive.get(id);
    if (!archived) return l10n.t('This conversation is no longer in the archive.');
    return toMarkdown(archived.conversation, { withValues: false, secrets: [], nameOfModel, formatTime });
  });
  return {
    // The title is the name of the tab; a slash would make a folder of its beginning.
    show: ({ id, title }) => pages.show(id, title.replaceAll(/[/\\]/g, ' ').trim() || id),
    dispose: () => pages.dispose(),
  };
}
