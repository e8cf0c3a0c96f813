import type Anthropic from '@anthropic-ai/sdk';
import { findModel, type ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';

interface ModelPage {
  readonly data: readonly Anthropic.ModelInfo[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** `GET /v1/models`: one page, newest first. */
export function listModels(query: URLSearchParams, models: readonly ModelFacts[]): ModelPage | ApiProblem {
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    return invalid('limit', 'Input should be between 1 and 1000');
  }
  const asked = [...query].filter(([key]) => /^lifecycle(\[\d*\])?$/.test(key)).map(([, value]) => value);
  const stages = asked.length > 0 ? asked : ['active', 'deprecated'];
  const wrong = stages.find((stage) => !['active', 'deprecated', 'retired'].includes(stage));
  if (wrong !== undefined) return invalid('lifecycle', "Input should be 'active', 'deprecated' or 'retired'");
  const all = models.filter(({ lifecycle }) => stages.includes(lifecycle));
  const { page, hasMore } = cutPage(all, limit, query.get('after_id'), query.get('before_id'));
  const data = page.map(describe);
  return {
    data,
    has_more: hasMore,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

/** `GET /v1/models/:id`: aliases resolve to the model they stand for. */
export function retrieveModel(id: string): Anthropic.ModelInfo | ApiProblem {
  const model = findModel(id);
  return model ? describe(model) : { status: 404, type: 'not_found_error', message: `model: ${id}` };
}

function cutPage(
  all: readonly ModelFacts[],
  limit: number,
  afterId: string | null,
  beforeId: string | null,
): { readonly page: readonly ModelFacts[]; readonly hasMore: boolean } {
  if (beforeId !== null) {
    const before = all.slice(
      0,
      all.findIndex(({ id }) => id === beforeId),
    );
    return { page: before.slice(-limit), hasMore: before.length > limit };
  }
  const rest = all.slice(all.findIndex(({ id }) => id === afterId) + 1);
  return { page: rest.slice(0, limit), hasMore: rest.length > limit };
}

function describe(model: ModelFacts): Anthropic.ModelInfo {
  const yes = supports(true);
  const effort = (level: ModelFacts['efforts'][number]) => supports(model.efforts.includes(level));
  const thinks = (type: ModelFacts['thinking'][number]) => supports(model.thinking.includes(type));
  return {
    id: model.id,
    type: 'model',
    display_name: model.displayName,
    created_at: model.createdAt,
    lifecycle: model.lifecycle,
    deprecated_at: model.deprecatedAt ?? null,
    retires_at: model.retiresAt ?? null,
    line: model.line,
    max_input_tokens: model.window,
    max_tokens: model.maxOutput,
    capabilities: {
      batch: yes,
      citations: yes,
      code_execution: yes,
      context_management: {
        supported: true,
        clear_thinking_20251015: yes,
        clear_tool_uses_20250919: yes,
        compact_20260112: yes,
      },
      effort: {
        supported: model.efforts.length > 0,
        low: effort('low'),
        medium: effort('medium'),
        high: effort('high'),
        xhigh: effort('xhigh'),
        max: effort('max'),
      },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: true, code_execution: yes, web_search: yes },
      structured_outputs: yes,
      thinking: {
        supported: true,
        types: {
          adaptive: thinks('adaptive'),
          between_tools: thinks('between_tools'),
          disabled: thinks('disabled'),
          enabled: thinks('enabled'),
        },
      },
    },
  };
}

function supports(isSupported: boolean): Anthropic.CapabilitySupport {
  return { supported: isSupported };
}
