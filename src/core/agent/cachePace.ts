import { writeFactors, type CacheTtl } from '../cacheTtl';
import type { Clock } from '../ports';

/** Decides how long tools and system prompt are kept, by the pauses that this user has made so far. */
export interface CachePace {
  /** For a request that is sent now. */
  nextTtl(): CacheTtl;
  /** A gateway accepts five minutes only. */
  disableHourTtl(): void;
}

const minuteMs = 60_000;

/** And at most to read from it. */
const readFactor = 0.1;

/**
 * An hour costs more to write, and pays off with every pause between five minutes and an hour, but not for users who
 * stay away longer. So it starts with five minutes and counts both; the choice only changes when a pause was too long
 * and the cache has to be written again anyway.
 */
export function createCachePace(clock: Clock): CachePace & {
  /** The same without a request: what one would get now. */
  peekTtl(): CacheTtl;
} {
  let last: number | undefined;
  let counted = { pauses: 0, absences: 0 };
  let allowsHour = true;
  const countedNow = () => {
    const passed = clock() - (last ?? -Infinity);
    const { pauses, absences } = counted;
    if (passed > 60 * minuteMs) return { pauses, absences: absences + 1 };
    return { pauses: passed > 5 * minuteMs ? pauses + 1 : pauses, absences };
  };
  const ttlFor = ({ pauses, absences }: typeof counted): CacheTtl => {
    const saved = pauses * (writeFactors['5m'] - readFactor);
    const added = absences * (writeFactors['1h'] - writeFactors['5m']);
    return allowsHour && saved > added ? '1h' : '5m';
  };
  return {
    nextTtl() {
      counted = countedNow();
      last = clock();
      return ttlFor(counted);
    },
    peekTtl: () => ttlFor(countedNow()),
    disableHourTtl() {
      allowsHour = false;
    },
  };
}
