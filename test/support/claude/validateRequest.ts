import { checkCacheMarks } from './cacheRules';
import { checkImages } from './imageRules';
import { checkMessages } from './messageRules';
import { checkModelLimits } from './modelRules';
import { findModel, type ModelFacts } from './models';
import { checkPairing } from './pairingRules';
import { invalid, type ApiProblem } from './problem';
import { readPrompt } from './prompt';
import type { ClaudeRequest } from './request';
import { countTokensShape, messagesShape } from './requestShape';
import { checkServerBlocks } from './serverBlocks';
import { checkThinkingBlocks } from './thinkingSignature';
import { checkTools } from './toolRules';

/** As strict as the API: the first reason to refuse this body of `POST /v1/messages`, or nothing. */
export function validateRequest(
  body: unknown,
  endpoint: 'messages' | 'count_tokens' = 'messages',
): ApiProblem | undefined {
  const shape = endpoint === 'messages' ? messagesShape : countTokensShape;
  const problem = shape(body, '');
  if (problem) return problem;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form has just been checked.
  const request = body as ClaudeRequest;
  const model = findModel(request.model);
  if (!model || model.lifecycle === 'retired') {
    return { status: 404, type: 'not_found_error', message: `model: ${request.model}` };
  }
  return (
    checkModelLimits(request, model) ??
    checkTools(request, model) ??
    checkPairing(request) ??
    checkServerBlocks(request) ??
    checkMessages(request, model) ??
    checkImages(request, model) ??
    checkCacheMarks(request) ??
    checkThinkingBlocks(request, model) ??
    checkWindow(request, model)
  );
}

function checkWindow(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const tokens = readPrompt(request, model).at(-1)?.prefixTokens ?? 0;
  return tokens > model.window
    ? invalid('', `prompt is too long: ${tokens} tokens > ${model.window} maximum`)
    : undefined;
}
