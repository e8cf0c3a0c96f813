import { addUsage, isSpent, noUsage, type Usage } from '../messages';
import type { Model, ModelEvent, ModelRequest } from '../ports';

/** Requests of a turn that are not its own rounds: what scouts ask, and what goes to the web. */
export type SideWork = 'scouts' | 'web';

/** What one kind of side work took in a turn. */
export interface SideSpending {
  readonly kind: SideWork;
  readonly usage: Usage;
  readonly requests: number;
}

/**
 * Claude for one turn. Every request of the turn passes `#send`, whoever makes it: a limit on what a turn may cost has
 * its place there. What side work takes is counted here and not by those who do it, since Stop loses their results.
 */
export class TurnModel implements Model {
  readonly #model: Model;
  readonly #spent = new Map<SideWork, Omit<SideSpending, 'kind'>>();
  #open = 0;
  #onIdle: (() => void)[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  /** The same model, if it is one already. */
  static of(model: Model): TurnModel {
    return model instanceof TurnModel ? model : new TurnModel(model);
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#send(request, undefined, signal);
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

  async *#send(
    request: ModelRequest,
    kind: SideWork | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    if (kind === undefined) {
      yield* this.#model.stream(request, signal);
      return;
    }
    this.#open++;
    try {
      for await (const event of this.#model.stream(request, signal)) {
        if (event.type === 'answer') this.#count(kind, event.answer.usage);
        if (event.type === 'spent') this.#count(kind, event.usage);
        yield event;
      }
    } finally {
      this.#open--;
      if (this.#open === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  #count(kind: SideWork, usage: Usage): void {
    if (!isSpent(usage)) return;
    const before = this.#spent.get(kind) ?? { usage: noUsage, requests: 0 };
    this.#spent.set(kind, { usage: addUsage(before.usage, usage), requests: before.requests + 1 });
  }
}

export function sumOf(spending: readonly SideSpending[]): Usage {
  return spending.map(({ usage }) => usage).reduce(addUsage, noUsage);
}
