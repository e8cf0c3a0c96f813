import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { detached } from '../../../../../src/core/conversation/changes';
import type { Conversation } from '../../../../../src/core/conversation/turn';
import { ChatWindow, ShownThread, type Asking } from '../../../../support/conversation/shownThread';
import { TestWorkspace } from '../../../../support/conversation/testWorkspace';
import { ThreadModel, type ModelThread } from '../../../../support/conversation/threadModel';

const maxTurns = 6;
const youngMs = 60_000;

type Action =
  | ({ readonly kind: 'ask'; readonly thread: number } & Required<Asking>)
  | { readonly kind: 'retry' | 'new-chat' | 'clear' | 'compact'; readonly thread: number }
  | { readonly kind: 'edit'; readonly thread: number; readonly at: number; readonly words: string }
  | { readonly kind: 'undo' | 'delete' | 'fork'; readonly thread: number; readonly at: number }
  | { readonly kind: 'reload'; readonly lost: number; readonly isQuick: boolean }
  | { readonly kind: 'resume' };

const thread = fc.nat(2);
/** Few, so that the same is asked again and again. */
const words = fc.constantFrom('Which one?', 'And now?');
const at = fc.nat(5);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      thread,
      words,
      ending: fc.constantFrom('answered', 'answered', 'answered', 'failed', 'metadata-lost', 'nothing-known'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('retry', 'new-chat', 'clear', 'compact'), thread }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('edit'), thread, at, words }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('undo', 'delete', 'fork'), thread, at }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reload' as const), lost: fc.nat(2), isQuick: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
);

/** Plays actions in a window and in the model side by side; every request must send what the model says. */
class Play {
  readonly #workspace = new TestWorkspace();
  readonly #model: ThreadModel;
  readonly #scope: 'workspace' | 'thread';
  readonly #panels = new Map<ModelThread, ShownThread>();
  readonly #endedAt = new Map<number, number>();
  readonly #cleared: (Conversation | undefined)[] = [];
  readonly #hasDatabase: boolean;
  #chat: ChatWindow | undefined;
  #made = 0;

  constructor(scope: 'workspace' | 'thread', whenFull: 'drop' | 'summarize', hasDatabase: boolean) {
    this.#hasDatabase = hasDatabase;
    this.#scope = scope;
    this.#model = new ThreadModel(scope, whenFull === 'drop' ? maxTurns : Infinity);
    this.#workspace.limits = { ...this.#workspace.limits, maxTurns, timeoutSeconds: 0, whenFull };
  }

  async run(actions: readonly Action[]): Promise<void> {
    this.#chat = await this.#open();
    for (const one of actions) await this.#do(one);
    for (const one of this.#model.threads) await this.#ask(one, { words: 'That is all.' });
  }

  async #do(one: Action): Promise<void> {
    switch (one.kind) {
      case 'reload':
        return this.#reload(one);
      case 'resume':
        return this.#resume();
      case 'new-chat':
        this.#addThread();
        return;
      default:
    }
    const picked = this.#pick(one.thread);
    switch (one.kind) {
      case 'ask':
        return this.#ask(picked, one);
      case 'retry': {
        const last = picked.shown.at(-1);
        // A slash command is tried again as one.
        if (!last || last.words === '') return;
        this.#remove(picked, picked.shown.length - 1, Infinity);
        return this.#ask(picked, { words: last.words });
      }
      case 'edit':
        this.#remove(picked, one.at, Infinity);
        return this.#ask(picked, { words: one.words });
      case 'undo':
        return this.#remove(picked, one.at, Infinity);
      case 'delete':
        // No command does so yet. Of what moves up by it, answers that lost what they carried could not be known again.
        if (picked.shown.slice(one.at).every(({ conversation }) => conversation !== undefined))
          this.#remove(picked, one.at, 1);
        return;
      case 'fork':
        return this.#fork(picked, one.at);
      case 'clear':
        this.#cleared.push(
          (await this.#window.memory.forConversation(this.#model.conversationOf(picked)).clear())
            ?.conversation,
        );
        return this.#model.clear(picked);
      case 'compact':
        return this.#compact(picked);
    }
  }

