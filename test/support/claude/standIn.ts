import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { checkAccess, maskedHeaders } from './access';
import { createJournal, type Journal, type JournalEntry, type RequestRecord } from './journal';
import { listModels, retrieveModel } from './modelsEndpoint';
import { findModel, type ModelFacts } from './models';
import { errorBody, invalid, type ApiProblem } from './problem';
import { readPrompt } from './prompt';
import { createPromptCache } from './promptCache';
import { renderReply } from './renderReply';
import { textOf, type ClaudeRequest } from './request';
import { apiError, type Reply, type Scripted } from './script';
import { sendAnswer } from './sendAnswer';
import { createThoughtLedger } from './thoughtLedger';
import { validateRequest } from './validateRequest';

export interface StandInOptions {
  /** 0, the default, takes any free port of the loopback interface. */
  readonly port?: number;
  /** Keys that are accepted; any, when not given. */
  readonly keys?: readonly string[];
  /** Answers whatever the script does not. */
  readonly mind?: Scripted;
  /** Time of the prompt cache and the journal. */
  readonly clock?: () => number;
  /** Added to the display names of the models, for example ' (offline stand-in)'. */
  readonly displayNameSuffix?: string;
  /**
   * Whether a tool loop may go on without the thinking that its tool uses came with. By default it may not,
   * as the documentation asks; with adaptive thinking the API itself may be more lenient.
   */
  readonly allowsMissingThinking?: boolean;
}

/** A Claude API on this machine: as strict as the real one, and it says what the script tells it. */
export interface StandIn {
  /** For `baseURL`. */
  readonly url: string;
  readonly journal: Journal;
  /** How many scripted replies are still waiting for their request. */
  readonly remaining: number;
  /** Adds replies for the requests to come, one each, in this order. */
  script(...replies: readonly Scripted[]): void;
  nextRequest(): Promise<JournalEntry>;
  waitFor(fits: (entry: JournalEntry) => boolean): Promise<JournalEntry>;
  /** Forgets script, journal and cache and ends what is still open; for use between tests. */
  reset(): void;
  /** Stops, and ends all connections at once. */
  close(): Promise<void>;
}

