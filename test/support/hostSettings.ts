import * as vscode from 'vscode';

/** Points the extension at a stand-in. The credential is a header: no key has to be typed into an input box. */
export async function pointAt(url: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('assistant');
  await configuration.update('baseUrl', url, vscode.ConfigurationTarget.Global);
  await configuration.update(
    'headers',
    { authorization: 'Bearer sk-ant-host' },
    vscode.ConfigurationTarget.Global,
  );
}
