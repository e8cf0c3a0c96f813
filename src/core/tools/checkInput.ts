import { Validator } from '@cfworker/json-schema';
import { memoizeByObject } from '../memoizeByObject';
import { isObject } from '../text/json';
import type { InputSchema, Tool } from './tool';

/** What is wrong with the input of a tool, for the model to correct it. */
export function inputProblem(
  input: unknown,
  tool: Pick<Tool, 'name' | 'inputSchema' | 'checksInput'>,
): string | undefined {
  const problem = isObject(input) ? schemaProblem(input, tool) : 'it must be a JSON object.';
  return problem && `The input of ${tool.name} is not valid: ${problem} Correct it and call the tool again.`;
}

function schemaProblem(
  input: object,
  { inputSchema, checksInput }: Pick<Tool, 'inputSchema' | 'checksInput'>,
): string | undefined {
  if (checksInput) return undefined;
  try {
    const { valid, errors } = validatorOf(inputSchema).validate(input);
    if (valid) return undefined;
    // The outermost error only says that something inside failed; the innermost ones say what.
    const sentences = errors
      .filter(({ keyword }) => !outerKeywords.has(keyword))
      .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
    return (sentences.length > 0 ? sentences : errors.map(({ error }) => error)).slice(0, 5).join(' ');
  } catch {
    // A foreign tool's schema can be beyond the validator (a remote reference, say). The tool itself still checks.
    return undefined;
  }
}

/** Of a copy, because the validator writes into the schema it is given, and ours is shared and may be frozen. */
const validatorOf = memoizeByObject(
  (schema: InputSchema) => new Validator(structuredClone(schema) as object, '2020-12', false),
);

const outerKeywords: ReadonlySet<string> = new Set('properties items allOf anyOf oneOf $ref'.split(' '));
