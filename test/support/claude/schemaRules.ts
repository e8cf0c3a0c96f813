import { isObject, type JsonObject } from './shape';

export type SchemaFault = 'invalid' | 'property-key' | 'open-object';

/** Looks through a tool's schema for what draft 2020-12, or the API on top of it, does not allow. */
export function findSchemaFault(
  schema: unknown,
  options: { readonly isStrict: boolean },
): SchemaFault | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return 'invalid';
  for (const [keyword, value] of Object.entries(schema)) {
    const isValid = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (isValid && !isValid(value)) return 'invalid';
  }
  if (isObject(schema['properties'])) {
    const keys = Object.keys(schema['properties']);
    if (keys.some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))) return 'property-key';
  }
  if (options.isStrict && schema['type'] === 'object' && schema['additionalProperties'] !== false) {
    return 'open-object';
  }
  for (const child of childrenOf(schema)) {
    const fault = findSchemaFault(child, options);
    if (fault) return fault;
  }
  return undefined;
}

function childrenOf(schema: JsonObject): readonly unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (oneSchema.has(keyword)) return [value];
    if (keyword === 'dependencies' && isObject(value))
      return Object.values(value).filter((dependency) => !Array.isArray(dependency));
    if (schemaLists.has(keyword) && Array.isArray(value)) return value as unknown[];
    return schemaMaps.has(keyword) && isObject(value) ? Object.values(value) : [];
  });
}

const oneSchema = new Set([
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
]);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const schemaMaps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

type Test = (value: unknown) => boolean;

const isString: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isNonEmptyList: Test = (value) => Array.isArray(value) && value.length > 0;
const isNameList: Test = (value) =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;

const typeNames = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isType: Test = (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every((name) => typeNames.has(name)) && new Set(value).size === value.length
    : typeNames.has(value);

const isPattern: Test = (value) => {
  if (typeof value !== 'string') return false;
  try {
    return Boolean(new RegExp(value, 'u'));
  } catch {
    // Not a pattern at all: that is the answer.
    return false;
  }
};

const keywords: Readonly<Record<string, Test>> = {
  type: isType,
  properties: isObject,
  patternProperties: (value) => isObject(value) && Object.keys(value).every(isPattern),
  dependentSchemas: isObject,
  $defs: isObject,
  definitions: isObject,
  allOf: isNonEmptyList,
  anyOf: isNonEmptyList,
  oneOf: isNonEmptyList,
  prefixItems: isNonEmptyList,
  required: isNameList,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isNameList),
  // Of older drafts, but part of the newest meta-schema all the same.
  dependencies: (value) =>
    isObject(value) && Object.values(value).every((each) => !Array.isArray(each) || isNameList(each)),
  $recursiveAnchor: isString,
  $recursiveRef: isString,
  $dynamicRef: isString,
  contentEncoding: isString,
  contentMediaType: isString,
  enum: Array.isArray,
  pattern: isPattern,
  format: isString,
  title: isString,
  description: isString,
  $ref: isString,
  $id: isString,
  $schema: isString,
  $comment: isString,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  uniqueItems: isBoolean,
  deprecated: isBoolean,
  readOnly: isBoolean,
  writeOnly: isBoolean,
  examples: Array.isArray,
};
