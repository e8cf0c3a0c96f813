import type Anthropic from '@anthropic-ai/sdk';

/** What an answer amounts to on the wire, step by step. */
export type Step =
  | WireEvent
  | { readonly kind: 'raw'; readonly bytes: string | Uint8Array }
  | { readonly kind: 'pause'; readonly until: (signal: AbortSignal) => Promise<void> }
  | { readonly kind: 'break'; readonly how: 'drop' | 'end' | 'stall' }
  | { readonly kind: 'done'; readonly message: Anthropic.Message };

export interface WireEvent {
  readonly kind: 'event';
  readonly name: string;
  readonly data: unknown;
}

/** An event as it is written. */
export function wireForm({ name, data }: WireEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** An event of the API: its name and its type are the same. */
export function apiEvent(type: string, rest: object): WireEvent {
  return { kind: 'event', name: type, data: { type, ...rest } };
}

export function blockStart(index: number, block: object): WireEvent {
  return apiEvent('content_block_start', { index, content_block: block });
}

export function blockDelta(index: number, delta: object): WireEvent {
  return apiEvent('content_block_delta', { index, delta });
}

export function blockStop(index: number): WireEvent {
  return apiEvent('content_block_stop', { index });
}
