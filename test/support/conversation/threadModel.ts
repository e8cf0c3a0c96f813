import type { Asking } from './shownThread';

/**
 * What the next request of a thread has to send, told in the plainest way: which turns there are, which thread each
 * belongs to, which of them only a summary tells of, and what each thread shows. Turn ids are numbers that rise with
 * time. Without a cap nothing leaves.
 */
export class ThreadModel {
  readonly #scope: 'workspace' | 'thread';
  readonly #maxTurns: number;
  /** By conversation. */
  readonly #turns = new Map<string, Map<number, ModelTurn>>();
  /** By conversation: those of them that are in its summary, which the cap does not count. */
  readonly #folded = new Map<string, Set<number>>();
  readonly threads: ModelThread[] = [];
  readonly #cleared: Cleared[] = [];

  constructor(scope: 'workspace' | 'thread', maxTurns: number) {
    this.#scope = scope;
    this.#maxTurns = maxTurns;
  }

  conversationOf({ name }: ModelThread): string {
    return this.#scope === 'thread' ? `thread-${name}` : 'workspace';
  }

  /** What is sent before the newest message, which has these words; without any it is no part of the conversation. */
  ask(thread: ModelThread, words: string | undefined): readonly number[] {
    const conversation = this.conversationOf(thread);
    const turns = this.#in(conversation);
    const shown = new Set(thread.shown.map(({ id }) => id));
    for (const { id, conversation: carried } of thread.shown) {
      const turn = turns.get(id);
      if (carried !== undefined && turn && turn.owner === undefined)
        turns.set(id, { ...turn, owner: thread.name });
    }
    const own = [...turns].filter(([, { owner }]) => owner === thread.name).map(([id]) => id);
    const lastShown = Math.max(-1, ...own.filter((id) => shown.has(id)));
    const firstMissing = turns.get(Math.min(...own.filter((id) => id > lastShown)));
    const isRepeated = firstMissing?.words === words && firstMissing?.position === thread.shown.length;
    for (const id of own.filter((one) => !shown.has(one))) {
      const isLost = !isRepeated && id > lastShown && thread.maybeUnwritten.has(id);
      const turn = turns.get(id);
      if (isLost && turn) {
        turns.set(id, { ...turn, owner: undefined });
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
    this.ask(thread, undefined);
    const conversation = this.conversationOf(thread);
    const folded = this.#foldedIn(conversation);
    const plain = [...this.#in(conversation).keys()]
      .filter((one) => !folded.has(one))
      .toSorted((a, b) => a - b);
    for (const one of plain.slice(0, -1)) folded.add(one);
    thread.shown.push({ id, words: '', conversation });
  }

  answer(thread: ModelThread, id: number, words: string, ending: Asking['ending']): void {
    const conversation = this.conversationOf(thread);
    const turns = this.#in(conversation);
    const isSaved = ending === 'answered' || ending === 'metadata-lost';
    const isNamed = ending === 'answered' || ending === 'failed';
    if (isSaved) turns.set(id, { owner: thread.name, words, position: thread.shown.length });
    this.#holdCap(conversation);
    thread.shown.push({ id, words, ...(isNamed && { conversation }) });
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
    const turns = new Map(this.#in(conversation));
    this.#cleared.push({ conversation, turns, folded: [...this.#foldedIn(conversation)] });
    this.#turns.delete(conversation);
    this.#folded.delete(conversation);
  }

  /** Brings back what was cleared last; it belongs to no thread. */
  resume(): void {
    const back = this.#cleared.pop();
    if (!back) return;
    const turns = this.#in(back.conversation);
    for (const [id, turn] of back.turns) turns.set(id, { ...turn, owner: undefined });
    for (const id of back.folded) this.#foldedIn(back.conversation).add(id);
    this.#holdCap(back.conversation);
  }

  /** A fork shows what another conversation remembers: it is copied at the first message there. */
  #copyShown(thread: ModelThread, turns: Map<number, ModelTurn>): void {
    const conversation = this.conversationOf(thread);
    const since = thread.shown.slice(
      thread.shown.findLastIndex((one) => one.conversation === conversation) + 1,
    );
    const source = since.findLast((one) => one.conversation !== undefined)?.conversation;
    if (source === undefined) return;
    // What an answer without a name was cannot be told from outside of its thread.
    const copied = since.flatMap(({ id, conversation: carried }) => {
      const turn = carried === undefined ? undefined : this.#in(source).get(id);
      return turn ? [[id, turn] as const] : [];
    });
    for (const [id, turn] of copied) turns.set(id, { ...turn, owner: thread.name });
    const ids = new Set(copied.map(([id]) => id));
    const folded = [...this.#foldedIn(source)];
    if (!folded.every((id) => ids.has(id))) return;
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

  #in(conversation: string): Map<number, ModelTurn> {
    const known = this.#turns.get(conversation) ?? new Map<number, ModelTurn>();
    this.#turns.set(conversation, known);
    return known;
  }
}

interface Cleared {
  readonly conversation: string;
  readonly turns: ReadonlyMap<number, ModelTurn>;
  readonly folded: readonly number[];
}

interface ModelTurn {
  /** The thread it is bound to. */
  readonly owner: string | undefined;
  readonly words: string;
  /** How many exchanges its thread showed before it. */
  readonly position: number;
}

export interface ModelThread {
  readonly name: string;
  shown: ModelAnswer[];
  /** Of before the last reload and so young that VS Code may not have written them down. */
  maybeUnwritten: ReadonlySet<number>;
}

/** An exchange as a thread shows it, with what its answer carried unless VS Code lost that. */
interface ModelAnswer {
  readonly id: number;
  readonly words: string;
  readonly conversation?: string;
}
