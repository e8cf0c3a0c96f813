import * as vscode from 'vscode';
import type { Log } from '../../core/ports';
import { readCardAnswer, toCardInput } from '../../core/questionCard';
import type { OpenQuestion } from '../../core/tools/tool';
import { toCancellationToken } from '../cancellation';
import type { ToolToken } from '../tools/languageModelTools';
import { permissionLevelOf } from './permissionLevel';

const cardTool = 'vscode_askQuestions';

/**
 * VS Code's own question card, where there is one. Undefined when there is none, or when VS Code would answer in the
 * person's place: then the question waits in the conversation.
 */
export function questionCard(
  request: vscode.ChatRequest,
  log: Log,
): ((question: OpenQuestion, signal: AbortSignal) => Promise<string | undefined>) | undefined {
  if (!vscode.lm.tools.some(({ name }) => name === cardTool) || answersByItself(request)) return undefined;
  return (question, signal) => ask(question, request.toolInvocationToken, log, signal);
}

async function ask(
  question: OpenQuestion,
  token: ToolToken,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  const cancellation = toCancellationToken(signal);
  try {
    const { content } = await vscode.lm.invokeTool(
      cardTool,
      { input: toCardInput(question), toolInvocationToken: token },
      cancellation.token,
    );
    const texts = content.flatMap((part) =>
      part instanceof vscode.LanguageModelTextPart ? [part.value] : [],
    );
    return readCardAnswer(texts.join(''), question);
  } catch (error) {
    // Dismissed, or another message was sent: the question waits. Anything else must not lose it either.
    if (!(error instanceof Error && error.name === 'Canceled'))
      log.warn('the question card of VS Code failed');
    return undefined;
  } finally {
    cancellation.dispose();
  }
}

/** In these modes VS Code tells the model that nobody is there, as if the person had said so. */
function answersByItself(request: vscode.ChatRequest): boolean {
  return (
    permissionLevelOf(request) === 'autopilot' ||
    vscode.workspace.getConfiguration('chat').get('autoReply') === true
  );
}
