import * as vscode from 'vscode';
import type { Confirmation } from '../../core/tools/workspaceTool';
import { toCancellationToken } from '../cancellation';
import type { ToolToken } from './languageModelTools';

/** VS Code's own card with buttons of ours. Its answer is never remembered; it is internal, so it may be missing. */
export const cardTool = 'vscode_get_confirmation_with_options';

export interface Question extends Pick<Confirmation, 'title' | 'message' | 'summary'> {
  /** The words on the buttons, when they are not to allow and to skip. */
  readonly buttons?: { readonly yes: string; readonly no: string };
}

/**
 * Asks in a way that no earlier "always allow" can answer: in a card of the chat where VS Code has one for that, else in
 * a modal dialog. Anything but a clear yes is a no.
 */
export async function askOnce(question: Question, token: ToolToken, signal: AbortSignal): Promise<boolean> {
  const hasCard = vscode.lm.tools.some(({ name }) => name === cardTool);
  return hasCard && token !== undefined ? askInCard(question, token, signal) : askInDialog(question, signal);
}

async function askInCard(
  { title, message, buttons }: Question,
  toolInvocationToken: ToolToken,
  signal: AbortSignal,
): Promise<boolean> {
  const { yes, no } = buttons ?? { yes: allowOnce(), no: vscode.l10n.t('Skip') };
  const input = { title, message, buttons: [yes, no] };
  const cancellation = toCancellationToken(signal);
  try {
    const { content } = await vscode.lm.invokeTool(
      cardTool,
      { input, toolInvocationToken },
      cancellation.token,
    );
    return content.some((part) => part instanceof vscode.LanguageModelTextPart && part.value === yes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === 'Canceled') return false;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

async function askInDialog({ title, summary, buttons }: Question, signal: AbortSignal): Promise<boolean> {
  const yes = buttons?.yes ?? allowOnce();
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const answer = vscode.window.showWarningMessage(title, { modal: true, detail: summary }, yes);
  return (await Promise.race([answer, stopped])) === yes;
}

function allowOnce(): string {
  return vscode.l10n.t('Allow Once');
}
