import type Anthropic from '@anthropic-ai/sdk';
import type { ModelFacts } from './models';
import type { InputUsage } from './promptCache';
import { renderPart, type Draft } from './renderPart';
import type { ClaudeRequest } from './request';
import type { Part } from './script';
import { usageOf } from './usage';
import { apiEvent, type Step } from './wire';

/** Turns the parts of an answer into the steps of its stream, one by one, and at last the whole message. */
export function* renderReply({
  request,
  model,
  usage,
  parts,
  id,
  diagnostics,
}: {
  readonly request: ClaudeRequest;
  readonly model: ModelFacts;
  readonly usage: InputUsage;
  readonly parts: readonly Part[];
  readonly id: string;
  readonly diagnostics: Anthropic.Diagnostics | null;
}): Generator<Step> {
  const draft: Draft = {
    request,
    model,
    content: [],
    count: { output: 0, thinking: 0, webSearches: 0, webFetches: 0 },
  };
  const base = {
    id,
    type: 'message',
    role: 'assistant',
    model: request.model,
    diagnostics,
  } as const;

  yield apiEvent('message_start', {
    message: { ...base, ...endOf(null), content: [], usage: usageOf(usage, { output: 1, thinking: 0 }) },
  });
  for (const part of parts) yield* renderPart(part, draft);

  const usesTools = draft.content.some(({ type }) => type === 'tool_use');
  const end = endOf(
    draft.stop ? draft.stop.reason : usesTools ? 'tool_use' : 'end_turn',
    draft.stop?.details,
  );
  const total = usageOf(usage, draft.count);
  yield apiEvent('message_delta', { delta: end, usage: cumulative(total) });
  yield apiEvent('message_stop', {});
  const message = { ...base, ...end, content: draft.content, usage: total };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scripts may hold what the types do not know.
  yield { kind: 'done', message: message as unknown as Anthropic.Message };
}

function endOf(reason: string | null, details: object | null = null) {
  return { stop_reason: reason, stop_details: details, stop_sequence: null, container: null };
}

function cumulative(usage: Anthropic.Usage): Anthropic.MessageDeltaUsage {
  return {
    input_tokens: usage.input_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens,
    cache_read_input_tokens: usage.cache_read_input_tokens,
    output_tokens: usage.output_tokens,
    output_tokens_details: usage.output_tokens_details,
    server_tool_use: usage.server_tool_use,
  };
}
