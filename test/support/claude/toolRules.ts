import type { ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';
import { isClientTool, type ClaudeRequest } from './request';
import { findSchemaFault } from './schemaRules';
import { checkServerTool, checkDeferral } from './serverToolRules';
import { first, isObject } from './shape';

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/** Names and schemas of the tools on offer, and what `tool_choice` asks for. One bad tool fails the whole request. */
export function checkTools(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const tools = request.tools ?? [];
  const names = tools.flatMap((tool) => ('name' in tool ? [tool.name] : []));
  return (
    first(tools, (tool, index) =>
      isClientTool(tool) ? checkTool(tool, `tools.${index}.custom`) : checkServerTool(tool, `tools.${index}`),
    ) ??
    checkDeferral(request) ??
    (new Set(names).size < names.length ? invalid('tools', 'Tool names must be unique.') : undefined) ??
    checkToolChoice(request, model, names)
  );
}

function checkTool(
  tool: { readonly name: string; readonly input_schema: unknown; readonly strict?: boolean },
  path: string,
): ApiProblem | undefined {
  if (!namePattern.test(tool.name)) {
    return invalid(`${path}.name`, `String should match pattern '${namePattern.source}'`);
  }
  const schema = tool.input_schema;
  if (!isObject(schema)) return invalid(`${path}.input_schema`, 'Input should be an object');
  if (!('type' in schema)) return invalid(`${path}.input_schema.type`, 'Field required');
  if (schema['type'] !== 'object') return invalid(`${path}.input_schema.type`, "Input should be 'object'");
  if ('oneOf' in schema || 'allOf' in schema || 'anyOf' in schema) {
    return invalid(
      `${path}.input_schema`,
      'input_schema does not support oneOf, allOf, or anyOf at the top level',
    );
  }
  const fault = findSchemaFault(schema, { isStrict: tool.strict === true });
  switch (fault) {
    case undefined:
      return undefined;
    case 'property-key':
      return invalid(
        `${path}.input_schema.properties`,
        "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
      );
    case 'open-object':
      return invalid(
        path,
        "For 'object' type, 'additionalProperties' must be explicitly set to false when strict is true",
      );
    default:
      return invalid(
        `${path}.input_schema`,
        'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). ' +
          'Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.',
      );
  }
}

function checkToolChoice(
  request: ClaudeRequest,
  model: ModelFacts,
  names: readonly string[],
): ApiProblem | undefined {
  const choice = request.tool_choice;
  if (!choice) return undefined;
  if (names.length === 0) return invalid('', '`tool_choice` may only be specified while providing `tools`.');
  if (choice.type !== 'any' && choice.type !== 'tool') return undefined;
  if (!model.forcedToolChoice) {
    return invalid('tool_choice', 'type "tool" and "any" are not supported for this model.');
  }
  if (request.thinking?.type === 'enabled') {
    return invalid('', 'Thinking may not be enabled when tool_choice forces tool use.');
  }
  return choice.type === 'tool' && !names.includes(choice.name)
    ? invalid('', `Tool '${choice.name}' not found in provided tools`)
    : undefined;
}
