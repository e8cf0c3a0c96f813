import { invalid, type ApiProblem } from './problem';
import { first, isObject } from './shape';

/** What a host of Claude says to a tool that it does not know, or to a key of one or of the request. */
export function findLacking(body: unknown, missing: readonly string[]): ApiProblem | undefined {
  if (!isObject(body) || missing.length === 0) return undefined;
  const unknown = Object.keys(body).find((name) => missing.includes(name));
  if (unknown !== undefined) return invalid(unknown, 'Extra inputs are not permitted');
  const { tools } = body;
  if (!Array.isArray(tools)) return undefined;
  return first<unknown>(tools, (tool, index) => {
    if (!isObject(tool)) return undefined;
    const { type } = tool;
    if (typeof type === 'string' && missing.includes(type)) {
      return invalid(
        `tools.${index}`,
        `Input tag '${type}' found using 'type' does not match any of the expected tags: 'custom'`,
      );
    }
    const key = Object.keys(tool).find((name) => missing.includes(name));
    return key === undefined
      ? undefined
      : invalid(`tools.${index}.custom.${key}`, 'Extra inputs are not permitted');
  });
}
