import { checkAccess } from './access';
import type { Exchange } from './exchange';
import { findModel, models, offlineModel, type ModelFacts } from './models';
import { listModels, retrieveModel } from './modelsEndpoint';
import { invalid, type ApiProblem } from './problem';
import { readPrompt } from './prompt';
import type { ClaudeRequest } from './request';
import { validateRequest } from './validateRequest';

/** A good request to `/v1/messages`, which waits for an answer. */
export interface Question {
  readonly request: ClaudeRequest;
  readonly model: ModelFacts;
}

/** Checks the way in and answers what needs no script; what does is handed back. */
export function receive(
  exchange: Exchange,
  options: { readonly keys?: readonly string[] | undefined; readonly isOffline?: boolean | undefined },
): Question | undefined {
  const { incoming, url } = exchange;
  const denied = checkAccess(incoming, options.keys) ?? (exchange.isTooLarge ? tooLarge : undefined);
  if (denied) return refuse(exchange, denied);

  const route = `${incoming.method} ${url.pathname}`;
  if (route === 'GET /v1/models')
    return answer(
      exchange,
      listModels(url.searchParams, options.isOffline === true ? [offlineModel] : models),
    );
  if (route.startsWith('GET /v1/models/')) {
    const id = decodeURIComponent(url.pathname.slice('/v1/models/'.length));
    return answer(exchange, retrieveModel(id));
  }
  switch (route) {
    case 'POST /v1/messages':
      return readQuestion(exchange, 'messages');
    case 'POST /v1/messages/count_tokens': {
      const question = readQuestion(exchange, 'count_tokens');
      return question && answer(exchange, { input_tokens: countTokens(question) });
    }
    default:
      return refuse(exchange, { status: 404, type: 'not_found_error', message: 'Not found' });
  }
}

const tooLarge: ApiProblem = {
  status: 413,
  type: 'request_too_large',
  message: 'Request exceeds the maximum size',
};

function readQuestion(exchange: Exchange, endpoint: 'messages' | 'count_tokens'): Question | undefined {
  const { body, bodyError } = exchange;
  if (bodyError !== undefined) {
    return refuse(exchange, invalid('', `The request body is not valid JSON: ${bodyError}`));
  }
  const problem = validateRequest(body, endpoint);
  if (problem) return refuse(exchange, problem);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has just been validated.
  const request = body as ClaudeRequest;
  const model = findModel(request.model);
  if (!model) throw new Error(`validated, yet unknown: ${request.model}`);
  return { request, model };
}

function countTokens({ request, model }: Question): number {
  return readPrompt(request, model).at(-1)?.prefixTokens ?? 0;
}

function refuse(exchange: Exchange, problem: ApiProblem): undefined {
  exchange.refuse(problem);
}

function answer(exchange: Exchange, value: ApiProblem | object): undefined {
  if ('status' in value && 'message' in value) exchange.refuse(value);
  else exchange.answer(value);
}
