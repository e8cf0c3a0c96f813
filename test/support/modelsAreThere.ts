import * as vscode from 'vscode';

/** Before that VS Code itself refuses a message. */
export function modelsAreThere(): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = async () => {
      const models = await vscode.lm.selectChatModels({ vendor: 'claude-assistant' });
      if (models.length === 0) return;
      // oxlint-disable-next-line no-use-before-define -- it is there by the time a look has ended.
      subscription.dispose();
      resolve();
    };
    // Watches before it looks: a change in between would be missed.
    const subscription = vscode.lm.onDidChangeChatModels(() => void look().catch(reject));
    look().catch(reject);
  });
}
