import type Anthropic from '@anthropic-ai/sdk';
import type { ModelFacts } from './models';
import { readPrompt, withoutMark, type PromptBlock } from './prompt';
import { systemBlocksOf, type ClaudeRequest } from './request';

/**
 * Where a request first differs from an earlier one that its `diagnostics` name. It compares what was asked for, whatever
 * the cache did with it, and knows only requests that had `diagnostics`, too, for a while.
 */
export interface CacheDiagnosis {
  /** `null` when nothing was asked, and when only something was appended. */
  compare(request: ClaudeRequest, model: ModelFacts): Anthropic.Diagnostics | null;
  /** A request that was answered by the message with this id. */
  note(id: string, request: ClaudeRequest, model: ModelFacts): void;
}

/** People saw ids unknown after an hour. */
const keptMs = 3_600_000;

export function createCacheDiagnosis(now: () => number): CacheDiagnosis {
  const known = new Map<string, Fingerprint & { readonly at: number }>();
  return {
    compare(request, model) {
      const id = request.diagnostics?.previous_message_id;
      if (id === undefined || id === null) return null;
      const before = known.get(id);
      if (!before || now() - before.at > keptMs)
        return { cache_miss_reason: { type: 'previous_message_not_found' } };
      const reason = firstDifference(before, fingerprintOf(request, model));
      return reason && { cache_miss_reason: reason };
    },
    note(id, request, model) {
      if (request.diagnostics) known.set(id, { ...fingerprintOf(request, model), at: now() });
    },
  };
}

interface Fingerprint {
  readonly model: string;
  readonly tools: string;
  readonly system: string;
  readonly messages: readonly string[];
  /** All else that the prompt depends on. */
  readonly settings: string;
  readonly blocks: readonly PromptBlock[];
}

function fingerprintOf(request: ClaudeRequest, model: ModelFacts): Fingerprint {
  const { thinking, tool_choice: choice, output_config: config, messages, speed = 'standard' } = request;
  return {
    model: JSON.stringify([model.id, speed]),
    tools: JSON.stringify((request.tools ?? []).map(withoutMark)),
    system: JSON.stringify(systemBlocksOf(request).map(withoutMark)),
    messages: messages.map(({ role, content }) =>
      JSON.stringify([role, typeof content === 'string' ? content : content.map(withoutMark)]),
    ),
    settings: JSON.stringify([thinking, choice, config]),
    blocks: readPrompt(request, model),
  };
}

function firstDifference(before: Fingerprint, now: Fingerprint): Anthropic.CacheMissReason | null {
  const common = before.blocks.findLast(
    ({ prefixHash }, index) => prefixHash === now.blocks[index]?.prefixHash,
  );
  const missed = {
    cache_missed_input_tokens: (before.blocks.at(-1)?.prefixTokens ?? 0) - (common?.prefixTokens ?? 0),
  };
  if (before.model !== now.model) return { type: 'model_changed', ...missed };
  if (before.tools !== now.tools) return { type: 'tools_changed', ...missed };
  if (before.system !== now.system) return { type: 'system_changed', ...missed };
  if (before.settings !== now.settings) return { type: 'unavailable' };
  const isAppended = before.messages.every((message, index) => message === now.messages[index]);
  return isAppended ? null : { type: 'messages_changed', ...missed };
}
