import { jsonBytes } from '../../json';
import type { Clock, IdSource, StateStore } from '../../ports';
import { decodeMemory, encodeMemory, type Damage } from '../savedForm';
import type { Conversation } from '../turn';
import { maxStateBytes } from './sizeBound';

const memoryKey = 'assistant.memory';
/** Where this version keeps its turns while `memoryKey` belongs to a newer one. */
const besideNewerKey = `${memoryKey}.v2`;
const asidePrefix = `${memoryKey}.quarantine.`;

/** Left to other keys of the extension. */
const reserveBytes = 8 * 1024;
/** What set-aside data never takes from the conversation, even if all together is then over the bound. */
const leastBytes = 64 * 1024;

/** Something the person should hear of once. */
export interface MemoryProblem {
  readonly kind: 'damaged' | 'newer-version' | 'store-failed' | 'journal-failed';
  /** A sentence for the person; holds no text of theirs. */
  readonly message: string;
  /** Where damaged data was set aside. */
  readonly key?: string;
  readonly cause?: unknown;
}

/** Damaged data as it was found, for an export. */
export interface SetAside {
  readonly key: string;
  readonly value: unknown;
}

/** The one door to the stored memory: which key holds it, and where that goes which cannot be read (M10). */
export class MemoryStore {
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  #key = memoryKey;
  #pending: readonly { readonly key: string; readonly value: unknown }[] = [];
  #isBesideObsolete = false;
  #room: number | undefined;

  constructor(options: { readonly store: StateStore; readonly clock: Clock; readonly ids: IdSource }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#ids = options.ids;
  }

  /** What is stored, and what there is to say about it. Nothing is written before the first `save`. */
  load(): { readonly conversations: readonly Conversation[]; readonly problems: readonly MemoryProblem[] } {
    const main = decodeMemory(this.#store.get(memoryKey));
    const beside = decodeMemory(this.#store.get(besideNewerKey));
    const besideConversations = beside.kind === 'loaded' ? beside.conversations : [];
    const besideDamage = beside.kind === 'loaded' ? beside.damaged : [];
    if (main.kind === 'newer') {
      this.#key = besideNewerKey;
      const problem: MemoryProblem = {
        kind: 'newer-version',
        message: `The conversation memory of this workspace was written by a newer version of Claude Assistant (format ${main.version}). It is left untouched; this version starts fresh beside it.`,
      };
      return { conversations: besideConversations, problems: [problem, ...this.#setAside(besideDamage)] };
    }
    this.#isBesideObsolete = this.#store.get(besideNewerKey) !== undefined;
    return {
      conversations: [...main.conversations, ...besideConversations],
      problems: this.#setAside([...main.damaged, ...besideDamage]),
    };
  }

  /** Keeps what cannot be read under a key of its own; `name` makes sure that the same is set aside only once. */
  setAside(damage: Damage, name: string = this.#ids()): MemoryProblem | undefined {
    const key = `${asidePrefix}${name}`;
    if (this.#store.keys().includes(key) || this.#pending.some((one) => one.key === key)) return undefined;
    this.#room = undefined;
    this.#pending = [...this.#pending, { key, value: { at: this.#clock(), ...damage } }];
    return {
      kind: 'damaged',
      message: `Part of the stored conversation memory could not be read (${damage.what}). It was set aside as ${key}, and the chat goes on without it.`,
      key,
    };
  }

  aside(): readonly SetAside[] {
    const stored = this.#store.keys().filter((key) => key.startsWith(asidePrefix));
    return [...stored.map((key) => ({ key, value: this.#store.get(key) })), ...this.#pending];
  }

  /** Deletes what was set aside. */
  async dropAside(): Promise<void> {
    this.#pending = [];
    for (const { key } of this.aside()) await this.#store.update(key, undefined);
    this.#room = undefined;
  }

  /** Bytes there are for conversations. */
  get room(): number {
    if (this.#room !== undefined) return this.#room;
    const aside = this.aside().reduce((bytes, { key, value }) => bytes + key.length + jsonBytes(value), 0);
    this.#room = Math.max(leastBytes, maxStateBytes - reserveBytes - aside);
    return this.#room;
  }

  /** What cannot be read is safe under its own key before anything is written where it stood. */
  async save(conversations: Iterable<Conversation>): Promise<void> {
    for (const { key, value } of this.#pending) {
      await this.#store.update(key, value);
      this.#pending = this.#pending.slice(1);
    }
    await this.#store.update(this.#key, encodeMemory(conversations));
    if (!this.#isBesideObsolete) return;
    await this.#store.update(besideNewerKey, undefined);
    this.#isBesideObsolete = false;
  }

  get hasUnsavedAside(): boolean {
    return this.#pending.length > 0;
  }

  /** However much of one stored value is damaged, it is one thing to tell. */
  #setAside(damaged: readonly Damage[]): readonly MemoryProblem[] {
    const [first, ...others] = damaged;
    if (!first) return [];
    const what = others.length > 0 ? `${first.what} and ${others.length} more` : first.what;
    return [this.setAside({ what, data: damaged })].filter((problem) => problem !== undefined);
  }
}
