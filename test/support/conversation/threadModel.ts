/**
 * What the next request of a thread has to send, told in the plainest way: which turns there are, which thread each
 * belongs to, and what each thread shows. Turn ids are numbers that rise with time.
 */
export class ThreadModel {
  readonly #scope: 'workspace' | 'thread';
  readonly #maxTurns: number;
  /** By conversation: each remembered turn with the thread it is bound to. */
  readonly #turns = new Map<string, Map<number, string | undefined>>();
  readonly threads: ModelThread[] = [];
  readonly #cleared: { readonly conversation: string; readonly turns: readonly number[] }[] = [];

  constructor(scope: 'workspace' | 'thread', maxTurns: number) {
    this.#scope = scope;
    this.#maxTurns = maxTurns;
  }

  conversationOf({ name }: ModelThread): string {
    return this.#scope === 'thread' ? `thread-${name}` : 'workspace';
  }

  /** What is sent before the newest message. */
  ask(thread: ModelThread, isRetry: boolean): readonly number[] {
    const conversation = this.conversationOf(thread);
    const turns = this.#in(conversation);
    const shown = new Set(thread.shown.map(({ id }) => id));
    for (const [id, owner] of turns) if (owner === undefined && shown.has(id)) turns.set(id, thread.name);
    const own = [...turns].filter(([, owner]) => owner === thread.name).map(([id]) => id);
    const lastShown = Math.max(-1, ...own.filter((id) => shown.has(id)));
    for (const id of own.filter((one) => !shown.has(one))) {
      const isLost = !isRetry && id > lastShown && thread.maybeUnwritten.has(id);
      if (isLost) turns.set(id, undefined);
      else turns.delete(id);
    }
    thread.maybeUnwritten = new Set();
    this.#copyShown(thread, turns);
    this.#holdCap(turns);
    return [...turns.keys()].toSorted((a, b) => a - b);
  }

  answer(thread: ModelThread, id: number, ending: 'answered' | 'failed' | 'metadata-lost'): void {
    const conversation = this.conversationOf(thread);
    const turns = this.#in(conversation);
    if (ending !== 'failed') turns.set(id, thread.name);
    this.#holdCap(turns);
    thread.shown.push({ id, ...(ending !== 'metadata-lost' && { conversation }) });
  }

  /** These left the panel in a reload, or may have: the window cannot know. */
  reload(isYoung: (id: number) => boolean): void {
    for (const thread of this.threads) {
      const own = [...this.#in(this.conversationOf(thread)).keys()];
      thread.maybeUnwritten = new Set(own.filter(isYoung));
    }
  }

  clear(thread: ModelThread): void {
    const conversation = this.conversationOf(thread);
    this.#cleared.push({ conversation, turns: [...this.#in(conversation).keys()] });
    this.#turns.delete(conversation);
  }

  /** Brings back what was cleared last; it belongs to no thread. */
  resume(): { readonly conversation: string; readonly turns: readonly number[] } | undefined {
    const back = this.#cleared.pop();
    if (!back) return undefined;
    const turns = this.#in(back.conversation);
    for (const id of back.turns) turns.set(id, undefined);
    this.#holdCap(turns);
    return back;
  }

  /** A fork shows what another conversation remembers: it is copied at the first message there. */
  #copyShown(thread: ModelThread, turns: Map<number, string | undefined>): void {
    const conversation = this.conversationOf(thread);
    const since = thread.shown.slice(
      thread.shown.findLastIndex((one) => one.conversation === conversation) + 1,
    );
    const source = since.findLast((one) => one.conversation !== undefined)?.conversation;
    if (source === undefined) return;
    for (const { id } of since) if (this.#in(source).has(id)) turns.set(id, thread.name);
  }

  #holdCap(turns: Map<number, string | undefined>): void {
    for (const id of [...turns.keys()].toSorted((a, b) => b - a).slice(this.#maxTurns)) turns.delete(id);
  }

  #in(conversation: string): Map<number, string | undefined> {
    const known = this.#turns.get(conversation) ?? new Map<number, string | undefined>();
    this.#turns.set(conversation, known);
    return known;
  }
}

export interface ModelThread {
  readonly name: string;
  shown: { readonly id: number; readonly conversation?: string }[];
  /** Of before the last reload and so young that VS Code may not have written them down. */
  maybeUnwritten: ReadonlySet<number>;
}
