import type Anthropic from '@anthropic-ai/sdk';
// Not from the package's root, which would bring all of its services into the bundle: three times the size.
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import { Messages } from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import { ModelError } from '../core/errors';
import { inputTokens, type Usage } from '../core/messages';
import type { Clock, Model, ModelCatalog, ModelEvent, ModelRequest } from '../core/ports';
import { costOf, type ReportedUsage } from '../core/price';
import { credentialsOf } from '../core/secrets/credentials';
import { redact, redacting } from '../core/secrets/redact';
import { AnswerBuilder } from './answerBuilder';
import { requestIdIn, toModelError, type ResponseInfo } from './errors';
import { DeltaQueue, readEvents, watchIdle } from './eventStream';
import { gatewayMessage } from './gatewayMessage';
import { createModelList, readModels } from './modelList';
import { builtInModels, detailsOf, fittingEffort, type ModelDetails } from './models';

export interface ClaudeOptions {
  /** Asked at every request, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly baseUrl: string;
  /** The user's own headers. With `authorization` or `x-api-key` among them no key is needed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a stream may be silent, pings included. */
  readonly idleTimeoutMs?: number;
  /** How long the first byte may take. */
  readonly requestTimeoutMs?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

export interface Claude extends Model, ModelCatalog {}

const defaultMaxOutputTokens = 64_000;
const maxRefusalChars = 500;

/** Claude over HTTP. Retrying is left to the caller, who can show and cancel it. */
export function createClaude(options: ClaudeOptions): Claude {
  const client = createClient(options);
  const messages = new Messages(client);
  const models = new Models(client);
  const list = createModelList(options.clock ?? Date.now);
  /** Other hosts of Claude may refuse what they do not know. */
  let takesDiagnostics = true;

  async function send(
    request: ModelRequest,
    facts: ModelDetails,
    settings: { readonly headers: Authorization['headers']; readonly signal: AbortSignal },
  ): Promise<Response> {
    const { previousMessage } = request;
    const diagnostics =
      takesDiagnostics && previousMessage !== undefined
        ? { diagnostics: { previous_message_id: previousMessage } }
        : undefined;
    const post = (more = {}) =>
      messages.create({ ...toParams(request, facts), ...more, stream: true }, settings).asResponse();
    if (!diagnostics) return post();
    try {
      return await post(diagnostics);
    } catch (error) {
      if (!refusesDiagnostics(error)) throw error;
      takesDiagnostics = false;
      return post();
    }
  }

  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const { headers, secrets } = await authorize(options);
      const facts = detailsOf(request.model, list.known);
      const builder = new AnswerBuilder();
      let known: ResponseInfo = {};
      const done = new AbortController();
      const ended = AbortSignal.any([signal, done.signal]);
      try {
        const response = await send(request, facts, { headers, signal: ended });
        known = { status: response.status, requestId: requestIdIn(response.headers) };
        await assertEventStream(response, secrets);
        yield* readAnswer(response, builder, ended);
        signal.throwIfAborted();
        const isCompared = takesDiagnostics && typeof request.previousMessage === 'string';
        const answer = builder.build(known.requestId, { isCompared });
        if (!answer) throw cutOff();
        const refusal = answer.refusal && redact(answer.refusal, secrets).slice(0, maxRefusalChars);
        yield {
          type: 'answer',
          answer: { ...answer, ...(refusal && { refusal }), usage: withCost(answer.usage, facts) },
        };
      } catch (error) {
        const usage = builder.usageSoFar;
        if (usage) yield { type: 'spent', usage: withCost(usage, facts) };
        signal.throwIfAborted();
        throw toModelError(error, secrets, known);
      } finally {
        // A reader who stops also ends the HTTP request.
        done.abort();
      }
    },

    async list(signal) {
      // Without a key nothing is requested; that is no failure.
      const { headers } = await authorize(options).catch(() => ({ headers: undefined }));
      if (headers) {
        const ask = () => readModels(models.list({ limit: 100 }, { headers, signal }));
        await list.refresh(JSON.stringify(headers), ask);
      }
      return list.known.length > 0 ? list.known : builtInModels;
    },

    async countTokens(request, signal) {
      const { headers, secrets } = await authorize(options);
      const { max_tokens: _, ...params } = toParams(request, detailsOf(request.model, list.known));
      try {
        const { input_tokens: count } = await messages.countTokens(params, { headers, signal });
        if (Number.isFinite(count)) return count;
        throw new ModelError('not-claude', 'The response has no count of tokens.');
      } catch (error) {
        signal.throwIfAborted();
        throw toModelError(error, secrets);
      }
    },
  };
}

