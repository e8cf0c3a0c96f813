import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../core/ports';
import { visible } from '../../core/text/plainText';
import type { WholeText } from '../../core/tools/workspaceTool';
import { commandLink, type LinkedCommand, withLinksTo } from '../commandLink';
import { createRegisterCommand } from '../commands';

const scheme = 'claude-assistant-whole';
const commandName = 'showWholeText';
const command = `assistant.${commandName}`;
/** More questions than are ever open at once. */
const keptTexts = 50;

/** Texts that are too long for the question about them, as documents to read. */
export interface WholeTexts extends vscode.Disposable {
  /** Opens all of it beside the question. */
  show(whole: WholeText): Promise<void>;
  /** The message of a card, below a link to all of it where it has no room, and one to what else can be done. */
  message(
    markdown: string,
    whole: WholeText | undefined,
    more: LinkedCommand | undefined,
  ): vscode.MarkdownString;
}

export function createWholeTexts(nextId: () => string, log: Log): WholeTexts {
  const texts = new Map<string, WholeText>();

  function keep(whole: WholeText): string {
    const id = nextId();
    texts.set(id, whole);
    const oldest = texts.keys().next();
    if (texts.size > keptTexts && !oldest.done) texts.delete(oldest.value);
    return id;
  }

  async function open(id: string): Promise<void> {
    const title = l10n.t('What Would Be Done');
    // VS Code 1.110 takes two documents for one when their paths are the same.
    const uri = vscode.Uri.from({ scheme, path: `/${id}/${title}`, query: id });
    const document = await vscode.workspace.openTextDocument(uri);
    const language = texts.get(id)?.language ?? 'plaintext';
    await vscode.languages.setTextDocumentLanguage(document, language);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }

  const registrations = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) =>
        visible(texts.get(query)?.text ?? l10n.t('This is no longer available.')),
    }),
    createRegisterCommand(log)(commandName, open),
  );

  return {
    show: (whole) => open(keep(whole)),
    message(markdown, whole, more) {
      const all =
        whole === undefined || whole.isInMessage
          ? undefined
          : { command, markdown: `[${showAll()}](${commandLink(command, keep(whole))})` };
      const links = [all, more].filter((link) => link !== undefined);
      if (links.length === 0) return new vscode.MarkdownString(markdown);
      return withLinksTo(
        links.map((link) => link.command),
        `${links.map((link) => link.markdown).join(' · ')}\n\n${markdown}`,
      );
    },
    dispose: () => void registrations.dispose(),
  };
}

/** The words of the button, or link, that opens all of it. */
export function showAll(): string {
  return l10n.t('Show All of It');
}
