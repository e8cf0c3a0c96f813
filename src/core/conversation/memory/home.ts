import * as l10n from '@vscode/l10n';
import type { Clock, IdSource, StateStore } from '../../ports';
import { jsonBytes } from '../../text/json';
import { mergeConversations } from '../changes';
import { maxStateBytes } from '../fitSize';
import { decodeMemory, encodeMemory, type Damage, type Unwritten } from '../savedForm';
import type { Conversation } from '../turn';
import type { MemoryProblem } from './problems';

const memoryKey = 'assistant.memory';
/** Where this version keeps its conversations while `memoryKey` belongs to a newer one. */
const besidesNewerKey = `${memoryKey}.v3`;
/** The same of the version before this one. */
const olderKey = `${memoryKey}.v2`;
const asidePrefix = `${memoryKey}.quarantine.`;

/** Left to other keys of the extension. */
const reserveBytes = 8 * 1024;
/** What set-aside data never takes from the conversations, even if all together is then over the bound. */
const leastBytes = 64 * 1024;

/** Damaged data as it was found, for an export. */
export interface SetAside {
  readonly key: string;
  readonly value: unknown;
}

export interface LoadedHome {
  /** The number of the change that it was saved after. */
  readonly sequence: number;
  readonly unwritten?: Unwritten | undefined;
  readonly conversations: readonly Conversation[];
  readonly problems: readonly MemoryProblem[];
  /** What an older version stored here, as it is. */
  readonly older: OlderHome | undefined;
}

export interface OlderHome {
  readonly main: unknown;
  readonly besides: unknown;
}

/** The conversations in VS Code's workspace state: their home, which follows the database (M8, M10). */
export class Home {
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  #key = memoryKey;
  #pending: readonly SetAside[] = [];
  #obsolete: readonly string[] = [];
  #room: number | undefined;
  #latest: (() => Promise<void>) | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: { readonly store: StateStore; readonly clock: Clock; readonly ids: IdSource }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#ids = options.ids;
  }

  /** Nothing is written before the first `save`. */
  load(): LoadedHome {
    const raw = this.#store.get(memoryKey);
    const [main, besides] = [decodeMemory(raw), decodeMemory(this.#store.get(besidesNewerKey))];
    if (main.kind === 'older') {
      const older = { main: raw, besides: this.#store.get(olderKey) };
      this.#obsolete = [olderKey];
      return { sequence: 0, conversations: [], problems: [], older };
    }
    const own = besides.kind === 'loaded' ? besides : nothingLoaded;
    if (main.kind === 'newer') {
      this.#key = besidesNewerKey;
      const message = l10n.t(
        'The conversation memory of this workspace was written by a newer version of Claude Assistant (format {0}). It is left untouched; this version starts fresh beside it.',
        main.version,
      );
      const problems = [{ kind: 'newer-version', message } as const, ...this.setAsideAll(own.damaged)];
      return { ...own, problems, older: undefined };
    }
    if (this.#store.get(besidesNewerKey) !== undefined) this.#obsolete = [besidesNewerKey];
    return {
      sequence: Math.max(main.sequence, own.sequence),
      unwritten: main.unwritten,
      conversations: merged(main.conversations, own.conversations),
      problems: this.setAsideAll([...main.damaged, ...own.damaged]),
      older: undefined,
    };
  }

  /** Keeps what cannot be read under a key of its own. */
  #setAside(damage: Damage): MemoryProblem {
    const key = `${asidePrefix}${this.#ids()}`;
    this.#room = undefined;
    this.#pending = [...this.#pending, { key, value: { at: this.#clock(), ...damage } }];
    const message = l10n.t(
      'Part of the stored conversation memory could not be read ({0}). It was set aside as {1}, and the chat goes on without it.',
      damage.what,
      key,
    );
    return { kind: 'damaged', message, key };
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

  get hasUnsavedAside(): boolean {
    return this.#pending.length > 0;
  }

  /** Writes them in the background. While one write is under way, only the latest of those that follow counts. */
  async save(conversations: Iterable<Conversation>, sequence: number, unwritten?: Unwritten): Promise<void> {
    this.#latest = () => this.#write(encodeMemory(conversations, sequence, unwritten));
    this.#writing ??= this.#writeLatest();
    return this.#writing;
  }

  async #writeLatest(): Promise<void> {
    try {
      while (this.#latest) {
        const write = this.#latest;
        this.#latest = undefined;
        await write();
      }
    } finally {
      // At once: whoever came between the last write and this would wait for a write that nobody does.
      this.#writing = undefined;
    }
  }

  /** What cannot be read is safe under its own key before anything is written where it stood. */
  async #write(memory: unknown): Promise<void> {
    for (const { key, value } of this.#pending) {
      await this.#store.update(key, value);
      this.#pending = this.#pending.slice(1);
    }
    await this.#store.update(this.#key, memory);
    for (const key of this.#obsolete) await this.#store.update(key, undefined);
    this.#obsolete = [];
  }

  /** However much is damaged, it is one thing to tell. */
  setAsideAll(damaged: readonly Damage[]): readonly MemoryProblem[] {
    const [first, ...others] = damaged;
    if (!first) return [];
    const what = others.length > 0 ? l10n.t('{0} and {1} more', first.what, others.length) : first.what;
    return [this.#setAside({ what, data: damaged })];
  }
}

/** What was said beside a newer version came later. */
function merged(before: readonly Conversation[], since: readonly Conversation[]): readonly Conversation[] {
  const all = new Map(before.map((one) => [one.id, one]));
  for (const one of since) {
    const known = all.get(one.id);
    all.set(one.id, known ? mergeConversations(one, known) : one);
  }
  return [...all.values()];
}

const nothingLoaded = { sequence: 0, conversations: [], damaged: [] };
