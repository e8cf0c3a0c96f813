export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a text says as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A lone surrogate cannot be sent as UTF-8: one of them would make every later request fail. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** What JSON can carry of a value, with well-formed strings; deeper than anybody writes by hand becomes null. */
export function plainJson(value: unknown, depth = 64): unknown {
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null || depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth - 1));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [wellFormed(key), plainJson(item, depth - 1)]));
}

/** The named entries of an object, in the object's own order: the prompt cache compares bytes. */
export function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

/** The same value with other texts in it; the names of entries stay. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const mapped = (item: unknown): unknown => {
    if (typeof item === 'string') return change(item);
    if (Array.isArray(item)) return item.map(mapped);
    if (!isObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, entry]) => [key, mapped(entry)]));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts have changed, and to texts
  return mapped(value) as T;
}

/** Bytes a value takes as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value) ?? '').length;
}
