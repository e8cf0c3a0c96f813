import { addUsage, isSpent, noUsage, type Usage } from '../messages';
import type { Model, ModelEvent, ModelRequest } from '../ports';
import { jsonBytes } from '../text/json';

/** Requests of a turn that are not its own rounds: what scouts ask, and what goes to the web. */
export type SideWork = 'scouts' | 'web';

/** Whom a request is for: the turn itself, or a summary that has to be made first. */
type RequestKind = SideWork | 'answer' | 'summary';

/** A request that may be sent, perhaps with less room for the answer. */
export interface Admission {
  readonly request: ModelRequest;
  /** To be called once, with what the request took and how much came of it, in bytes; undefined for nothing. */
  settle(usage: Usage, arrived?: number): Promise<void>;
}

/** Every request of a turn passes it, whoever makes it. Throws for one that must not be sent (L14). */
export interface Gate {
  admit(request: ModelRequest, kind: RequestKind): Promise<Admission>;
}

/** What one kind of side work took in a turn. */
export interface SideSpending {
  readonly kind: SideWork;
  readonly usage: Usage;
  readonly requests: number;
}

/**
 * Claude for one turn. Every request of the turn passes `#send` and the gate there, whoever makes it. What side work
 * takes is counted here and not by those who do it, since Stop loses their results.
 */
export class TurnModel implements Model {
  readonly #model: Model;
  readonly #spent = new Map<SideWork, Omit<SideSpending, 'kind'>>();
  #open = 0;
  #gate: Gate | undefined;
  #onIdle: (() => void)[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  /** The same model, if it is one already. */
  static of(model: Model): TurnModel {
    return model instanceof TurnModel ? model : new TurnModel(model);
  }

  /** From here on all requests pass this gate. */
  guard(gate: Gate | undefined): void {
    this.#gate = gate;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#send(request, 'answer', signal);
  }

  /** For a summary that is made before Claude is asked. */
  forSummary(): Model {
    return { stream: (request, signal) => this.#send(request, 'summary', signal) };
  }

  /** For one kind of side work. */
  aside(kind: SideWork): Model {
    return { stream: (request, signal) => this.#send(request, kind, signal) };
  }

  get sideSpending(): readonly SideSpending[] {
    const kinds: readonly SideWork[] = ['scouts', 'web'];
    return kinds.flatMap((kind) => {
      const spent = this.#spent.get(kind);
      return spent ? [{ kind, ...spent }] : [];
    });
  }

  /** When no side work is under way: what was stopped a moment ago still says what it took. */
  idle(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  async *#send(request: ModelRequest, kind: RequestKind, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const isAside = kind === 'scouts' || kind === 'web';
    if (isAside) this.#open++;
    try {
      const admission = await this.#gate?.admit(request, kind);
      const unread = new AbortController();
      const sent = this.#model.stream(
        admission?.request ?? request,
        AbortSignal.any([signal, unread.signal]),
      );
      const events = sent[Symbol.asyncIterator]();
      let usage = noUsage;
      let arrived: number | undefined;
      const next = async (): Promise<ModelEvent | undefined> => {
        const { done, value: event } = await events.next();
        if (done) return undefined;
        if (event.type === 'answer') [usage, arrived] = [event.answer.usage, jsonBytes(event.answer.content)];
        if (event.type === 'spent') [usage, arrived] = [event.usage, 0];
        if (isAside && (event.type === 'answer' || event.type === 'spent')) this.#count(kind, usage);
        return event;
      };
      try {
        for (let event = await next(); event; event = await next()) yield event;
      } finally {
        // Whoever reads no further has to pay for what there is: it is said at the end.
        unread.abort();
        await readOn(next);
        await admission?.settle(usage, arrived);
      }
    } finally {
      if (isAside) this.#open--;
      if (this.#open === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  #count(kind: SideWork, usage: Usage): void {
    if (!isSpent(usage)) return;
    const before = this.#spent.get(kind) ?? { usage: noUsage, requests: 0 };
    this.#spent.set(kind, { usage: addUsage(before.usage, usage), requests: before.requests + 1 });
  }
}

/** To the end, whichever it is: who has read up to there knows it already. */
async function readOn(next: () => Promise<unknown>): Promise<void> {
  try {
    while (await next());
  } catch {
    // It was stopped.
  }
}

export function sumOf(spending: readonly SideSpending[]): Usage {
  return spending.map(({ usage }) => usage).reduce(addUsage, noUsage);
}
