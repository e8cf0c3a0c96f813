import { breakpointsOf, type Ttl } from './cacheRules';
import type { ModelFacts } from './models';
import { readPrompt } from './prompt';
import type { ClaudeRequest } from './request';

/** How the input tokens of one request divide. Their sum is the prompt. */
export interface InputUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** The prompt cache: writes at breakpoints only, reads the longest prefix that a breakpoint finds on its way back. */
export interface PromptCache {
  use(request: ClaudeRequest, model: ModelFacts): InputUsage;
}

/** A breakpoint looks at this many blocks, itself included, for an earlier entry. */
const lookBack = 20;
const lifetimes: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

export function createPromptCache(now: () => number): PromptCache {
  const entries = new Map<string, { readonly ttl: Ttl; expiresAt: number }>();

  const isAlive = (hash: string, time: number): boolean => (entries.get(hash)?.expiresAt ?? 0) > time;

  return {
    use(request, model) {
      const time = now();
      const blocks = readPrompt(request, model);
      const tokensAt = (position: number): number => blocks[position]?.prefixTokens ?? 0;
      const hashAt = (position: number): string => blocks[position]?.prefixHash ?? '';
      // What is too short to be cached is not an error: it just is not cached.
      const breakpoints = breakpointsOf(request).filter(
        ({ position }) => tokensAt(position) >= model.minCacheable,
      );

      let hit = -1;
      for (const { position } of breakpoints) {
        for (let at = position; at >= 0 && at > position - lookBack; at--) {
          if (!isAlive(hashAt(at), time)) continue;
          hit = Math.max(hit, at);
          break;
        }
      }
      const refreshed = entries.get(hashAt(hit));
      if (refreshed) refreshed.expiresAt = time + lifetimes[refreshed.ttl];

      const written: Record<Ttl, number> = { '5m': 0, '1h': 0 };
      let end = tokensAt(hit);
      for (const { position, ttl } of breakpoints) {
        const entry = entries.get(hashAt(position));
        if (position <= hit) {
          if (entry && entry.expiresAt > time) entry.expiresAt = time + lifetimes[entry.ttl];
          continue;
        }
        entries.set(hashAt(position), { ttl, expiresAt: time + lifetimes[ttl] });
        written[ttl] += tokensAt(position) - end;
        end = tokensAt(position);
      }
      return {
        input: tokensAt(blocks.length - 1) - end,
        cacheRead: tokensAt(hit),
        cacheWrite5m: written['5m'],
        cacheWrite1h: written['1h'],
      };
    },
  };
}
