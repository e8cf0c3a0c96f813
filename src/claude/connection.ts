import type { Settings } from '../core/settings';
import type { Claude } from './client';

const anthropic = 'https://api.anthropic.com';
/** Claude sends a ping every few seconds: after this much silence nothing more will come. */
const longestSilenceMs = 120_000;

export interface ConnectionOptions {
  /** Asked at every request, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Claude under the settings of a request; the same settings give the same client. The SDK loads with the first use. */
export function createConnection({ apiKey, environment }: ConnectionOptions): (settings: Settings) => Claude {
  let current: { readonly key: string; readonly claude: Claude } | undefined;
  return ({ baseUrl, headers, requestTimeout }) => {
    const options = {
      baseUrl: baseUrl || environment['ANTHROPIC_BASE_URL'] || anthropic,
      headers,
      requestTimeoutMs: requestTimeout * 1000,
      idleTimeoutMs: Math.min(longestSilenceMs, requestTimeout * 1000),
    };
    const key = JSON.stringify(options);
    if (current?.key === key) return current.claude;
    const claude = lazily(async () => {
      const { createClaude } = await import('./client');
      return createClaude({ ...options, apiKey });
    });
    current = { key, claude };
    return claude;
  };
}

function lazily(load: () => Promise<Claude>): Claude {
  let loaded: Promise<Claude> | undefined;
  const claude = (): Promise<Claude> => (loaded ??= load());
  return {
    async *stream(request, signal) {
      yield* (await claude()).stream(request, signal);
    },
    list: async (signal) => (await claude()).list(signal),
    countTokens: async (request, signal) => (await claude()).countTokens(request, signal),
  };
}
