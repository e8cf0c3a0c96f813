import type { Effort, ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';
import type { ClaudeRequest } from './request';

/** What this model allows: output size, thinking, effort. */
export function checkModelLimits(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  return checkMaxTokens(request, model) ?? checkThinkingType(request, model) ?? checkEffort(request, model);
}

function checkMaxTokens(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const maxTokens: number | undefined = request.max_tokens;
  if (maxTokens === undefined) return undefined;
  if (maxTokens > model.maxOutput) {
    return invalid(
      'max_tokens',
      `${maxTokens} > ${model.maxOutput}, which is the maximum allowed number of output tokens for ${request.model}`,
    );
  }
  // Zero warms the cache and answers nothing, which cannot be streamed.
  return maxTokens === 0 && request.stream === true
    ? invalid('max_tokens', 'Input should be greater than or equal to 1')
    : undefined;
}

function checkThinkingType(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const { thinking } = request;
  if (!thinking) return undefined;
  if (!model.thinking.includes(thinking.type)) {
    const isOld = !model.thinking.includes('adaptive');
    if (thinking.type === 'adaptive') return invalid('', 'adaptive thinking is not supported on this model');
    return invalid(
      '',
      `"thinking.type.${thinking.type}" is not supported for this model.` +
        (isOld
          ? ''
          : ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'),
    );
  }
  if (thinking.type === 'enabled' && request.max_tokens <= thinking.budget_tokens) {
    return invalid('', '`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  return undefined;
}

const ladder: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

function checkEffort(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const effort = request.output_config?.effort;
  if (!effort) return undefined;
  if (model.efforts.length === 0) return invalid('', 'This model does not support the effort parameter.');
  if (!model.efforts.includes(effort)) {
    const supported = model.efforts.toSorted().join(', ');
    return invalid(
      '',
      `This model does not support effort level '${effort}'. Supported levels: ${supported}.`,
    );
  }
  const highest = model.maxEffortWithoutThinking;
  const type = request.thinking?.type;
  const isOff = type === 'disabled' || type === 'between_tools';
  return isOff && highest && ladder.indexOf(effort) > ladder.indexOf(highest)
    ? invalid('', `"thinking.type.${type}" is not supported with effort level '${effort}' on this model.`)
    : undefined;
}
