import type Anthropic from '@anthropic-ai/sdk';
// Not from the package's root: that would bring all of its services into the bundle, three times the size.
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import type { Stream } from '@anthropic-ai/sdk/core/streaming';
import { Messages } from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import { ModelError } from '../core/errors';
import type { Usage } from '../core/messages';
import type { Model, ModelCatalog, ModelEvent, ModelRequest } from '../core/ports';
import { AnswerBuilder } from './answerBuilder';
import { DeltaQueue } from './deltaQueue';
import { toModelError } from './errors';
import { watchIdle } from './idleWatch';
import { builtInModels, factsOf, fittingEffort, toFacts, type ModelFacts } from './models';
import { costOf, type ReportedUsage } from './pricing';

export interface ClaudeOptions {
  /** Asked at every request, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly baseUrl: string;
  /** The person's own headers. With `authorization` or `x-api-key` among them no key is needed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** So long may a stream be silent, pings included. */
  readonly idleTimeoutMs?: number;
  /** So long may the first byte take. */
  readonly requestTimeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface Claude extends Model, ModelCatalog {}

const listLifetimeMs = 60 * 60_000;
const defaultMaxOutputTokens = 64_000;

/** Claude over HTTP. Retrying is left to the caller, who can show and cancel it. */
export function createClaude(options: ClaudeOptions): Claude {
  const client = createClient(options);
  const messages = new Messages(client);
  const models = new Models(client);
  let listed: { readonly models: Promise<readonly ModelFacts[]>; readonly at: number } | undefined;
  let knownModels: readonly ModelFacts[] = [];

  const listModels = async (signal: AbortSignal): Promise<readonly ModelFacts[]> => {
    const { headers, secrets } = await authorize(options);
    try {
      const found: ModelFacts[] = [];
      for await (const info of models.list({ limit: 100 }, { headers, signal })) {
        if (info.lifecycle !== 'retired') found.push(toFacts(info));
      }
      return found;
    } catch (error) {
      throw toModelError(error, secrets);
    }
  };

  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const { headers, secrets } = await authorize(options);
      const facts = factsOf(request.model, knownModels);
      const builder = new AnswerBuilder();
      let requestId: string | undefined;
      try {
        const { data, response, request_id } = await messages
          .create({ ...toParams(request, facts), stream: true }, { headers, signal })
          .withResponse();
        requestId = request_id ?? undefined;
        assertEventStream(response);
        yield* readStream(data, builder, signal);
        // The SDK ends its stream without an error when it was aborted or cut off.
        signal.throwIfAborted();
        const answer = builder.build(requestId);
        if (!answer) throw cutOff(requestId);
        yield { type: 'answer', answer: { ...answer, usage: withCost(answer.usage, facts) } };
      } catch (error) {
        const usage = builder.usageSoFar;
        if (usage) yield { type: 'spent', usage: withCost(usage, facts) };
        signal.throwIfAborted();
        throw toModelError(error, secrets);
      }
    },

    async list(signal) {
      try {
        const isFresh = listed && Date.now() - listed.at < listLifetimeMs;
        if (!listed || !isFresh) listed = { models: listModels(signal), at: Date.now() };
        knownModels = await listed.models;
        return knownModels.length > 0 ? knownModels : builtInModels;
      } catch {
        // Not reachable now, or no key yet: the next call asks again.
        listed = undefined;
        return builtInModels;
      }
    },

    async countTokens(request, signal) {
      const { headers, secrets } = await authorize(options);
      const { max_tokens: _, ...params } = toParams(request, factsOf(request.model, knownModels));
      try {
        const { input_tokens } = await messages.countTokens(params, { headers, signal });
        return input_tokens;
      } catch (error) {
        signal.throwIfAborted();
        throw toModelError(error, secrets);
      }
    },
  };
}

function cutOff(requestId: string | undefined): ModelError {
  return new ModelError('dropped', 'The stream ended before the answer was complete.', {
    isRetryable: true,
    requestId,
  });
}

function withCost(reported: ReportedUsage, { price }: ModelFacts): Usage {
  const { cacheWriteHour: _, ...usage } = reported;
  return price ? { ...usage, cost: costOf(reported, price) } : usage;
}

