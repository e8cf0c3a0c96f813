import Anthropic from '@anthropic-ai/sdk';
import { createClaude } from '../../src/claude/client';
import { ranTurn, tool } from '../support/turns';

export interface StreamFigures {
  /** A turn of 50,000 text deltas against the SDK's bare event stream, until the last event. */
  readonly overSdk: number;
  /** The same turn against the SDK's `messages.stream()` with a listener for text. */
  readonly overSdkHelper: number;
  /** 50,000 deltas against 25,000: 2 when the time grows with the length. */
  readonly textGrowth: number;
  /** A tool input of 1 MB against one of 512 KB. */
  readonly inputGrowth: number;
  /** A tool input of 1 MB against the SDK's bare event stream. */
  readonly inputOverSdk: number;
}

/** What our loop and adapter add to the SDK. All sides read the same bytes from memory, in turns; the best run counts. */
export async function measureStream(runs = 7): Promise<StreamFigures> {
  const whole = textStream(50_000);
  const half = textStream(25_000);
  const input = toolStream(1024 * 1024);
  const halfInput = toolStream(512 * 1024);
  // The two that count most, more often: a busy machine rarely leaves one in peace.
  const last = await bestTimes(4 * runs, {
    sdk: () => readWithSdk(whole),
    ours: () => runOurTurn(whole),
  });
  const time = await bestTimes(runs, {
    helper: () => readWithHelper(whole),
    ours: () => runOurTurn(whole),
    oursHalf: () => runOurTurn(half),
    input: () => runOurTurn(input),
    inputHalf: () => runOurTurn(halfInput),
    inputSdk: () => readWithSdk(input),
  });
  return {
    overSdk: last('ours') / last('sdk'),
    overSdkHelper: time('ours') / time('helper'),
    textGrowth: time('ours') / time('oursHalf'),
    inputGrowth: time('input') / time('inputHalf'),
    inputOverSdk: time('input') / time('inputSdk'),
  };
}

type Bytes = readonly Uint8Array[];

async function bestTimes<Name extends string>(
  runs: number,
  sides: Readonly<Record<Name, () => Promise<void>>>,
): Promise<(name: Name) => number> {
  const best = new Map<string, number>();
  for (let run = 0; run < runs; run++) {
    for (const [name, side] of Object.entries<() => Promise<void>>(sides)) {
      // Nothing waits here, so that CPU time is all there is; time on the wall belongs to the machine's other users, too.
      const start = process.cpuUsage();
      await side();
      const { user, system } = process.cpuUsage(start);
      best.set(name, Math.min(best.get(name) ?? Infinity, user + system));
    }
  }
  return (name) => best.get(name) ?? Number.NaN;
}

async function readWithSdk(bytes: Bytes): Promise<void> {
  let last = '';
  for await (const event of await sdk(bytes).messages.create({ ...question, stream: true }))
    last = event.type;
  if (last !== 'message_stop') throw new Error(`ended with ${last}`);
}

async function readWithHelper(bytes: Bytes): Promise<void> {
  let length = 0;
  const stream = sdk(bytes).messages.stream(question);
  stream.on('text', (delta) => (length += delta.length));
  await stream.finalMessage();
  if (length === 0) throw new Error('no text');
}

async function runOurTurn(bytes: Bytes): Promise<void> {
  const model = createClaude({
    apiKey: () => Promise.resolve('key'),
    baseUrl: 'http://bench',
    fetch: serving(bytes),
  });
  const write = tool('write', () => ({ content: 'written' }));
  const { end } = await ranTurn({ model, modelId: 'claude-sonnet-5-5', tools: [write], maxRounds: 1 });
  if (end.end.reason !== 'answered' && end.end.reason !== 'round-limit') {
    throw new Error(`ended as ${end.end.reason}`);
  }
}

const question = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'hello' }],
} satisfies Anthropic.MessageCreateParamsNonStreaming;

function sdk(bytes: Bytes): Anthropic {
  return new Anthropic({ apiKey: 'key', baseURL: 'http://bench', maxRetries: 0, fetch: serving(bytes) });
}

function serving(bytes: Bytes): typeof fetch {
  return () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = bytes[next++];
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
}

function textStream(count: number): Bytes {
  const delta = sse('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word ' } });
  const block = { type: 'text', text: '', citations: null };
  return chunked(messageStart() + blockStart(block) + delta.repeat(count) + messageEnd('end_turn'));
}

function toolStream(size: number): Bytes {
  const piece = 'x'.repeat(24);
  const block = { type: 'tool_use', id: 't1', name: 'write', input: {}, caller: { type: 'direct' } };
  const input =
    inputDelta('{"text": "') + inputDelta(piece).repeat(Math.ceil(size / piece.length)) + inputDelta('"}');
  return chunked(messageStart() + blockStart(block) + input + messageEnd('tool_use'));
}

function inputDelta(json: string): string {
  return sse('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: json } });
}

function messageStart(): string {
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return sse('message_start', { message });
}

function blockStart(block: object): string {
  return sse('content_block_start', { index: 0, content_block: block });
}

function messageEnd(reason: string): string {
  return (
    sse('content_block_stop', { index: 0 }) +
    sse('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 9 } }) +
    sse('message_stop', {})
  );
}

function sse(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

/** In pieces as a socket delivers them. */
function chunked(text: string): Bytes {
  const bytes = new TextEncoder().encode(text);
  const size = 16 * 1024;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}