const maxBodyBytes = 32 * 1024 * 1024;

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const clock = options.clock ?? Date.now;
  const journal = createJournal();
  let queue: Scripted[] = [];
  let cache = createPromptCache(clock);
  let ledger = createThoughtLedger();
  const open = new Set<ServerResponse>();

  const server = createServer((incoming, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    void handle(incoming, response).catch((error: unknown) => {
      console.error('The stand-in for Claude failed:', error);
      response.destroy();
    });
  });
  // A stalled stream is a legitimate part of a script, however long it lasts.
  server.requestTimeout = 0;
  const port = await listen(server, options.port ?? 0);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    const { text, isTooLarge } = await readBody(incoming);
    const parsed = parseJson(text);
    const record = journal.add({
      requestId: `req_${randomBytes(12).toString('hex')}`,
      method: incoming.method ?? '',
      path: url.pathname,
      headers: maskedHeaders(incoming),
      bodyText: text,
      body: parsed.value,
      arrivedAt: clock(),
    });
    response.setHeader('request-id', record.entry.requestId);
    response.on('close', () => {
      if (record.entry.outcome.state !== 'open') return;
      record.note({ state: response.writableFinished ? 'answered' : 'aborted' });
    });

    const refuse = (problem: ApiProblem): void => {
      record.note({ problem });
      sendJson(response, record, problem.status, errorBody(problem, record.entry.requestId));
    };
    const answer = (value: ApiProblem | object): void => {
      if ('status' in value && 'message' in value) refuse(value);
      else sendJson(response, record, 200, JSON.stringify(value));
    };

    const denied = checkAccess(incoming, options.keys);
    if (denied) return refuse(denied);
    if (isTooLarge) {
      return refuse({ status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' });
    }
    const suffix = options.displayNameSuffix ?? '';
    const route = `${incoming.method} ${url.pathname}`;
    if (route === 'GET /v1/models') return answer(listModels(url.searchParams, suffix));
    if (route.startsWith('GET /v1/models/')) {
      return answer(retrieveModel(decodeURIComponent(url.pathname.slice('/v1/models/'.length)), suffix));
    }
    if (route !== 'POST /v1/messages' && route !== 'POST /v1/messages/count_tokens') {
      return refuse({ status: 404, type: 'not_found_error', message: 'Not found' });
    }
    if (parsed.error) return refuse(invalid('', `The request body is not valid JSON: ${parsed.error}`));

    const isCount = url.pathname.endsWith('/count_tokens');
    const problem = validateRequest(parsed.value, isCount ? 'count_tokens' : 'messages');
    if (problem) return refuse(problem);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has just been validated.
    const request = parsed.value as ClaudeRequest;
    const model = findModel(request.model);
    if (!model) throw new Error(`validated, yet unknown: ${request.model}`);
    if (isCount) return answer({ input_tokens: readPrompt(request, model).at(-1)?.prefixTokens ?? 0 });

    const broken = options.allowsMissingThinking === true ? undefined : ledger.check(request, model);
    if (broken) return refuse(broken);
    await play(await nextReply(request, record), { request, model, record, response });
  }

  async function nextReply(request: ClaudeRequest, record: RequestRecord): Promise<Reply> {
    const scripted = queue.shift() ?? options.mind;
    try {
      if (scripted) return typeof scripted === 'function' ? await scripted(request) : scripted;
    } catch (error) {
      record.note({ isUnexpected: true });
      return failure(`The script failed on this request: ${String(error)}`);
    }
    record.note({ isUnexpected: true });
    const last = request.messages.at(-1);
    return failure(
      `The script has no reply left for request ${journal.messages.length}, whose last message is ` +
        `${last?.role}: ${last ? textOf(last.content).slice(0, 200) || JSON.stringify(last.content).slice(0, 200) : ''}`,
    );
  }

  async function play(
    reply: Reply,
    {
      request,
      model,
      record,
      response,
    }: { request: ClaudeRequest; model: ModelFacts; record: RequestRecord; response: ServerResponse },
  ): Promise<void> {
    switch (reply.kind) {
      case 'status':
        record.note({ status: reply.status });
        response.writeHead(reply.status, reply.headers).end(reply.body(record.entry.requestId));
        break;
      case 'hang-up':
        record.note({ state: 'dropped' });
        response.socket?.resetAndDestroy();
        break;
      case 'silence':
        break;
      case 'answer': {
        const usage = cache.use(request, model);
        const steps = renderReply({ request, model, usage, parts: reply.parts });
        const content = await sendAnswer(steps, { response, record, isStreamed: request.stream === true });
        ledger.note(model, content);
        break;
      }
    }
  }

  const endAll = (): void => {
    for (const response of open) response.destroy();
  };

  return {
    url: `http://127.0.0.1:${port}`,
    journal,
    get remaining() {
      return queue.length;
    },
    script: (...replies) => void queue.push(...replies),
    nextRequest: () => journal.next(),
    waitFor: (fits) => journal.waitFor(fits),
    reset() {
      endAll();
      queue = [];
      journal.clear();
      cache = createPromptCache(clock);
      ledger = createThoughtLedger();
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Says no more than once: an SDK that tries again would only hide the forgotten reply. */
function failure(message: string): Reply {
  return apiError(500, { message, headers: { 'x-should-retry': 'false' } });
}

function sendJson(response: ServerResponse, record: RequestRecord, status: number, body: string): void {
  record.note({ status });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}

async function readBody(incoming: IncomingMessage): Promise<{ text: string; isTooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isTooLarge: size > maxBodyBytes };
}

function parseJson(text: string): { readonly value?: unknown; readonly error?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