  async #ask(asked: ModelThread, how: Asking & { readonly words: string }): Promise<void> {
    const id = this.#endedAt.size + 1;
    const expected = this.#model.ask(asked, how.words);
    const { sent } = await this.#chat!.ask(this.#panels.get(asked)!, String(id), how);
    assert.deepEqual(
      sent.map(Number).toSorted((a, b) => a - b),
      expected,
    );
    this.#endedAt.set(id, this.#workspace.now);
    this.#model.answer(asked, id, how.words, how.ending ?? 'answered');
  }

  async #compact(asked: ModelThread): Promise<void> {
    const id = this.#endedAt.size + 1;
    await this.#chat!.compact(this.#panels.get(asked)!);
    this.#endedAt.set(id, this.#workspace.now);
    this.#model.compact(asked, id);
  }

  #remove(picked: ModelThread, from: number, count: number): void {
    picked.shown.splice(from, count);
    this.#panels.get(picked)!.shown.splice(from, count);
  }

  #fork(picked: ModelThread, upTo: number): void {
    const fork = this.#addThread();
    fork.shown = picked.shown.slice(0, upTo);
    this.#panels.get(fork)!.shown = this.#panels.get(picked)!.shown.slice(0, upTo);
  }

  /** What the panel showed for less than a minute may be gone with the window, whole exchanges from the end. */
  async #reload({ lost, isQuick }: Extract<Action, { kind: 'reload' }>): Promise<void> {
    if (!isQuick) this.#workspace.now += 2 * youngMs;
    const isYoung = (id: number) => this.#workspace.now - this.#endedAt.get(id)! < youngMs;
    for (const one of this.#model.threads) {
      const old = one.shown.findLastIndex(({ id }) => !isYoung(id)) + 1;
      this.#remove(one, Math.max(old, one.shown.length - lost), Infinity);
    }
    this.#window.close();
    this.#chat = await this.#open();
    this.#model.reload(isYoung);
  }

  async #resume(): Promise<void> {
    this.#model.resume();
    const back = this.#cleared.pop();
    if (back) await this.#window.memory.forConversation(back.id).restore({ conversation: detached(back) });
  }

  get #window() {
    return this.#chat!.window;
  }

  async #open(): Promise<ChatWindow> {
    return new ChatWindow(
      this.#workspace,
      await this.#workspace.reopen(this.#hasDatabase ? {} : { database: false }),
      () => this.#scope,
    );
  }

  #pick(index: number): ModelThread {
    return (
      this.#model.threads.at(-1 - (index % Math.max(1, this.#model.threads.length))) ?? this.#addThread()
    );
  }

  #addThread(): ModelThread {
    const added: ModelThread = { name: `s${++this.#made}`, shown: [], maybeUnwritten: new Set() };
    this.#model.threads.push(added);
    this.#panels.set(added, new ShownThread(added.name));
    return added;
  }
}

describe('any sequence of what a person does in chat threads', () => {
  for (const scope of ['workspace', 'thread'] as const) {
    for (const whenFull of ['drop', 'summarize'] as const) {
      it(`M11, M13, M18: sends what is shown, scope ${scope}, ${whenFull} when full`, async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(action, { maxLength: 25, size: 'max' }), async (actions) => {
            // On real files where it counts, as they take their time: without, nobody has what a summary stands for.
            const isSummarized = whenFull === 'summarize' || actions.some(({ kind }) => kind === 'compact');
            await new Play(scope, whenFull, isSummarized || actions.length % 10 === 0).run(actions);
          }),
          { numRuns: 200, seed: 7 },
        );
      }).timeout(120_000);
    }
  }
});
