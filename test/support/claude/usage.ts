import type Anthropic from '@anthropic-ai/sdk';
import type { InputUsage } from './promptCache';

export interface OutputCount {
  readonly output: number;
  readonly thinking: number;
  readonly webSearches?: number;
  readonly webFetches?: number;
}

/** Usage as the API reports it. */
export function usageOf(input: InputUsage, count: OutputCount): Anthropic.Usage {
  return {
    input_tokens: input.input,
    cache_creation_input_tokens: input.cacheWrite5m + input.cacheWrite1h,
    cache_read_input_tokens: input.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: input.cacheWrite5m,
      ephemeral_1h_input_tokens: input.cacheWrite1h,
    },
    output_tokens: count.output,
    output_tokens_details: { thinking_tokens: count.thinking },
    server_tool_use:
      count.webSearches || count.webFetches
        ? { web_search_requests: count.webSearches ?? 0, web_fetch_requests: count.webFetches ?? 0 }
        : null,
    service_tier: 'standard',
    inference_geo: 'global',
    speed: 'standard',
  };
}
