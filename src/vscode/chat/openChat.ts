import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isObject } from '../../core/text/json';
import { inform } from '../notify';

/** What the chat is opened with. */
export interface ChatOpening {
  /** Filled in after `@assistant`. */
  readonly question?: string;
  /** It is sent at once, as if the user had pressed Enter: words of ours only. */
  readonly isSent?: boolean;
  readonly attachFiles?: readonly (vscode.Uri | AttachedRange)[];
  /** The chat that has the focus is a Local one. */
  readonly isLocal?: boolean;
}

interface AttachedRange {
  readonly uri: vscode.Uri;
  readonly range: object;
}

/**
 * Opens a Local chat with `@assistant` filled in: a message without it would go to another agent, and in the chats of
 * other agents there is no `@assistant`.
 */
export async function openChat({
  question = '',
  attachFiles,
  isLocal,
  isSent = false,
}: ChatOpening = {}): Promise<void> {
  if (!isLocal && (await hasOtherAgents())) {
    // VS Code does not tell what chat is open, so only a new one is certain to be Local. In the panel: a chat of
    // another agent may be open in an editor, and stays there.
    await vscode.commands.executeCommand('workbench.panel.chat.view.copilot.focus');
    await vscode.commands.executeCommand(newLocalChat);
  }
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@assistant ${question}`,
    isPartialQuery: !isSent,
    ...(attachFiles && { attachFiles }),
  });
}

/**
 * The command `Ask Assistant`. A link passes a question, alone or with the chat it is in, the keybinding whether the
 * focus is in a Local chat, and a menu the file it was opened on, which is ignored.
 */
export async function askAssistant(argument?: unknown): Promise<void> {
  const selection = selectedRange();
  const question = isObject(argument) ? argument['question'] : argument;
  await openChat({
    ...(typeof question === 'string' && { question }),
    isLocal: isObject(argument) && argument['isLocal'] === true,
    ...(selection && { attachFiles: [selection] }),
  });
}

/** The selection in the editor, as the chat's own command accepts it: lines and columns from 1. */
function selectedRange(): AttachedRange | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  const { start, end } = editor.selection;
  return {
    uri: editor.document.uri,
    range: {
      startLineNumber: start.line + 1,
      startColumn: start.character + 1,
      endLineNumber: end.line + 1,
      endColumn: end.character + 1,
    },
  };
}

/** `@assistant` exists in Local chats only; chats of other agents do not know it. */
const newLocalChat = 'workbench.action.chat.newLocalChat';

/** Opens an empty chat in the panel. */
export async function newChat(): Promise<void> {
  const isNamed = (await vscode.commands.getCommands(true)).includes(newLocalChat);
  await vscode.commands.executeCommand('workbench.panel.chat.view.copilot.focus');
  await vscode.commands.executeCommand(isNamed ? newLocalChat : 'workbench.action.chat.newChat');
}

/** Whether there are chats of other agents than VS Code's own: each kind has commands that open one. */
async function hasOtherAgents(): Promise<boolean> {
  const opensOther = /^workbench\.action\.chat\.openNew(ChatSession|Session)\w+\.(?!local$)/;
  return (await vscode.commands.getCommands(true)).some((id) => opensOther.test(id));
}

const noticeKey = 'toldOfLocalChats';

/** Notifies once, in all windows together, that new chats are not Local: an experiment or a policy may decide that. */
export function registerLocalChatNotice(state: vscode.Memento): vscode.Disposable {
  const notifyOnce = async () => {
    const isNews = () => state.get(noticeKey) !== true && !areLocalByDefault();
    // Checked again, since another notice may have been shown during the await.
    if (!isNews() || !(await hasOtherAgents()) || !isNews()) return;
    await state.update(noticeKey, true);
    const open = l10n.t('Open Local Chat');
    const sentence = l10n.t(
      'New chats in this VS Code belong to another agent, and @assistant does not exist there. Ask Assistant always opens a Local chat, where it does.',
    );
    if ((await inform(sentence, open)) === open) await vscode.commands.executeCommand('assistant.ask');
  };
  void notifyOnce();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (Object.keys(localSettings).some((name) => change.affectsConfiguration(`chat.${name}`)))
      void notifyOnce();
  });
}

/** Settings of VS Code, and what they are where new chats are Local. Not all versions have them. */
const localSettings = {
  defaultToCopilotHarness: false,
  'editor.preferCopilotHarness': false,
  'editor.localAgent.enabled': true,
};

function areLocalByDefault(): boolean {
  const configuration = vscode.workspace.getConfiguration('chat');
  return Object.entries(localSettings).every(([name, local]) => configuration.get(name, local) === local);
}
