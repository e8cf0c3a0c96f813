/** How long the prompt cache keeps something after its last use. */
export type CacheTtl = '5m' | '1h';

export const lifetimesMs: Readonly<Record<CacheTtl, number>> = { '5m': 300_000, '1h': 3_600_000 };

/** What it costs over plain input to write to the cache. */
export const writeFactors: Readonly<Record<CacheTtl, number>> = { '5m': 1.25, '1h': 2 };
