import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskedHeaders } from './access';
import type { JournalWriter, RequestRecord } from './journal';
import { errorBody, type ApiProblem } from './problem';

/** One request with its journal entry, and the ways to answer it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord;
  readonly url: URL;
  readonly body: unknown;
  readonly bodyError: string | undefined;
  readonly isTooLarge: boolean;
  refuse(problem: ApiProblem): void;
  answer(value: object): void;
}

const maxBodyBytes = 32 * 1024 * 1024;

/** Reads a request to its end and enters it in the journal, before anybody has judged it. */
export async function openExchange(
  incoming: IncomingMessage,
  response: ServerResponse,
  { journal, clock }: { readonly journal: JournalWriter; readonly clock: () => number },
): Promise<Exchange> {
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const { text, isTooLarge } = await readBody(incoming);
  const { value, error } = parseJson(text);
  const requestId = `req_${randomBytes(12).toString('hex')}`;
  const record = journal.add({
    requestId,
    method: incoming.method ?? '',
    path: url.pathname,
    headers: maskedHeaders(incoming),
    bodyText: text,
    body: value,
    arrivedAt: clock(),
  });
  response.setHeader('request-id', requestId);
  response.on('close', () => {
    if (record.entry.outcome.state !== 'open') return;
    record.note({ state: response.writableFinished ? 'answered' : 'aborted' });
  });
  const send = (status: number, json: string): void => {
    record.note({ status });
    response.writeHead(status, { 'content-type': 'application/json' }).end(json);
  };
  return {
    incoming,
    response,
    record,
    url,
    body: value,
    bodyError: error,
    isTooLarge,
    refuse(problem) {
      record.note({ problem });
      send(problem.status, errorBody(problem, requestId));
    },
    answer(json) {
      send(200, JSON.stringify(json));
    },
  };
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
