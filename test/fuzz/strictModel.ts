import { ModelError } from '../../src/core/errors';
import type { Message } from '../../src/core/messages';
import type { Model, ModelRequest } from '../../src/core/ports';
import { validateRequest } from '../support/claude/validateRequest';
import { answer, text, textDelta } from '../support/scriptedModel';

/** A model that refuses what the API refuses, with the same words, and answers everything else. */
export interface StrictModel extends Model {
  /** Why it refused, request by request. */
  readonly refusals: readonly string[];
}

export function strictModel(): StrictModel {
  const refusals: string[] = [];
  return {
    refusals,
    async *stream(request) {
      const refusal = refusalOfRequest(request);
      if (refusal !== undefined) {
        refusals.push(refusal);
        throw new ModelError('bad-request', refusal);
      }
      yield textDelta('Done.');
      yield answer([text('Done.')]);
    },
  };
}

/** Why the API would refuse these messages before the person's next one. */
export function refusalOf(messages: readonly Message[]): string | undefined {
  const tools: ModelRequest['tools'] = [{ name: 'read_file', input_schema: { type: 'object' } }];
  return refusalOfRequest({ model: 'claude-sonnet-5-5', system: [], tools, messages });
}

/** Why the API would refuse this request. */
export function refusalOfRequest(request: ModelRequest): string | undefined {
  return validateRequest(toBody(request))?.message;
}

function toBody({ model, system, tools, messages, maxOutputTokens, effort }: ModelRequest): unknown {
  const body = {
    model,
    max_tokens: maxOutputTokens ?? 1024,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    messages,
    ...(effort && { output_config: { effort } }),
  };
  // As it goes over the wire.
  return JSON.parse(JSON.stringify(body));
}