/** Yields what there is to show. Whoever stops reading ends the HTTP request with it. */
async function* readStream(
  data: Stream<Anthropic.RawMessageStreamEvent>,
  builder: AnswerBuilder,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const queue = new DeltaQueue();
  const stop = (): void => queue.end();
  signal.addEventListener('abort', stop, { once: true });
  const pump = async (): Promise<void> => {
    try {
      for await (const event of data) {
        const shown = builder.add(event);
        if (shown) queue.push(shown);
      }
      queue.end();
    } catch (error) {
      queue.end({ error });
    }
  };
  void pump();
  try {
    yield* queue.read();
  } finally {
    signal.removeEventListener('abort', stop);
    data.controller.abort();
  }
}

function createClient(options: ClaudeOptions): BaseAnthropic {
  const { baseUrl, headers = {}, idleTimeoutMs = 120_000, requestTimeoutMs = 600_000 } = options;
  const innerFetch = options.fetch ?? ((input, init) => fetch(input, init));
  return new BaseAnthropic({
    baseURL: baseUrl,
    // Any credential here keeps the SDK from looking for one in the environment and in files. The real one is set on
    // each request, where it also wins over headers from the environment.
    apiKey: 'set-per-request',
    defaultHeaders: headers,
    maxRetries: 0,
    timeout: requestTimeoutMs,
    logLevel: 'off',
    openTelemetry: false,
    // Without it no browser would be let through; the key is the person's own and stays in their editor.
    dangerouslyAllowBrowser: true,
    fetch: watchIdle(keepOnlyOurHeaders(innerFetch, Object.keys(headers)), idleTimeoutMs),
  });
}

const sdkHeaders =
  /^(accept|authorization|content-type|user-agent|x-api-key|x-stainless-.*|anthropic-(version|beta|dangerous-direct-browser-access))$/;

/** The SDK adds headers from ANTHROPIC_CUSTOM_HEADERS, which a workspace's environment could set. */
function keepOnlyOurHeaders(innerFetch: typeof fetch, ours: readonly string[]): typeof fetch {
  const allowed = new Set(ours.map((name) => name.toLowerCase()));
  return (input, init) => {
    const all = [...new Headers(init?.headers)];
    const headers = all.filter(([name]) => sdkHeaders.test(name) || allowed.has(name));
    return innerFetch(input, { ...init, headers });
  };
}

interface Authorization {
  readonly headers: Readonly<Record<string, string | null>>;
  readonly secrets: readonly string[];
}

/** The credential of one request, and what must never be shown of it. */
async function authorize({ apiKey, headers = {} }: ClaudeOptions): Promise<Authorization> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const secrets = Object.values(own);
  // Both are named, so that none can come in from the environment.
  const credentials = { authorization: own['authorization'] ?? null, 'x-api-key': own['x-api-key'] ?? null };
  if (credentials.authorization !== null || credentials['x-api-key'] !== null) {
    return { headers: credentials, secrets };
  }
  const key = (await apiKey())?.trim();
  if (!key) throw new ModelError('no-key', 'There is no API key.');
  return { headers: { ...credentials, authorization: `Bearer ${key}` }, secrets: [key, ...secrets] };
}

function toParams(request: ModelRequest, facts: ModelFacts): Anthropic.MessageCreateParamsNonStreaming {
  const { model, system, tools, messages, maxOutputTokens = defaultMaxOutputTokens } = request;
  const effort = request.effort && fittingEffort(request.effort, facts);
  return {
    model,
    max_tokens: Math.min(maxOutputTokens, facts.maxOutputTokens),
    ...(system.length > 0 && { system: [...system] }),
    ...(tools.length > 0 && { tools: [...tools] }),
    messages: [...messages],
    ...thinkingOf(request, facts),
    ...(effort && { output_config: { effort } }),
  };
}

function thinkingOf(
  request: ModelRequest,
  facts: ModelFacts,
): Pick<Anthropic.MessageCreateParamsNonStreaming, 'thinking'> {
  if (facts.thinking === 'none') return {};
  if (request.thinking === 'off' && facts.canSkipThinking) return { thinking: { type: 'disabled' } };
  return { thinking: { type: 'adaptive', display: 'summarized' } };
}

function assertEventStream(response: Response): void {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return;
  void response.body?.cancel().catch(() => undefined);
  throw new ModelError('not-claude', `Status ${response.status}, ${type || 'no content type'}`);
}
