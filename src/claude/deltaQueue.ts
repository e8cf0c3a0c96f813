import type { ModelEvent } from '../core/ports';

type Delta = Extract<ModelEvent, { readonly text: string }>;

/**
 * Between a stream of small deltas and those who read it. The first one passes at once. After that, all that arrives
 * together, usually in one packet, passes as one: each delta would else travel through every generator on its way to
 * the screen, which costs more than reading it from the network.
 */
export class DeltaQueue {
  readonly #events: Delta[] = [];
  #type: Delta['type'] = 'text-delta';
  #pieces: string[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  push({ type, text }: Delta): void {
    if (type !== this.#type) this.#close();
    this.#type = type;
    this.#pieces.push(text);
    this.#wake?.();
  }

  /** Nothing follows. With an error, reading ends by throwing it. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Delta, void> {
    let isFirst = true;
    for (;;) {
      if (this.#pieces.length === 0 && this.#events.length === 0 && !this.#end) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
      // A turn of the event loop later everything that came with this delta is here too.
      if (!isFirst && !this.#end) await new Promise((resolve) => setTimeout(resolve, 0));
      isFirst = false;
      this.#close();
      yield* this.#events.splice(0);
      if (this.#end && this.#pieces.length === 0 && this.#events.length === 0) break;
    }
    if ('error' in this.#end) throw this.#end.error;
  }

  #close(): void {
    if (this.#pieces.length > 0) this.#events.push({ type: this.#type, text: this.#pieces.join('') });
    this.#pieces = [];
  }
}
