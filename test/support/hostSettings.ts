import * as vscode from 'vscode';

/** Points the extension at a stand-in, or nowhere. The credential is a header: no key has to be typed into a box. */
export async function pointAt(url: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('assistant');
  await configuration.update('baseUrl', url, vscode.ConfigurationTarget.Global);
  await configuration.update(
    'headers',
    url === undefined ? undefined : { authorization: 'Bearer sk-ant-host' },
    vscode.ConfigurationTarget.Global,
  );
}
