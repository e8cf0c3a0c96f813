import { isObject, type JsonObject, plainJson, wellFormed } from '../text/json';
import { cleanSchema } from './cleanSchema';
import type { InputSchema } from './tool';

export interface ForeignTool {
  readonly name: string;
  /** Not there at run time for some. */
  readonly description?: string;
  readonly inputSchema: unknown;
}

/** A foreign tool as the API takes it, perhaps under another name, or why it cannot be offered. */
export type SanitizedTool =
  | {
      readonly type: 'accepted';
      readonly name: string;
      readonly description: string;
      readonly inputSchema: InputSchema;
    }
  | { readonly type: 'left-out'; readonly reason: string };

const maxNameChars = 64;
const maxDescriptionChars = 10_000;

/** One bad tool fails the whole request, so tools of others pass through here. `taken` are names already in use. */
export function sanitizeTool(tool: ForeignTool, taken: ReadonlySet<string>): SanitizedTool {
  const name = typeof tool.name === 'string' ? freeName(tool.name, taken) : undefined;
  if (name === undefined) return leftOut('its name has no usable characters');
  const schema = toPlainJson(tool.inputSchema ?? {});
  if (!isObject(schema)) return leftOut('its input schema is not a JSON object');
  const merged = withoutTopLevelChoice(schema);
  if (merged['type'] !== undefined && merged['type'] !== 'object')
    return leftOut('its input is not an object');
  const cleaned = cleanSchema(merged);
  const required = asNames(cleaned['required']);
  const properties = isObject(cleaned['properties']) ? cleaned['properties'] : {};
  const lost = required.find(
    (key) => isObject(merged['properties']) && key in merged['properties'] && !(key in properties),
  );
  if (lost !== undefined) return leftOut(`it requires "${lost.slice(0, 80)}", which the API cannot name`);
  return {
    type: 'accepted',
    name,
    description: describe(tool) || `The tool ${name}.`,
    inputSchema: { ...cleaned, type: 'object', properties, ...(required.length > 0 && { required }) },
  };
}

function describe({ description }: ForeignTool): string {
  return typeof description === 'string' ? wellFormed(description.trim().slice(0, maxDescriptionChars)) : '';
}

function leftOut(reason: string): SanitizedTool {
  return { type: 'left-out', reason };
}

function freeName(name: string, taken: ReadonlySet<string>): string | undefined {
  const base = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, maxNameChars);
  if (!/[a-zA-Z0-9]/.test(base)) return undefined;
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`;
    const candidate = base.slice(0, maxNameChars - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Through JSON and back: functions, cycles and the like are gone, or it fails here and not in a request. */
function toPlainJson(value: unknown): unknown {
  try {
    return plainJson(JSON.parse(JSON.stringify(value)));
  } catch {
    return undefined;
  }
}

/**
 * The API knows no choice at the top of a schema. What all branches have is offered together, and only what every
 * input needs stays required; the tool itself still checks which combination it gets.
 */
function withoutTopLevelChoice(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...rest } = schema;
  const needed = [rest, ...branchesOf(allOf)];
  const possible = [...branchesOf(allOf), ...branchesOf(anyOf), ...branchesOf(oneOf), rest];
  const properties = Object.fromEntries(
    possible.flatMap((one) => (isObject(one['properties']) ? Object.entries(one['properties']) : [])),
  );
  const required = new Set(needed.flatMap((one) => asNames(one['required'])));
  return {
    ...rest,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function branchesOf(choice: unknown): readonly JsonObject[] {
  return Array.isArray(choice) ? choice.filter(isObject) : [];
}

function asNames(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((key) => typeof key === 'string'))];
}
