import { createServer, type Server, type ServerResponse } from 'node:http';
import { createCacheDiagnosis } from './cacheDiagnosis';
import { receive, type Question } from './endpoints';
import { openExchange, type Exchange } from './exchange';
import { throughGateway } from './gateway';
import { createJournal, type Journal, type JournalEntry } from './journal';
import { findLacking } from './lacking';
import { createPromptCache } from './promptCache';
import { randomId } from './randomId';
import { renderReply } from './renderReply';
import { textOf } from './request';
import { apiError, type Reply, type Scripted } from './script';
import { sendAnswer, sendBytes } from './sendAnswer';
import { createThoughtLedger } from './thoughtLedger';

export interface StandInOptions {
  /** 0, the default, takes any free port of the loopback interface. */
  readonly port?: number;
  /** Keys that are accepted; any, when not given. */
  readonly keys?: readonly string[];
  /** Answers whatever the script does not. */
  readonly mind?: Scripted;
  /** Time of the prompt cache and the journal. */
  readonly clock?: () => number;
  /** Lists the one model that costs nothing, so that nobody takes it for Claude. */
  readonly isOffline?: boolean;
  /**
   * Whether a tool loop may go on without the thinking that its tool uses came with. By default it may not,
   * as the documentation asks; with adaptive thinking the API itself may be more lenient.
   */
  readonly allowsMissingThinking?: boolean;
}

export interface ModelListReply {
  readonly status: number;
  readonly json: unknown;
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
  /** Answers `GET /v1/models` in this way, as gateways do, or again as Claude. */
  modelList(list: ModelListReply | undefined): void;
  /** Knows nothing of these from now on, as other hosts of Claude do: types of tools, keys of them, or of the request. */
  lacks(...features: readonly string[]): void;
  /** Installs what answers once the script has nothing left, or takes it away. */
  mind(mind: Scripted | undefined): void;
  nextRequest(): Promise<JournalEntry>;
  waitFor(fits: (entry: JournalEntry) => boolean): Promise<JournalEntry>;
  /** Drops all that the prompt cache holds, as the API may at any time. */
  dropCache(): void;
  /** Forgets script, journal and cache and ends what is still open; for use between tests. */
  reset(): void;
  /** Stops, and ends all connections at once. */
  close(): Promise<void>;
}

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const clock = options.clock ?? Date.now;
  const journal = createJournal();
  let queue: Scripted[] = [];
  let mind = options.mind;
  let modelList: ModelListReply | undefined;
  let missing: readonly string[] = [];
  let cache = createPromptCache(clock);
  let diagnosis = createCacheDiagnosis(clock);
  let ledger = createThoughtLedger();
  const open = new Set<ServerResponse>();

  const server = createServer((incoming, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    void openExchange(incoming, response, { journal, clock })
      .then(handle)
      .catch((error: unknown) => {
        // A client that leaves while it is still sending is no failure of ours.
        if (incoming.complete) console.error('The stand-in for Claude failed:', error);
        response.destroy();
      });
  });
  // A stalled stream is a legitimate part of a script, however long it lasts.
  server.requestTimeout = 0;
  const port = await listen(server, options.port ?? 0);

  async function handle(exchange: Exchange): Promise<void> {
    if (modelList && exchange.url.pathname === '/v1/models') {
      const { status, json } = modelList;
      exchange.record.note({ status });
      exchange.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      return;
    }
    const lacking = findLacking(exchange.body, missing);
    if (lacking) {
      exchange.refuse(lacking);
      return;
    }
    const question = receive(exchange, options);
    if (!question) return;
    const broken =
      options.allowsMissingThinking === true ? undefined : ledger.check(question.request, question.model);
    if (broken) exchange.refuse(broken);
    else await play(await nextReply(question, exchange), question, exchange);
  }

  async function nextReply({ request }: Question, { record }: Exchange): Promise<Reply> {
    const scripted = queue.shift() ?? mind;
    if (!scripted) {
      record.note({ isUnexpected: true });
      const last = request.messages.at(-1);
      const said = last && (textOf(last.content) || JSON.stringify(last.content));
      return failure(
        `The script has no reply left for request ${journal.messages.length}, ` +
          `whose last message is ${last?.role}: ${said?.slice(0, 200)}`,
      );
    }
    try {
      return typeof scripted === 'function' ? await scripted(request) : scripted;
    } catch (error) {
      record.note({ isUnexpected: true });
      return failure(`The script failed on this request: ${String(error)}`);
    }
  }

  async function play(reply: Reply, { request, model }: Question, exchange: Exchange): Promise<void> {
    const { record, response } = exchange;
    switch (reply.kind) {
      case 'status':
        record.note({ status: reply.status });
        response.writeHead(reply.status, reply.headers).end(reply.body(record.entry.requestId));
        break;
      case 'bytes':
        await sendBytes(reply, { response, record });
        break;
      case 'hang-up':
        record.note({ state: 'dropped' });
        response.socket?.resetAndDestroy();
        break;
      case 'silence':
        break;
      case 'answer': {
        const id = `msg_${randomId()}`;
        const usage = cache.use(request, model);
        const diagnostics = diagnosis.compare(request, model);
        diagnosis.note(id, request, model);
        const steps = throughGateway(
          renderReply({ request, model, usage, parts: reply.parts, id, diagnostics }),
          reply.gateway ?? [],
        );
        const isStreamed = request.stream === true;
        ledger.note(model, await sendAnswer(steps, { response, record, isStreamed }));
        break;
      }
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    journal,
    get remaining() {
      return queue.length;
    },
    script(...replies) {
      queue.push(...replies);
    },
    mind(next) {
      mind = next;
    },
    lacks(...features) {
      missing = features;
    },
    modelList(list) {
      modelList = list;
    },
    nextRequest: () => journal.next(),
    waitFor: (fits) => journal.waitFor(fits),
    dropCache() {
      cache = createPromptCache(clock);
    },
    reset() {
      for (const response of open) response.destroy();
      queue = [];
      modelList = undefined;
      missing = [];
      journal.clear();
      cache = createPromptCache(clock);
      diagnosis = createCacheDiagnosis(clock);
      ledger = createThoughtLedger();
    },
    close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Says no more than once: an SDK that tries again would only hide the forgotten reply. */
function failure(message: string): Reply {
  return apiError(500, { message, headers: { 'x-should-retry': 'false' } });
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
