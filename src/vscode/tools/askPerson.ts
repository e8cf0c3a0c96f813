import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Confirmation } from '../../core/tools/workspaceTool';
import { askInDialog, warn } from '../notify';
import { invokeTool, textsIn, type ToolToken } from './invokeTool';
import { showAll, type WholeTexts } from './wholeTexts';

/** VS Code's own card, with our buttons. Its answer is never remembered; it is internal, so it may be missing. */
export const cardTool = 'vscode_get_confirmation_with_options';

/** The card says this when it was answered without a button, for example at a permission level that asks nobody. */
const noButton = 'yes';

export type Question = Pick<Confirmation, 'title' | 'message' | 'summary' | 'whole'>;

export interface Asking {
  readonly token: ToolToken;
  readonly whole: WholeTexts;
}

/** The words on the buttons. VS Code shows the first two, and the others in a menu beside them. */
export interface Buttons {
  readonly yes: string;
  readonly no: string;
  readonly more?: readonly string[];
}

/** Asks in a way that no earlier "always allow" can answer. Anything but a clear yes is a no. */
export async function askOnce(
  question: Question,
  asking: Asking,
  signal: AbortSignal,
  buttons: Buttons,
): Promise<boolean> {
  return (await askPerson(question, buttons, asking, signal)) === buttons.yes;
}

/**
 * Gives the button that the person pressed; no answer means no. The question comes in a card of the chat where VS Code
 * has one that it does not answer by itself, else in a dialog.
 */
export async function askPerson(
  question: Question,
  buttons: Buttons,
  { token, whole }: Asking,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hasCard = token !== undefined && vscode.lm.tools.some(({ name }) => name === cardTool);
  if (hasCard) {
    // Such a card has no room for a link or for one more button.
    if (question.whole?.isInMessage === false) await whole.show(question.whole);
    const answer = await askInCard(question, buttons, token, signal);
    if (answer !== noButton) return answer;
  }
  return askOutsideOfChat(question, buttons, whole, signal);
}

async function askInCard(
  { title, message }: Question,
  { yes, no, more = [] }: Buttons,
  token: ToolToken,
  signal: AbortSignal,
): Promise<string | undefined> {
  const buttons = [yes, no, ...more];
  const parts = await invokeTool(cardTool, { title, message, buttons }, token, signal);
  const [said] = textsIn(parts ?? []);
  return said !== undefined && [...buttons, noButton].includes(said) ? said : undefined;
}

async function askOutsideOfChat(
  { title, summary, whole }: Question,
  { yes, no, more = [] }: Buttons,
  texts: WholeTexts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // Cancel, which every dialog has, says no.
  const inDialog = askInDialog(title, summary, yes, ...more, ...(whole ? [showAll()] : []));
  const answer = await Promise.race([inDialog, stopped]);
  if (answer !== showAll() || whole === undefined) return answer;
  await texts.show(whole);
  // Not in a dialog again: nothing could be read behind it.
  return Promise.race([warn(title, yes, no, ...more), stopped]);
}

export function allowOnce(): string {
  return l10n.t('Allow Once');
}

export function skip(): string {
  return l10n.t('Skip');
}
