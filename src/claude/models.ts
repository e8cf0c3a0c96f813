import type { Effort, ModelInfo } from '../core/ports';
import type { Price } from '../core/price';
import { isObject, type JsonObject } from '../core/text/json';

/** What must be known of a model to ask it. */
export interface ModelDetails extends ModelInfo {
  /**
   * `adaptive`: Claude decides when to think, and we ask for a summary, because the newest models put what they say
   * between tool calls there. `none`: nothing is sent about thinking, which every model accepts.
   */
  readonly thinking: 'adaptive' | 'none';
  /** Whether thinking can be switched off. */
  readonly canSkipThinking?: boolean;
  readonly price?: Price;
}

/** The cheapest there is, for small work of our own: a twentieth of the price of the default. */
export const cheapModelId = 'claude-haiku-5-5';

const all: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const thinks = { ...sized(1_000_000, 128_000), efforts: all, thinking: 'adaptive' } as const;
const canSkip = { ...thinks, canSkipThinking: true } as const;
const canSkip46 = { ...canSkip, efforts: all.filter((effort) => effort !== 'xhigh') };
const older = { ...sized(200_000, 64_000), efforts: [], thinking: 'none' } as const;

function sized(contextTokens: number, maxOutputTokens: number) {
  return { contextTokens, maxOutputTokens, takesImages: true };
}

/** Newest first. For all that the API does not tell (prices), and for when it cannot be asked. */
export const builtInModels: readonly ModelDetails[] = [
  entry('fable-5-2', thinks, [8, 40, 0.2]),
  entry('haiku-5-5', canSkip, [0.1, 0.5, 0.01], [0.5, 2.5, 0.05]),
  entry('sonnet-5-5', thinks, [2, 10, 0.1]),
  entry('opus-5-5', thinks, [4, 20, 0.2]),
  entry('fable-5-1', thinks, [10, 50, 0.25]),
  entry('opus-5', canSkip, [5, 25, 0.5]),
  entry('sonnet-5', canSkip, [2, 10, 0.2]),
  entry('fable-5', thinks, [10, 50, 1]),
  entry('opus-4-8', canSkip, [5, 25, 0.5]),
  entry('opus-4-7', canSkip, [5, 25, 0.5]),
  entry('opus-4-6', canSkip46, [5, 25, 0.5]),
  entry('sonnet-4-6', canSkip46, [3, 15, 0.3]),
  entry('opus-4-5', older, [5, 25, 0.5]),
  entry('haiku-4-5', older, [1, 5, 0.1]),
  entry('sonnet-4-5', older, [3, 15, 0.3]),
];

/** For invited accounts only, so they are not on offer until the API lists them. */
const gatedModels: readonly ModelDetails[] = [
  entry('mythos-5-2', thinks, [8, 40, 0.2]),
  entry('mythos-5-1', thinks, [10, 50, 0.25]),
  entry('mythos-5', thinks, [10, 50, 1]),
];

type Prices = readonly [input: number, output: number, cacheRead: number];

/** `opus-4-8` is `claude-opus-4-8`, which people know as Claude Opus 4.8. `long` holds above 100,000 tokens. */
function entry(
  shortId: string,
  traits: Omit<ModelDetails, 'id' | 'name' | 'price'>,
  usual: Prices,
  long?: Prices,
): ModelDetails {
  const [family = '', ...version] = shortId.split('-');
  const name = `Claude ${family.charAt(0).toUpperCase()}${family.slice(1)} ${version.join('.')}`;
  const price = { ...toPrice(usual), ...(long && { long: { above: 100_000, ...toPrice(long) } }) };
  return { ...traits, id: `claude-${shortId}`, name, price };
}

function toPrice([input, output, cacheRead]: Prices): Omit<Price, 'long'> {
  return { input, output, cacheRead };
}

const nothing: Price = { input: 0, output: 0, cacheRead: 0 };

/** Gateways mark models that cost nothing by the ending of their id. */
function isFree(modelId: string): boolean {
  return modelId.endsWith(':free');
}

function builtIn(modelId: string): ModelDetails | undefined {
  return [...builtInModels, ...gatedModels].find(({ id }) => id === undated(modelId));
}

function undated(modelId: string): string {
  return modelId.replace(/-\d{8}$/, '');
}

/** Also for a dated version of a model. An unknown model gets values that every model accepts. */
export function detailsOf(modelId: string, listed: readonly ModelDetails[] = []): ModelDetails {
  const known = listed.find(({ id }) => id === modelId || id === undated(modelId)) ?? builtIn(modelId);
  return known ?? { ...older, id: modelId, name: modelId, ...(isFree(modelId) && { price: nothing }) };
}

/** Undefined where it is not known. */
export function priceOf(modelId: string): Price | undefined {
  return detailsOf(modelId).price;
}

/** In tokens. */
export function windowOf(modelId: string): number {
  return detailsOf(modelId).contextTokens;
}

/**
 * What the API says of a model, completed from our own list: gateways leave things out. Undefined for what is not a
 * model.
 */
export function toDetails(info: JsonObject): ModelDetails | undefined {
  const { id, display_name: name } = info;
  if (typeof id !== 'string' || id.trim() === '') return undefined;
  const known = builtIn(id);
  const price = isFree(id) ? nothing : known?.price;
  const fallback = known ?? { ...older, canSkipThinking: false };
  const contextTokens = positive(info['max_input_tokens']) ?? fallback.contextTokens;
  const maxOutputTokens = positive(info['max_tokens']) ?? fallback.maxOutputTokens;
  const capabilities = asObject(info['capabilities']);
  const thinking = asObject(capabilities['thinking']);
  const types = asObject(thinking['types']);
  const isAdaptive = thinking['supported'] === false ? false : supports(types['adaptive']);
  return {
    id,
    name: typeof name === 'string' && name.trim() !== '' ? name : (known?.name ?? id),
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
  const effort = asObject(raw);
  if (effort['supported'] === false) return [];
  const isListed = all.some((level) => effort[level] !== undefined);
  return isListed ? all.filter((level) => supports(effort[level]) === true) : undefined;
}

function supports(capability: unknown): boolean | undefined {
  const supported = isObject(capability) ? capability['supported'] : undefined;
  return typeof supported === 'boolean' ? supported : undefined;
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The wanted effort if the model has it, else the next lower one that it has. */
export function fittingEffort(wanted: Effort, { efforts }: ModelDetails): Effort | undefined {
  return all
    .slice(0, all.indexOf(wanted) + 1)
    .toReversed()
    .find((level) => efforts.includes(level));
}
