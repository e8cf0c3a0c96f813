import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Remedy } from '../../core/errors';

export type FollowUp = Extract<Remedy, 'continue' | 'retry' | 'continue-beyond' | 'retry-beyond'>;

/** The button below a sentence that says what went wrong; none where a follow-up or nothing helps. */
export function remedyButton(remedy: Remedy | undefined): vscode.Command | undefined {
  switch (remedy) {
    case 'set-api-key':
      return { command: 'assistant.setApiKey', title: l10n.t('Set API Key') };
    case 'choose-model':
      return { command: 'workbench.action.chat.openModelPicker', title: l10n.t('Choose Model') };
    case 'open-settings':
      return openBaseUrlSetting();
    case 'show-log':
      return { command: 'assistant.showLog', title: l10n.t('Show Log') };
    case 'continue':
    case 'retry':
    case 'continue-beyond':
    case 'retry-beyond':
    case undefined:
      break;
  }
  return undefined;
}

/** In a remote window the setting is on the page for the machine that VS Code runs on. */
function openBaseUrlSetting(): vscode.Command {
  const title = l10n.t('Open Settings');
  const query = '@id:assistant.baseUrl';
  return vscode.env.remoteName === undefined
    ? { command: 'workbench.action.openSettings', title, arguments: [query] }
    : { command: 'workbench.action.openRemoteSettings', title, arguments: [{ query }] };
}

/** What is offered as the next message. */
export function followUpFor(remedy: Remedy | undefined): FollowUp | undefined {
  return followUps.find((known) => known === remedy);
}

const followUps: readonly FollowUp[] = ['continue', 'retry', 'continue-beyond', 'retry-beyond'];

/** The message that goes on with a turn. */
function continuePrompt(): string {
  return l10n.t('Continue where you stopped.');
}

/** The message that goes beyond the budget, and no other does (L14): nobody writes it by accident. */
export function beyondPrompt(): string {
  return l10n.t('Continue beyond the budget, this once.');
}

/** `command` is the slash command that the message was sent with. */
export function toChatFollowup(
  followUp: FollowUp,
  lastPrompt: string | undefined,
  command: string | undefined,
): vscode.ChatFollowup[] {
  const goOn = (prompt: string) => [{ prompt, label: l10n.t('Continue'), ...(command && { command }) }];
  if (followUp === 'continue') return goOn(continuePrompt());
  if (followUp === 'continue-beyond' || followUp === 'retry-beyond') return goOn(beyondPrompt());
  // After a restart the prompt is no longer known; VS Code's own Retry below the answer still works then.
  if (lastPrompt === undefined) return [];
  return [{ prompt: lastPrompt, label: l10n.t('Retry'), ...(command && { command }) }];
}
