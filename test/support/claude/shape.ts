import { invalid, type ApiProblem } from './problem';

/** Says what is wrong with the form of a value, or nothing. */
export type Shape = (value: unknown, path: string) => ApiProblem | undefined;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const anything: Shape = () => undefined;

export const anyObject: Shape = (value, path) =>
  isObject(value) ? undefined : invalid(path, 'Input should be an object');

export const boolean: Shape = (value, path) =>
  typeof value === 'boolean' ? undefined : invalid(path, 'Input should be a valid boolean');

/** A string of well-formed Unicode: a lone surrogate cannot be sent as UTF-8. */
export const string: Shape = (value, path) => {
  if (typeof value !== 'string') return invalid(path, 'Input should be a valid string');
  return /\p{Surrogate}/u.test(value)
    ? invalid('', 'The request body is not valid JSON: no low surrogate in string')
    : undefined;
};

export function integer(minimum: number): Shape {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return invalid(path, 'Input should be a valid integer');
    }
    return value < minimum ? invalid(path, `Input should be greater than or equal to ${minimum}`) : undefined;
  };
}

export function matching(pattern: RegExp): Shape {
  return (value, path) => {
    if (typeof value !== 'string') return invalid(path, 'Input should be a valid string');
    return pattern.test(value) ? undefined : invalid(path, `String should match pattern '${pattern.source}'`);
  };
}

export function oneOf(...values: readonly string[]): Shape {
  return (value, path) =>
    typeof value === 'string' && values.includes(value)
      ? undefined
      : invalid(path, `Input should be ${listed(values)}`);
}

export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? undefined : shape(value, path));
}

export function array(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return invalid(path, 'Input should be a valid array');
    return first(value, (element, index) => item(element, join(path, index)));
  };
}

export function either(isFirst: (value: unknown) => boolean, a: Shape, b: Shape): Shape {
  return (value, path) => (isFirst(value) ? a(value, path) : b(value, path));
}

/** An object with exactly these keys: what is not named here is an extra input. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value, path) => {
    if (!isObject(value)) return invalid(path, 'Input should be an object');
    for (const [key, shape] of Object.entries(required)) {
      if (!(key in value)) return invalid(join(path, key), 'Field required');
      const problem = shape(value[key], join(path, key));
      if (problem) return problem;
    }
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(required, key)) continue;
      const shape = Object.hasOwn(optional, key) ? optional[key] : undefined;
      const problem = shape
        ? shape(value[key], join(path, key))
        : invalid(join(path, key), 'Extra inputs are not permitted');
      if (problem) return problem;
    }
    return undefined;
  };
}

/** Objects told apart by `type`; the tag joins the path of what is wrong inside, as in the API's own messages. */
export function tagged(shapes: Readonly<Record<string, Shape>>, defaultTag?: string): Shape {
  return (value, path) => {
    if (!isObject(value)) return invalid(path, 'Input should be an object');
    const tag = value['type'] ?? defaultTag;
    if (tag === undefined) return invalid(join(path, 'type'), 'Field required');
    const shape = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
    if (typeof tag !== 'string' || !shape) {
      const tags = Object.keys(shapes).map((name) => `'${name}'`);
      const found = typeof tag === 'string' ? tag : JSON.stringify(tag);
      return invalid(
        path,
        `Input tag '${found}' found using 'type' does not match any of the expected tags: ${tags.join(', ')}`,
      );
    }
    return shape(value, join(path, tag));
  };
}

/** The first problem that any of the items has. */
export function first<T>(
  items: Iterable<T>,
  check: (item: T, index: number) => ApiProblem | undefined,
): ApiProblem | undefined {
  let index = 0;
  for (const item of items) {
    const problem = check(item, index++);
    if (problem) return problem;
  }
  return undefined;
}

function join(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

function listed(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
