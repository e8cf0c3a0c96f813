import { isObject, type JsonObject } from '../text/json';

/**
 * A schema with everything taken out that JSON Schema 2020-12 or the API would refuse: older drafts and typing errors
 * are common in the wild. What is left may allow more than its author meant; the tool itself still checks its input.
 */
export function cleanSchema(schema: JsonObject, depth = 0): JsonObject {
  // Deeper than anybody fills in, and a bound for what somebody else wrote.
  if (depth > 20) return {};
  const clean: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(modernize(schema))) {
    const kept = cleanKeyword(keyword, value, depth);
    if (kept !== undefined) clean[keyword] = kept;
  }
  return clean;
}

/** Older drafts wrote a list of item schemas under `items`. */
function modernize(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['items'])) return schema;
  const { items, additionalItems, ...rest } = schema;
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

function cleanKeyword(keyword: string, value: unknown, depth: number): unknown {
  if (dropped.has(keyword)) return undefined;
  if (schemas.has(keyword)) return cleanChild(value, depth);
  if (schemaLists.has(keyword)) {
    const children = Array.isArray(value) ? value.map((child) => cleanChild(child, depth)) : [];
    return children.length > 0 && children.every((child) => child !== undefined) ? children : undefined;
  }
  if (schemaMaps.has(keyword)) return isObject(value) ? cleanMap(keyword, value, depth) : undefined;
  const isValid = Object.hasOwn(tests, keyword) ? tests[keyword] : undefined;
  return isValid && !isValid(value) ? undefined : value;
}

function cleanChild(value: unknown, depth: number): unknown {
  if (typeof value === 'boolean') return value;
  return isObject(value) ? cleanSchema(value, depth + 1) : undefined;
}

function cleanMap(keyword: string, map: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(map).flatMap(([key, child]) => {
    const cleaned = cleanChild(child, depth);
    const isNamed =
      keyword === 'properties' ? propertyKey.test(key) : keyword !== 'patternProperties' || isPattern(key);
    return cleaned !== undefined && isNamed ? [[key, cleaned] as const] : [];
  });
  return Object.fromEntries(entries);
}

const propertyKey = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Names of a draft or of a place: without a meaning here, and with a risk in a bundle of many schemas. Or of older
 * drafts, which the newest one still looks at.
 */
const dropped = wordSet(
  '$schema $id id $vocabulary $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef ' +
    'additionalItems dependencies',
);
const schemas = wordSet(
  'items contains additionalProperties propertyNames unevaluatedItems ' +
    'unevaluatedProperties contentSchema not if then else',
);
const schemaLists = wordSet('allOf anyOf oneOf prefixItems');
const schemaMaps = wordSet('properties patternProperties dependentSchemas $defs definitions');

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

type Test = (value: unknown) => boolean;

const isString: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isNames: Test = (value) =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;

const typeNames = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isType: Test = (value) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return (
    names.length > 0 && names.every((name) => typeNames.has(name)) && new Set(names).size === names.length
  );
};

const isPattern: Test = (value) => {
  try {
    return typeof value === 'string' && Boolean(new RegExp(value, 'u'));
  } catch {
    // That it cannot be compiled is the answer.
    return false;
  }
};

const tests: Readonly<Record<string, Test>> = {
  type: isType,
  required: isNames,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isNames),
  enum: (value) => Array.isArray(value) && value.length > 0,
  pattern: isPattern,
  // A reference beyond the schema itself can be resolved by nobody.
  $ref: (value) => typeof value === 'string' && value.startsWith('#'),
  multipleOf: (value) => typeof value === 'number' && value > 0,
  examples: Array.isArray,
  ...each('format title description $comment contentEncoding contentMediaType', isString),
  ...each(
    'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
    isCount,
  ),
  ...each('minimum maximum exclusiveMinimum exclusiveMaximum', isNumber),
  ...each('uniqueItems deprecated readOnly writeOnly', isBoolean),
};

function each(keywords: string, test: Test): Readonly<Record<string, Test>> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, test]));
}
