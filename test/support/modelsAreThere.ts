import * as vscode from 'vscode';

/** Before that VS Code itself refuses a message. */
export function modelsAreThere(): Promise<void> {
  return modelsAre(({ length }) => length > 0);
}

/** Waits until our models, as VS Code knows them, are such. */
export function modelsAre(fits: (models: readonly vscode.LanguageModelChat[]) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = async () => {
      if (!fits(await vscode.lm.selectChatModels({ vendor: 'claude-assistant' }))) return;
      // oxlint-disable-next-line no-use-before-define -- it is there by the time a look has ended.
      subscription.dispose();
      resolve();
    };
    // Watches before it looks: a change in between would be missed.
    const subscription = vscode.lm.onDidChangeChatModels(() => void look().catch(reject));
    look().catch(reject);
  });
}
