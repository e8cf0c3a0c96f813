import { isObject, type JsonObject } from './shape';

/** What the mind wants to say to a tool, in its own words. */
export interface Wishes {
  readonly path?: string;
  readonly newPath?: string;
  readonly pattern?: string;
  readonly name?: string;
  readonly value?: string;
  readonly question?: string;
  readonly options?: readonly string[];
  readonly oldText?: string;
  readonly newText?: string;
}

/** The names under which tools commonly take each of them. */
const names: Readonly<Record<keyof Wishes, RegExp>> = {
  path: /^(file_?)?(path|file|uri)$|^(old_?path|from|source|directory|dir|folder|filename)$/i,
  newPath: /^(new_?path|to|target|destination|new_?name)$/i,
  pattern: /^(pattern|query|regex|search|term|glob|include)$/i,
  name: /^(name|key|param|parameter)$/i,
  value: /^(value|fact|content)$/i,
  question: /^(question|prompt|message)$/i,
  options: /^(options|choices)$/i,
  oldText: /^old_?(text|string|str)?$|^(find|search_text)$/i,
  newText: /^new_?(text|string|str)?$|^(replace|replacement|content|text)$/i,
};

/** Fills in a tool's input by reading its schema: what fits a wish gets it, what is required gets something. */
export function fillInput(schema: unknown, wishes: Wishes): Record<string, unknown> {
  if (!isObject(schema) || !isObject(schema['properties'])) return {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const input: Record<string, unknown> = {};
  for (const [property, form] of Object.entries(schema['properties'])) {
    const wish = wishFor(property, wishes);
    const value = wish ?? (required.includes(property) ? placeholderFor(form, wishes) : undefined);
    if (value !== undefined) input[property] = value;
  }
  return input;
}

function wishFor(property: string, wishes: Wishes): unknown {
  for (const [wish, value] of Object.entries(wishes)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of Wishes.
    if (value !== undefined && names[wish as keyof Wishes].test(property)) return value;
  }
  return undefined;
}

function placeholderFor(form: unknown, wishes: Wishes): unknown {
  const schema: JsonObject = isObject(form) ? form : {};
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'array':
      return isObject(schema['items']) && schema['items']['type'] === 'object'
        ? [fillInput(schema['items'], wishes)]
        : [];
    case 'object':
      return fillInput(schema, wishes);
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    default:
      return wishes.pattern ?? wishes.path ?? '.';
  }
}