/** Whatever the words are: nothing else of ours has that name, and without it the error comes again by itself. */
function refusesDiagnostics(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.status === 400 || error.status === 422) &&
    /(?<![\w.])diagnostics\b/.test(error.message)
  );
}

function cutOff(): ModelError {
  return new ModelError('dropped', 'The stream ended before the answer was complete.', { isRetryable: true });
}

function withCost(reported: ReportedUsage, { price }: ModelDetails): Usage {
  const { cacheWriteHour: _, webSearches: __, ...usage } = reported;
  if (!price) return usage;
  const cost = costOf(reported, price);
  const uncached = {
    ...reported,
    input: inputTokens(reported),
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteHour: 0,
  };
  const saved = costOf(uncached, price) - cost;
  return { ...usage, cost, ...(saved !== 0 && { saved }) };
}

/** Yields what to show. */
function readAnswer(
  response: Response,
  builder: AnswerBuilder,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const queue = new DeltaQueue();
  signal.addEventListener('abort', () => queue.end(), { once: true });
  const read = readEvents(response, (event) => {
    const shown = builder.add(event);
    if (shown) queue.push(shown);
  });
  void read.then(
    () => queue.end(),
    (error: unknown) => queue.end({ error }),
  );
  return queue.read();
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
    // Browsers are refused without it; the key is the user's own and stays in their editor.
    dangerouslyAllowBrowser: true,
    fetch: watchIdle(keepOnlyOurHeaders(innerFetch, Object.keys(headers)), idleTimeoutMs),
  });
}

const sdkHeaders =
  /^(accept|authorization|content-type|user-agent|x-api-key|x-stainless-.*|anthropic-(version|beta|dangerous-direct-browser-access))$/;

/**
 * The SDK adds headers from ANTHROPIC_CUSTOM_HEADERS, which a workspace's environment could set. It also follows
 * redirects, and would hand the conversation, and headers that are the user's own, to whoever they lead to.
 */
function keepOnlyOurHeaders(innerFetch: typeof fetch, ours: readonly string[]): typeof fetch {
  const allowed = new Set(ours.map((name) => name.toLowerCase()));
  return (input, init) => {
    const all = [...new Headers(init?.headers)];
    const headers = all.filter(([name]) => sdkHeaders.test(name) || allowed.has(name));
    return innerFetch(input, { ...init, headers, redirect: 'manual' });
  };
}

interface Authorization {
  readonly headers: Readonly<Record<string, string | null>>;
  readonly secrets: readonly string[];
}

/** The credential of one request, and what must never be shown of it. */
async function authorize({ apiKey, baseUrl, headers = {} }: ClaudeOptions): Promise<Authorization> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const secrets = credentialsOf({ baseUrl, headers });
  // Both are named, so that none can come in from the environment.
  const credentials = { authorization: own['authorization'] ?? null, 'x-api-key': own['x-api-key'] ?? null };
  if (credentials.authorization !== null || credentials['x-api-key'] !== null) {
    return { headers: credentials, secrets };
  }
  const key = (await apiKey())?.trim();
  if (!key) throw new ModelError('no-key', 'There is no API key.');
  // The environment may hold anything, and an error about a header that cannot be sent would repeat it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ModelError('rejected-key', 'The API key cannot be sent in a header.');
  return { headers: { ...credentials, authorization: `Bearer ${key}` }, secrets: [key, ...secrets] };
}

function toParams(request: ModelRequest, facts: ModelDetails): Anthropic.MessageCreateParamsNonStreaming {
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
  facts: ModelDetails,
): Pick<Anthropic.MessageCreateParamsNonStreaming, 'thinking'> {
  if (facts.thinking === 'none') return {};
  if (request.thinking === 'off' && facts.canSkipThinking) return { thinking: { type: 'disabled' } };
  return { thinking: { type: 'adaptive', display: 'summarized' } };
}

/** Anything else with a good status is a sign-in page, or an error of a gateway: its text goes into the error. */
async function assertEventStream(response: Response, secrets: readonly string[]): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (/^text\/event-stream\b/i.test(type)) return;
  const words = gatewayMessage(await beginningOf(response), redacting(secrets));
  const message = words || `Status ${response.status}, ${type || 'no content type'}`;
  throw new ModelError('not-claude', message, { gatewayMessage: words });
}

const maxPageChars = 20_000;

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxPageChars) break;
  }
  return text;
}
