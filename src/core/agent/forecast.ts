import { inputTokens, type Usage } from '../messages';
import type { Clock, ModelRequest } from '../ports';
import { costOf, webSearchPrice, type Price } from '../price';
import { CacheMirror, type InputSplit } from './cacheMirror';

/** What the input of a request will take. */
export interface InputForecast {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** Knows what requests will take before they are sent, from what earlier ones took. Shared by all turns of a window. */
export interface Forecast {
  /** At this moment, or now. */
  input(request: ModelRequest, price: Price, at?: number): InputForecast;
  /** At most, when the cache has nothing of it. `margin`: how much more it may be than texts like these have taken. */
  coldInput(request: ModelRequest, price: Price, margin?: number): InputForecast;
  /** From when on it finds less than at this moment; undefined when it finds nothing then. */
  coldAt(request: ModelRequest, at: number): number | undefined;
  /** Learns from a request that began at this moment. */
  learn(request: ModelRequest, usage: Usage, startedAt: number): void;
}

/** Until a model has reported anything: of the usual texts, a token has rather more. */
export const bytesPerToken = 3;
/** No text has as many: who reports that has not counted all of it. */
const mostBytesPerToken = 12;

export function createForecast(clock: Clock): Forecast {
  const mirror = new CacheMirror();
  const tokensPerByte = new Map<string, number>();

  const rateOf = ({ model }: ModelRequest) => tokensPerByte.get(model) ?? 1 / bytesPerToken;

  const toTokens = (request: ModelRequest, split: InputSplit, price: Price, margin = 1): InputForecast => {
    const rate = rateOf(request) * margin;
    const tokens = (bytes: number) => Math.round(bytes * rate);
    const added = addedByServer(request);
    const usage = {
      input: tokens(split.fresh) + Math.round(added.tokens * margin),
      cacheRead: tokens(split.read),
      cacheWrite: tokens(split.write),
      cacheWriteHour: tokens(split.writeHour),
      output: 0,
    };
    return { tokens: inputTokens(usage), cost: costOf(usage, price) + added.cost };
  };

  return {
    input: (request, price, at = clock()) => toTokens(request, mirror.split(request, at), price),
    coldInput(request, price, margin) {
      // A text that is new may be of another kind than those that the rate is from.
      const newAs = Math.max(1, 1 / bytesPerToken / rateOf(request));
      return toTokens(request, mirror.cold(request, newAs), price, margin);
    },
    coldAt: (request, at) => mirror.coldAt(request, at),
    learn(request, usage, startedAt) {
      const tokens = inputTokens(usage);
      if (tokens === 0) return;
      mirror.note(request, startedAt);
      const { write, fresh } = mirror.cold(request);
      const rate = tokens / (write + fresh);
      // What the server adds by itself says nothing about the length of texts.
      if (addedByServer(request).tokens === 0 && rate > 1 / mostBytesPerToken)
        tokensPerByte.set(request.model, rate);
    },
  };
}

/** About what the pages that one search finds take. */
const searchTokens = 10_000;

/** At most what the tools that the server runs by itself put into the prompt, and cost on top (L17). */
function addedByServer({ tools }: ModelRequest): { readonly tokens: number; readonly cost: number } {
  let [tokens, cost] = [0, 0];
  for (const tool of tools) {
    if (!('max_uses' in tool)) continue;
    const uses = tool.max_uses ?? 1;
    if (tool.name === 'web_search') cost += uses * webSearchPrice;
    const perUse = 'max_content_tokens' in tool ? (tool.max_content_tokens ?? searchTokens) : searchTokens;
    tokens += uses * perUse;
  }
  return { tokens, cost };
}
