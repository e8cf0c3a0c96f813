import { isObject, type JsonObject } from '../core/json';
import type { Effort, ModelInfo } from '../core/ports';
import type { Price } from './pricing';

/** What a request must know of its model. */
export interface ModelFacts extends ModelInfo {
  /**
   * `adaptive`: Claude decides when to think, and we ask for a summary, because the newest models put what they say
   * between tool calls there. `none`: nothing is sent about thinking, which every model accepts.
   */
  readonly thinking: 'adaptive' | 'none';
  /** Whether it takes the order not to think. */
  readonly canSkipThinking?: boolean;
  readonly price?: Price;
}

export const defaultModelId = 'claude-sonnet-5-5';
/** The cheapest there is, for small work of our own: a twentieth of the price of the default. */
export const cheapModelId = 'claude-haiku-5-5';

const million = 1_000_000;
const all: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const allButXhigh: readonly Effort[] = ['low', 'medium', 'high', 'max'];
const current = {
  contextTokens: million,
  maxOutputTokens: 128_000,
  takesImages: true,
  efforts: all,
  thinking: 'adaptive',
} as const;
const older = {
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  takesImages: true,
  efforts: [],
  thinking: 'none',
} as const;

/** Newest first. For all that the API does not tell (prices), and for when it cannot be asked. */
export const builtInModels: readonly ModelFacts[] = [
  {
    ...current,
    id: 'claude-fable-5-2',
    name: 'Claude Fable 5.2',
    price: { input: 8, output: 40, cacheRead: 0.2 },
  },
  {
    ...current,
    id: 'claude-haiku-5-5',
    canSkipThinking: true,
    name: 'Claude Haiku 5.5',
    price: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      long: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05 },
    },
  },
  {
    ...current,
    id: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    price: { input: 2, output: 10, cacheRead: 0.1 },
  },
  {
    ...current,
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    price: { input: 4, output: 20, cacheRead: 0.2 },
  },
  {
    ...current,
    id: 'claude-fable-5-1',
    name: 'Claude Fable 5.1',
    price: { input: 10, output: 50, cacheRead: 0.25 },
  },
  {
    ...current,
    id: 'claude-opus-5',
    canSkipThinking: true,
    name: 'Claude Opus 5',
    price: { input: 5, output: 25, cacheRead: 0.5 },
  },
  {
    ...current,
    id: 'claude-sonnet-5',
    canSkipThinking: true,
    name: 'Claude Sonnet 5',
    price: { input: 2, output: 10, cacheRead: 0.2 },
  },
  {
    ...current,
    id: 'claude-fable-5',
    name: 'Claude Fable 5',
    price: { input: 10, output: 50, cacheRead: 1 },
  },
  {
    ...current,
    id: 'claude-opus-4-8',
    canSkipThinking: true,
    name: 'Claude Opus 4.8',
    price: { input: 5, output: 25, cacheRead: 0.5 },
  },
  {
    ...current,
    id: 'claude-opus-4-7',
    canSkipThinking: true,
    name: 'Claude Opus 4.7',
    price: { input: 5, output: 25, cacheRead: 0.5 },
  },
  {
    ...current,
    id: 'claude-opus-4-6',
    canSkipThinking: true,
    name: 'Claude Opus 4.6',
    efforts: allButXhigh,
    price: { input: 5, output: 25, cacheRead: 0.5 },
  },
  {
    ...current,
    id: 'claude-sonnet-4-6',
    canSkipThinking: true,
    name: 'Claude Sonnet 4.6',
    efforts: allButXhigh,
    price: { input: 3, output: 15, cacheRead: 0.3 },
  },
  {
    ...older,
    id: 'claude-opus-4-5',
    name: 'Claude Opus 4.5',
    price: { input: 5, output: 25, cacheRead: 0.5 },
  },
  {
    ...older,
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    price: { input: 1, output: 5, cacheRead: 0.1 },
  },
  {
    ...older,
    id: 'claude-sonnet-4-5',
    name: 'Claude Sonnet 4.5',
    price: { input: 3, output: 15, cacheRead: 0.3 },
  },
];

