import type { Clock } from '../ports';

/** How long the prompt cache keeps something after its last use. */
export type CacheLife = '5m' | '1h';

/** Decides for how long tools and system prompt are to be kept, by the pauses that this person has made so far. */
export interface CachePace {
  /** For a request that is sent now. */
  lifeNow(): CacheLife;
  /** Somebody on the way to Claude takes five minutes only. */
  refuseHour(): void;
}

const minuteMs = 60_000;

/** What it costs over plain input to write to the cache. */
export const writeFactors: Readonly<Record<CacheLife, number>> = { '5m': 1.25, '1h': 2 };

/** And at most to read from it. */
const readFactor = 0.1;

/**
 * An hour is dearer to write, and pays for itself with every pause between five minutes and an hour. It is lost on
 * people who ask, get their answer and are gone for longer. So it begins with five minutes and counts: what is kept is
 * written anew just when a pause was too long for it, and only then does the choice change.
 */
export function createCachePace(clock: Clock): CachePace {
  let last: number | undefined;
  let pauses = 0;
  let absences = 0;
  let takesHour = true;
  return {
    lifeNow() {
      const now = clock();
      const passed = now - (last ?? -Infinity);
      last = now;
      if (passed > 60 * minuteMs) absences++;
      else if (passed > 5 * minuteMs) pauses++;
      const saved = pauses * (writeFactors['5m'] - readFactor);
      const added = absences * (writeFactors['1h'] - writeFactors['5m']);
      return takesHour && saved > added ? '1h' : '5m';
    },
    refuseHour() {
      takesHour = false;
    },
  };
}
