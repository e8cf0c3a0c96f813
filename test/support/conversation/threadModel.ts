/**
 * What the next request of a thread has to send, told in the plainest way: which turns there are, which thread each
 * belongs to, which of them only a summary tells of, and what each thread shows. Turn ids are numbers that rise with
 * time. Without a cap nothing leaves.
 */
export class ThreadModel {
  readonly #scope: 'workspace' | 'thread';
  readonly #maxTurns: number;
  /** By conversation: each remembered turn with the thread it is bound to. */
  readonly #turns = new Map<string, Map<number, string | undefined>>();
  /** By conversation: those of them that are in its summary, which the cap does not count. */
  readonly #folded = new Map<string, Set<number>>();
  readonly threads: ModelThread[] = [];
  readonly #cleared: Cleared[] = [];

  /** Whether the window knows which turn it shows also where the answer's metadata was lost. */
  readonly #hasRequestIds: boolean;

  constructor(scope: 'workspace' | 'thread', hasRequestIds: boolean, maxTurns: number) {
    this.#scope = scope;
    this.#hasRequestIds = hasRequestIds;
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
    for (const { id, conversation: carried } of thread.shown) {
      const isNamed = this.#hasRequestIds || carried !== undefined;
      if (isNamed && turns.has(id) && turns.get(id) === undefined) turns.set(id, thread.name);
    }
    const own = [...turns].filter(([, owner]) => owner === thread.name).map(([id]) => id);
    const lastShown = Math.max(-1, ...own.filter((id) => shown.has(id)));
    for (const id of own.filter((one) => !shown.has(one))) {
      const isLost = !isRetry && id > lastShown && thread.maybeUnwritten.has(id);
      if (isLost) {
        turns.set(id, undefined);
        continue;
      }
      turns.delete(id);
      if (this.#foldedIn(conversation).has(id)) this.#folded.delete(conversation);
    }
    this.#holdCap(conversation);
    thread.maybeUnwritten = new Set();
    this.#copyShown(thread, turns);
    this.#holdCap(conversation);
    return [...turns.keys()].toSorted((a, b) => a - b);
  }

  /** Puts all but the newest turn into the summary. */
  compact(thread: ModelThread, id: number): void {
    this.ask(thread, false);
    const conversation = this.conversationOf(thread);
    const folded = this.#foldedIn(conversation);
    const plain = [...this.#in(conversation).keys()]
      .filter((one) => !folded.has(one))
      .toSorted((a, b) => a - b);
    for (const one of plain.slice(0, -1)) folded.add(one);
    thread.shown.push({ id, conversation });
  }

  answer(thread: ModelThread, id: number, ending: 'answered' | 'failed' | 'metadata-lost'): void {
    const conversation = this.conversationOf(thread);
    const turns = this.#in(conversation);
    if (ending !== 'failed') turns.set(id, thread.name);
    this.#holdCap(conversation);
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
    const turns = [...this.#in(conversation).keys()];
    this.#cleared.push({ conversation, turns, folded: [...this.#foldedIn(conversation)] });
    this.#turns.delete(conversation);
    this.#folded.delete(conversation);
  }

  /** Brings back what was cleared last; it belongs to no thread. */
  resume(): void {
    const back = this.#cleared.pop();
    if (!back) return;
    const turns = this.#in(back.conversation);
    for (const id of back.turns) turns.set(id, undefined);
    for (const id of back.folded) this.#foldedIn(back.conversation).add(id);
    this.#holdCap(back.conversation);
  }

  /** A fork shows what another conversation remembers: it is copied at the first message there. */
  #copyShown(thread: ModelThread, turns: Map<number, string | undefined>): void {
    const conversation = this.conversationOf(thread);
    const since = thread.shown.slice(
      thread.shown.findLastIndex((one) => one.conversation === conversation) + 1,
    );
    const source = since.findLast((one) => one.conversation !== undefined)?.conversation;
    if (source === undefined) return;
    const copied = since.map(({ id }) => id).filter((id) => this.#in(source).has(id));
    for (const id of copied) turns.set(id, thread.name);
    const folded = [...this.#foldedIn(source)];
    if (!folded.every((id) => copied.includes(id))) return;
    for (const id of folded) this.#foldedIn(conversation).add(id);
  }

  #holdCap(conversation: string): void {
    const turns = this.#in(conversation);
    const folded = this.#foldedIn(conversation);
    const plain = [...turns.keys()].filter((id) => !folded.has(id));
    for (const id of plain.toSorted((a, b) => b - a).slice(this.#maxTurns)) turns.delete(id);
  }

  #foldedIn(conversation: string): Set<number> {
    const known = this.#folded.get(conversation) ?? new Set<number>();
    this.#folded.set(conversation, known);
    return known;
  }

  #in(conversation: string): Map<number, string | undefined> {
    const known = this.#turns.get(conversation) ?? new Map<number, string | undefined>();
    this.#turns.set(conversation, known);
    return known;
  }
}

interface Cleared {
  readonly conversation: string;
  readonly turns: readonly number[];
  readonly folded: readonly number[];
}

export interface ModelThread {
  readonly name: string;
  shown: { readonly id: number; readonly conversation?: string }[];
  /** Of before the last reload and so young that VS Code may not have written them down. */
  maybeUnwritten: ReadonlySet<number>;
}
