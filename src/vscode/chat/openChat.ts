import * as vscode from 'vscode';
import { isObject } from '../../core/json';
import { hasOtherAgents, newLocalChat } from './localChats';

/** What the chat is opened with. */
export interface ChatOpening {
  /** Waits behind `@assistant` for Enter. */
  readonly question?: string;
  readonly attachFiles?: readonly (vscode.Uri | AttachedRange)[];
  /** The chat that has the focus is a Local one. */
  readonly isLocal?: boolean;
}

interface AttachedRange {
  readonly uri: vscode.Uri;
  readonly range: object;
}

/**
 * Opens a Local chat with `@assistant` filled in: a message without it would go to somebody else, and in the chats of
 * other agents there is no `@assistant`.
 */
export async function openChat({ question = '', attachFiles, isLocal }: ChatOpening = {}): Promise<void> {
  if (!isLocal && (await hasOtherAgents())) {
    // VS Code does not tell what chat is open, so only a new one is certain to be Local. In the panel: a chat of
    // another agent may be open in an editor, and stays there.
    await vscode.commands.executeCommand('workbench.panel.chat.view.copilot.focus');
    await vscode.commands.executeCommand(newLocalChat);
  }
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@assistant ${question}`,
    isPartialQuery: true,
    ...(attachFiles && { attachFiles }),
  });
}

/**
 * The command `Ask Assistant`. A link brings a question; the keybinding brings that the focus is in a Local chat; a menu
 * brings the file it was opened on, which is neither.
 */
export async function askAssistant(argument?: unknown): Promise<void> {
  const selection = selectedRange();
  await openChat({
    ...(typeof argument === 'string' && { question: argument }),
    isLocal: isObject(argument) && argument['isLocal'] === true,
    ...(selection && { attachFiles: [selection] }),
  });
}

/** The selection in the editor, in the form that the chat's own command takes: lines and columns from 1. */
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
