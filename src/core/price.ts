import { writeFactors } from './cacheTtl';
import { inputTokens, type Usage } from './messages';

/** US dollars for a million tokens. What is written to the cache costs more than plain input, the longer it is kept. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The price of a request whose prompt is longer than this. */
  readonly long?: Omit<Price, 'long'> & { readonly above: number };
}

/** What the API reported for one request. */
export interface ReportedUsage extends Usage {
  /** How much of `cacheWrite` is kept for an hour, not for five minutes. */
  readonly cacheWriteHour: number;
  /** How often the server searched the web. */
  readonly webSearches?: number;
}

/** US dollars, whatever the model. */
export const webSearchPrice = 0.01;

/** What one request cost, in US dollars. Not for sums: the tier depends on the length of each prompt. */
export function costOf(usage: ReportedUsage, price: Price): number {
  const tier = tierOf(price, inputTokens(usage));
  const millionths =
    usage.input * tier.input +
    (usage.cacheWrite - usage.cacheWriteHour) * tier.input * writeFactors['5m'] +
    usage.cacheWriteHour * tier.input * writeFactors['1h'] +
    usage.cacheRead * tier.cacheRead +
    usage.output * tier.output;
  return millionths / 1_000_000 + (usage.webSearches ?? 0) * webSearchPrice;
}

/** What counts for a prompt of this length. */
export function tierOf(price: Price, promptTokens: number): Omit<Price, 'long'> {
  return price.long && promptTokens > price.long.above ? price.long : price;
}
