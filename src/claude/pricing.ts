import type { Usage } from '../core/messages';

/** US dollars for a million tokens. Writing to the five-minute cache costs a quarter more than plain input. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The price of a request whose prompt is longer than this. */
  readonly long?: Omit<Price, 'long'> & { readonly above: number };
}

const cacheWriteFactor = 1.25;

/** What one request cost, in US dollars. Not for sums: the tier depends on the length of each prompt. */
export function costOf(usage: Usage, price: Price): number {
  const promptTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const tier = price.long && promptTokens > price.long.above ? price.long : price;
  const millionths =
    usage.input * tier.input +
    usage.cacheWrite * tier.input * cacheWriteFactor +
    usage.cacheRead * tier.cacheRead +
    usage.output * tier.output;
  return millionths / 1_000_000;
}
