import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { paragraph } from '../core/text/joined';
import { inform } from './notify';

const secretName = 'anthropicApiKey';

/** The key: SecretStorage first, then the environment, as the SDK would look for it. */
export interface ApiKey {
  /** The key, or the token of the environment: both are sent in the same way. */
  readonly read: () => Promise<string | undefined>;
  /** Every key there is, also those that are not in use. */
  readonly readAll: () => Promise<readonly string[]>;
  readonly set: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export function createApiKey(
  secrets: vscode.SecretStorage,
  environment: Readonly<Record<string, string | undefined>>,
): ApiKey {
  const inEnvironment = [environment['ANTHROPIC_API_KEY'], environment['ANTHROPIC_AUTH_TOKEN']];
  const fromEnvironment = inEnvironment.find(Boolean);
  const setHasKey = createKeyContext();
  if (fromEnvironment) setHasKey(true);
  return {
    read: async () => {
      const key = (await secrets.get(secretName)) || fromEnvironment;
      setHasKey(Boolean(key));
      return key;
    },
    readAll: async () =>
      [await secrets.get(secretName), ...inEnvironment].flatMap((key) => key?.trim() || []),
    set: async () => {
      const key = await vscode.window.showInputBox({
        title: l10n.t('Set API Key'),
        prompt: l10n.t(
          'Your key for the Claude API, from console.anthropic.com. It is kept in VS Code’s secret storage.',
        ),
        placeHolder: 'sk-ant-…',
        password: true,
        ignoreFocusOut: true,
        validateInput: whyNotAKey,
      });
      if (key === undefined) return;
      await secrets.store(secretName, key.trim());
      setHasKey(true);
      void offerChat();
    },
    remove: async () => {
      const had = (await secrets.get(secretName)) !== undefined;
      await secrets.delete(secretName);
      setHasKey(Boolean(fromEnvironment));
      const removed = had ? l10n.t('The API key is removed.') : l10n.t('No API key was stored.');
      const rest = fromEnvironment ? [l10n.t('A key from VS Code’s environment is still in use.')] : [];
      void inform(paragraph([removed, ...rest]));
    },
  };
}

function whyNotAKey(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return l10n.t('Paste your key, or press Escape to leave everything as it is.');
  // Anything else cannot be sent in a header. Keys of gateways look different, so nothing more is checked.
  if (!/^[\x21-\x7e]+$/.test(key))
    return l10n.t('A key can’t contain spaces or special characters: copy it again.');
  return undefined;
}

async function offerChat(): Promise<void> {
  const ask = l10n.t('Ask Assistant');
  const sentence = l10n.t('The API key is set. Ask @assistant something in the chat.');
  const choice = await inform(sentence, ask);
  if (choice === ask) await vscode.commands.executeCommand('assistant.ask');
}

/** The walkthrough's first step is done when there is a key, and the Memory view no longer asks for one. */
function createKeyContext(): (hasKey: boolean) => void {
  let noted = false;
  return (hasKey) => {
    if (hasKey === noted) return;
    noted = hasKey;
    void vscode.commands.executeCommand('setContext', 'assistant.hasKey', hasKey);
  };
}
