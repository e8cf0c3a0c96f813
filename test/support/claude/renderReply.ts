import { randomBytes } from 'node:crypto';
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelFacts } from './models';
import type { InputUsage } from './promptCache';
import type { Block, ClaudeRequest } from './request';
import type { Part } from './script';
import { signThinking } from './thinkingSignature';
import { textTokens } from './tokens';

/** What an answer amounts to on the wire. */
export type Step =
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }
  | { readonly kind: 'raw'; readonly bytes: string | Uint8Array }
  | { readonly kind: 'pause'; readonly until: (signal: AbortSignal) => Promise<void> }
  | { readonly kind: 'break'; readonly how: 'drop' | 'end' | 'stall' }
  | { readonly kind: 'done'; readonly message: Anthropic.Message };

export interface Answering {
  readonly request: ClaudeRequest;
  readonly model: ModelFacts;
  readonly usage: InputUsage;
  readonly parts: readonly Part[];
}

/** Turns the parts of an answer into the events of its stream, one by one, and at last the whole message. */
export function* renderReply({ request, model, usage, parts }: Answering): Generator<Step> {
  const content: Block[] = [];
  const count = { output: 0, thinking: 0 };
  let stop: Extract<Part, { kind: 'stop' }> | undefined;
  const base = {
    id: `msg_${randomId()}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    container: null,
    diagnostics: null,
    stop_sequence: null,
  } as const;

  yield anEvent('message_start', {
    message: {
      ...base,
      content: [],
      stop_reason: null,
      stop_details: null,
      usage: usageOf(usage, { output: 1, thinking: 0 }),
    },
  });
  for (const part of parts) {
    const index = content.length;
    switch (part.kind) {
      case 'text': {
        yield blockStart(index, { type: 'text', text: '', citations: null });
        let whole = '';
        for (const piece of part.pieces) {
          if (typeof piece !== 'string') {
            yield atGate(piece);
            continue;
          }
          whole += piece;
          yield delta(index, { type: 'text_delta', text: piece });
        }
        count.output += textTokens(whole, model);
        content.push({ type: 'text', text: whole, citations: null });
        yield blockStop(index);
        break;
      }
      case 'deltas': {
        yield blockStart(index, { type: 'text', text: '', citations: null });
        const step = delta(index, { type: 'text_delta', text: part.piece });
        for (let sent = 0; sent < part.count; sent++) yield step;
        count.output += textTokens(part.piece, model) * part.count;
        content.push({ type: 'text', text: part.piece.repeat(part.count), citations: null });
        yield blockStop(index);
        break;
      }
      case 'thinking': {
        if (!isThinking(request, model)) break;
        const pieces = showsThinking(request, model) ? part.pieces : [];
        yield blockStart(index, { type: 'thinking', thinking: '', signature: '' });
        for (const piece of pieces) yield delta(index, { type: 'thinking_delta', thinking: piece });
        const signature = signThinking(pieces.join(''), request, model, content);
        yield delta(index, { type: 'signature_delta', signature });
        const tokens = textTokens(part.pieces.join(''), model);
        count.output += tokens;
        count.thinking += tokens;
        content.push({ type: 'thinking', thinking: pieces.join(''), signature });
        yield blockStop(index);
        break;
      }
      case 'tool-use': {
        const id = part.id ?? `toolu_${randomId()}`;
        const start = {
          type: 'tool_use',
          id,
          name: part.name,
          input: {},
          caller: { type: 'direct' },
        } as const;
        yield blockStart(index, start);
        for (const piece of ['', ...slices(part.json, 24)]) {
          yield delta(index, { type: 'input_json_delta', partial_json: piece });
        }
        count.output += textTokens(part.json, model);
        const input: unknown = part.isCut ? {} : JSON.parse(part.json);
        content.push({ ...start, input });
        if (!part.isCut) yield blockStop(index);
        break;
      }
      case 'foreign-block':
        yield blockStart(index, part.block);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- unknown to the types by design.
        content.push(part.block as unknown as Block);
        yield blockStop(index);
        break;
      case 'event':
        yield { kind: 'event', name: part.name, data: part.data };
        if (part.name === 'error') yield { kind: 'break', how: 'end' };
        break;
      case 'gate':
        yield atGate(part);
        break;
      case 'wait':
        yield { kind: 'pause', until: (signal) => sleep(part.ms, signal) };
        break;
      case 'stop':
        stop = part;
        break;
      case 'raw':
      case 'break':
        yield part;
        break;
    }
  }
  const usesTools = content.some(({ type }) => type === 'tool_use');
  const end = {
    container: null,
    stop_reason: stop ? stop.reason : usesTools ? 'tool_use' : 'end_turn',
    stop_details: stop?.details ?? null,
    stop_sequence: null,
  };
  const total = usageOf(usage, count);
  const { cache_creation: _, service_tier: __, inference_geo: ___, speed: ____, ...cumulative } = total;
  yield anEvent('message_delta', { delta: end, usage: cumulative });
  yield anEvent('message_stop', {});
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scripts may hold what the types do not know.
  yield { kind: 'done', message: { ...base, ...end, content, usage: total } as unknown as Anthropic.Message };
}

/** Usage as the API reports it. */
export function usageOf(
  input: InputUsage,
  count: { readonly output: number; readonly thinking: number },
): Anthropic.Usage {
  return {
    input_tokens: input.input,
    cache_creation_input_tokens: input.cacheWrite5m + input.cacheWrite1h,
    cache_read_input_tokens: input.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: input.cacheWrite5m,
      ephemeral_1h_input_tokens: input.cacheWrite1h,
    },
    output_tokens: count.output,
    output_tokens_details: { thinking_tokens: count.thinking },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: 'global',
    speed: 'standard',
  };
}

function isThinking({ thinking }: ClaudeRequest, model: ModelFacts): boolean {
  return thinking ? thinking.type !== 'disabled' : model.thinksByDefault;
}

function showsThinking({ thinking }: ClaudeRequest, model: ModelFacts): boolean {
  if (thinking?.type === 'between_tools') return true;
  const display = thinking && 'display' in thinking ? thinking.display : undefined;
  return display ? display === 'summarized' : !model.omitsThinkingByDefault;
}

function anEvent(type: string, rest: object): Step {
  return { kind: 'event', name: type, data: { type, ...rest } };
}

function blockStart(index: number, block: object): Step {
  return anEvent('content_block_start', { index, content_block: block });
}

function blockStop(index: number): Step {
  return anEvent('content_block_stop', { index });
}

function delta(index: number, change: object): Step {
  return anEvent('content_block_delta', { index, delta: change });
}

function atGate(gate: Extract<Part, { kind: 'gate' }>): Step {
  return {
    kind: 'pause',
    until: () => {
      gate.arrive();
      return gate.opened;
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function slices(whole: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.slice(at * size, (at + 1) * size),
  );
}

function randomId(): string {
  return `01${randomBytes(11).toString('hex')}`;
}
