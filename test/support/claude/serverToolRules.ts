import type Anthropic from '@anthropic-ai/sdk';
import { invalid, type ApiProblem } from './problem';
import { isDeferred, loadedTools, toolsOf, type ClaudeRequest } from './request';
import { first } from './shape';

/** A tool of the server: its name is its own, and its domains do not contradict each other. */
export function checkServerTool(tool: Anthropic.ToolUnion, path: string): ApiProblem | undefined {
  if (!('allowed_domains' in tool) && !('blocked_domains' in tool)) return undefined;
  const { allowed_domains: allowed, blocked_domains: blocked } = tool;
  const place = `${path}.${tool.type}`;
  if (allowed && blocked) {
    return invalid(place, 'Only one of `allowed_domains` or `blocked_domains` can be specified');
  }
  return first([...(allowed ?? []), ...(blocked ?? [])], (domain) =>
    /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i.test(domain)
      ? undefined
      : invalid(place, `Invalid domain '${domain}': use a domain without a scheme`),
  );
}

/** What is deferred can be found by a search, and something is always there. */
export function checkDeferral(request: ClaudeRequest): ApiProblem | undefined {
  const deferred = (request.tools ?? []).filter(isDeferred);
  if (deferred.length === 0) return undefined;
  if (loadedTools(request).length === 0) {
    return invalid('', 'At least one tool must have defer_loading=false. All tools cannot be deferred.');
  }
  const marked = toolsOf(request).find((tool) => isDeferred(tool) && tool.cache_control);
  return marked
    ? invalid(
        '',
        `Tool '${marked.name}' cannot have both defer_loading=true and cache_control set. ` +
          'Tools with defer_loading cannot use prompt caching.',
      )
    : undefined;
}
