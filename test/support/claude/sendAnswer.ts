import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { RequestRecord } from './journal';
import type { Block } from './request';
import type { Reply } from './script';
import { wireForm, type Step } from './wire';

/** Plays an answer to the client, as a stream or in one piece, and returns what was said in full. */
export async function sendAnswer(
  steps: Iterable<Step>,
  {
    response,
    record,
    isStreamed,
  }: { readonly response: ServerResponse; readonly record: RequestRecord; readonly isStreamed: boolean },
): Promise<readonly Block[]> {
  const gone = new AbortController();
  const left = once(gone.signal, 'abort');
  response.on('close', () => {
    gone.abort();
  });
  if (isStreamed) startStream(response, record);
  for (const step of steps) {
    if (gone.signal.aborted) return [];
    switch (step.kind) {
      case 'event':
        if (isStreamed) await write(response, wireForm(step), left);
        break;
      case 'raw':
        if (isStreamed) await write(response, step.bytes, left);
        break;
      case 'pause':
        await Promise.race([step.until(gone.signal), left]);
        break;
      case 'break':
        if (step.how === 'stall') return [];
        record.note({ state: 'dropped' });
        if (step.how === 'drop') await reset(response);
        else response.end();
        return [];
      case 'done':
        record.note({ status: 200, usage: step.message.usage });
        if (!isStreamed) {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write(JSON.stringify(step.message));
        }
        response.end();
        return step.message.content;
    }
  }
  return [];
}

/** Plays bytes to the client as they are, each piece as a write of its own. */
export async function sendBytes(
  { chunks, end }: Extract<Reply, { kind: 'bytes' }>,
  { response, record }: { readonly response: ServerResponse; readonly record: RequestRecord },
): Promise<void> {
  const left = once(response, 'close');
  startStream(response, record);
  for (const chunk of chunks) {
    if (response.destroyed) return;
    await write(response, chunk, left);
    // A turn of the loop in between, or the pieces would leave as one.
    await new Promise(setImmediate);
  }
  if (end === 'drop') await reset(response);
  if (end === 'end') response.end();
}

function startStream(response: ServerResponse, record: RequestRecord): void {
  record.note({ status: 200 });
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
}

async function write(
  response: ServerResponse,
  bytes: string | Uint8Array,
  left: Promise<unknown>,
): Promise<void> {
  if (!response.write(bytes)) await Promise.race([once(response, 'drain'), left]);
}

/** Lets what was written reach the client before the connection is reset. */
async function reset(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    response.write('', () => resolve());
    if (response.destroyed) resolve();
  });
  response.socket?.resetAndDestroy();
}
