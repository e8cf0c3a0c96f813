import * as vscode from 'vscode';
import { fitsCard, readCardAnswer, toCardInput } from '../../core/agent/questionCard';
import type { Log } from '../../core/ports';
import type { OpenQuestion } from '../../core/tools/tool';
import { invokeTool, textsIn, type ToolToken } from '../tools/invokeTool';
import { fetchesPictures } from './fetchesPictures';

const cardTool = 'vscode_askQuestions';

/**
 * VS Code's own question card, where there is one and it is not switched off. Undefined when there is none, or when VS
 * Code would answer for the user: then the question waits in the conversation, as one does that the card would cut off.
 */
export function questionCard(
  request: vscode.ChatRequest,
  disabled: readonly string[],
  log: Log,
): ((question: OpenQuestion, signal: AbortSignal) => Promise<string | undefined>) | undefined {
  const card = vscode.lm.tools.find(({ name }) => name === cardTool);
  if (!card || disabled.includes(cardTool) || answersByItself(request)) return undefined;
  return async (question, signal) =>
    fitsCard(question, card.inputSchema)
      ? ask(question, request.toolInvocationToken, log, signal)
      : undefined;
}

async function ask(
  question: OpenQuestion,
  token: ToolToken,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const parts = await invokeTool(
      cardTool,
      toCardInput(question, { fetchesPictures: fetchesPictures() }),
      token,
      signal,
    );
    // Dismissed, or another message was sent: the question waits.
    return parts && readCardAnswer(textsIn(parts).join(''), question);
  } catch {
    // Nothing that goes wrong here must lose the question.
    if (!signal.aborted) log.warn('the question card of VS Code failed');
    return undefined;
  }
}

/** In these modes VS Code answers that the user is not available, as if the user had said so. */
function answersByItself(request: vscode.ChatRequest): boolean {
  return (
    permissionLevelOf(request) === 'autopilot' ||
    vscode.workspace.getConfiguration('chat').get('autoReply') === true
  );
}

/** How much the user lets VS Code do in this chat without asking. Not in the stable typings; newer versions have it. */
export function permissionLevelOf(request: vscode.ChatRequest): 'default' | 'autoApprove' | 'autopilot' {
  const level: unknown = 'permissionLevel' in request ? request.permissionLevel : undefined;
  return level === 'autoApprove' || level === 'autopilot' ? level : 'default';
}
