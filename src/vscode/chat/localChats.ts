import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inform } from '../notify';

/** `@assistant` exists in Local chats only; chats of other agents do not know it. */
export const newLocalChat = 'workbench.action.chat.newLocalChat';

/** Whether chats of other agents than VS Code's own are to be had: each kind has commands that open one. */
export async function hasOtherAgents(): Promise<boolean> {
  const opensOther = /^workbench\.action\.chat\.openNew(ChatSession|Session)\w+\.(?!local$)/;
  return (await vscode.commands.getCommands(true)).some((id) => opensOther.test(id));
}

const toldKey = 'toldOfLocalChats';

/** Says once, in all windows together, that new chats are not Local, which an experiment or a policy may have decided. */
export function registerLocalChatNotice(told: vscode.Memento): vscode.Disposable {
  const tellOnce = async () => {
    const isNews = () => told.get(toldKey) !== true && !areLocalByDefault();
    // Asked again: meanwhile another setting may have changed, and been told of.
    if (!isNews() || !(await hasOtherAgents()) || !isNews()) return;
    await told.update(toldKey, true);
    const open = l10n.t('Open Local Chat');
    const sentence = l10n.t(
      'New chats in this VS Code belong to another agent, and @assistant does not exist there. Ask Assistant always opens a Local chat, where it does.',
    );
    if ((await inform(sentence, open)) === open) await vscode.commands.executeCommand('assistant.ask');
  };
  void tellOnce();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (Object.keys(localSettings).some((name) => change.affectsConfiguration(`chat.${name}`)))
      void tellOnce();
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