/** For invited accounts only, so they are not on offer until the API lists them. */
const gatedModels: readonly ModelFacts[] = [
  {
    ...current,
    id: 'claude-mythos-5-2',
    name: 'Claude Mythos 5.2',
    price: { input: 8, output: 40, cacheRead: 0.2 },
  },
  {
    ...current,
    id: 'claude-mythos-5-1',
    name: 'Claude Mythos 5.1',
    price: { input: 10, output: 50, cacheRead: 0.25 },
  },
  {
    ...current,
    id: 'claude-mythos-5',
    name: 'Claude Mythos 5',
    price: { input: 10, output: 50, cacheRead: 1 },
  },
];

const nothing: Price = { input: 0, output: 0, cacheRead: 0 };

/** Gateways mark models that cost nothing by the ending of their id. */
function isFree(modelId: string): boolean {
  return modelId.endsWith(':free');
}

/** The facts of a model, of a dated version of one too. What nobody knows gets values that every model accepts. */
export function factsOf(modelId: string, listed: readonly ModelFacts[] = []): ModelFacts {
  const undated = modelId.replace(/-\d{8}$/, '');
  const known = [...listed, ...builtInModels, ...gatedModels].find(
    ({ id }) => id === modelId || id === undated,
  );
  return known ?? { ...older, id: modelId, name: modelId, ...(isFree(modelId) && { price: nothing }) };
}

/**
 * What the API says of a model, with our price and name for it where we have them. Gateways leave out what they do not
 * know; for that our own list counts. Undefined for what is no model.
 */
export function toFacts(info: JsonObject): ModelFacts | undefined {
  const { id, display_name: name } = info;
  if (typeof id !== 'string' || id.trim() === '') return undefined;
  const undated = id.replace(/-\d{8}$/, '');
  const builtIn = [...builtInModels, ...gatedModels].find((model) => model.id === undated);
  const price = isFree(id) ? nothing : builtIn?.price;
  const fallback = builtIn ?? { ...older, canSkipThinking: false };
  const contextTokens = positive(info['max_input_tokens']) ?? fallback.contextTokens;
  const maxOutputTokens = positive(info['max_tokens']) ?? fallback.maxOutputTokens;
  const capabilities = objectOr({}, info['capabilities']);
  const thinking = objectOr({}, capabilities['thinking']);
  const types = objectOr({}, thinking['types']);
  const isAdaptive = thinking['supported'] === false ? false : supports(types['adaptive']);
  return {
    id,
    name: typeof name === 'string' && name.trim() !== '' ? name : (builtIn?.name ?? id),
    contextTokens,
    // Both are parts of one window.
    maxOutputTokens: Math.min(maxOutputTokens, Math.floor(contextTokens / 2)),
    takesImages: supports(capabilities['image_input']) ?? fallback.takesImages,
    efforts: effortsIn(capabilities['effort']) ?? fallback.efforts,
    thinking: isAdaptive === undefined ? fallback.thinking : isAdaptive ? 'adaptive' : 'none',
    canSkipThinking: supports(types['disabled']) ?? fallback.canSkipThinking ?? false,
    ...(price && { price }),
  };
}

function effortsIn(raw: unknown): readonly Effort[] | undefined {
  const effort = objectOr({}, raw);
  if (effort['supported'] === false) return [];
  const isTold = all.some((level) => effort[level] !== undefined);
  return isTold ? all.filter((level) => supports(effort[level]) === true) : undefined;
}

function supports(capability: unknown): boolean | undefined {
  const supported = isObject(capability) ? capability['supported'] : undefined;
  return typeof supported === 'boolean' ? supported : undefined;
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function objectOr(fallback: JsonObject, value: unknown): JsonObject {
  return isObject(value) ? value : fallback;
}

/** The wanted effort if the model has it, else the next lower one that it has. */
export function fittingEffort(wanted: Effort, { efforts }: ModelFacts): Effort | undefined {
  return all
    .slice(0, all.indexOf(wanted) + 1)
    .toReversed()
    .find((level) => efforts.includes(level));
}
