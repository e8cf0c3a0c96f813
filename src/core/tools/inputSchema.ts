import type { InputSchema } from './tool';

type Properties = Readonly<Record<string, unknown>>;

/** An input with these properties and no others. */
export function objectOf(required: Properties, optional: Properties = {}): InputSchema {
  const names = Object.keys(required);
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
  };
}

export function string(description: string, rules: Properties = {}): Properties {
  return { type: 'string', ...rules, description };
}

export function integer(description: string, rules: Properties): Properties {
  return { type: 'integer', ...rules, description };
}

export function boolean(description: string): Properties {
  return { type: 'boolean', description };
}
