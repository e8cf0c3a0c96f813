import assert from 'node:assert/strict';
import type { ConversationHandle } from '../../../src/core/conversation/memory/handle';
import type { RemovedSummary } from '../../../src/core/conversation/threads/removedSummary';
import {
  createThreads,
  type ConversationScope,
  type ThreadRequest,
  type Threads,
} from '../../../src/core/conversation/threads/threads';
import type { Conversation, StoredTurn } from '../../../src/core/conversation/turn';
import { turnsToSummarize } from '../../../src/core/conversation/view';
import { noWords, type Message } from '../../../src/core/messages';
import { exchange, TestWorkspace, type TestWindow } from './testWorkspace';

/** A window of VS Code with chat threads in it: asks as the participant does, and shows as the panel does. */
export class ChatWindow {
  readonly threads: Threads;
  /** The conversations that became the current one, as far as others were told. */
  readonly moves: string[] = [];
  readonly window: TestWindow;
  readonly #workspace: TestWorkspace;

  constructor(
    workspace: TestWorkspace,
    window: TestWindow,
    scope: () => ConversationScope = () => 'workspace',
  ) {
    this.#workspace = workspace;
    this.window = window;
    let made = 0;
    this.threads = createThreads({
      memory: window.memory,
      scope,
      activation: { id: window.activationId, startedAt: workspace.now },
      ids: () => `${window.activationId}-thread-${++made}`,
      onMove: () => void this.moves.push(this.threads.current()),
    });
  }

  /** One message in a thread: reconciles, says what is sent, and shows the answer. */
  async ask(thread: ShownThread, id: string, how: Asking = {}): Promise<Asked> {
    const { words = `question ${id}`, ending = 'answered' } = how;
    const view = await this.threads.look({
      ...(thread.session !== undefined && { session: thread.session }),
      prompt: words,
      isAside: false,
      shown: thread.shown,
    });
    const removedSummary = await this.threads.settle(view);
    const chat = this.window.memory.forConversation(view.conversation);
    const { limits } = this.#workspace;
    if (limits.whenFull === 'summarize') {
      await summarizeIn(chat, turnsToSummarize(chat.stored()?.turns ?? [], chat.evicted(), limits));
    }
    const sent = chat.history().flatMap(({ content }) => toldIn(content));
    this.#workspace.now += 1000;
    if (ending === 'answered' || ending === 'metadata-lost') {
      const [, answer] = exchange(id);
      const { thread: name, position } = view;
      const messages = [{ role: 'user', content: words || noWords } as const, answer!];
      await chat.saveTurn({ ...this.#workspace.turn(id, messages), thread: name, position });
    }
    thread.shown.push({
      prompt: words,
      ...((ending === 'answered' || ending === 'failed') && {
        turnId: id,
        threadId: view.thread,
        conversationId: view.conversation,
      }),
    });
    return { view, sent, removedSummary };
  }

  /** What rewinds left in the archive, the newest first. */
  async branches(): Promise<readonly Conversation[]> {
    const { memory } = this.window;
    const branches = (await memory.archived()).filter(({ ending }) => ending.kind === 'branch');
    const found = await Promise.all(branches.map(({ id }) => memory.archivedConversation(id)));
    return found.flatMap((one) => one ?? []);
  }

  /** `/compact` in a thread. */
  async compact(thread: ShownThread): Promise<void> {
    const view = await this.threads.look({
      ...(thread.session !== undefined && { session: thread.session }),
      prompt: '',
      isAside: true,
      shown: thread.shown,
    });
    await this.threads.settle(view);
    const chat = this.window.memory.forConversation(view.conversation);
    await summarizeIn(chat, (chat.stored()?.turns ?? []).slice(0, -1));
    thread.shown.push({
      prompt: '',
      isAside: true,
      threadId: view.thread,
      conversationId: view.conversation,
    });
  }
}

/** With a summary that tells of each turn by its name. */
async function summarizeIn(chat: ConversationHandle, turns: readonly StoredTurn[]): Promise<void> {
  if (turns.length === 0) return;
  const before = chat.snapshot()?.summary;
  const ids = turns.map(({ id }) => id);
  const told = [...(before ? [before.text] : []), ...ids.map((id) => `answer ${id}`)];
  assert.ok(await chat.summarize(told.join('\n'), ids, before));
}

/** The turns that a message is about: its own, or all that a summary tells of. Many may have been asked the same. */
function toldIn(content: Message['content']): readonly string[] {
  return typeof content === 'string' ? Array.from(content.matchAll(/answer (\w+)/g), ([, id]) => id!) : [];
}

export interface Asking {
  /** The person's words; else they name the turn. */
  readonly words?: string;
  /**
   * `failed`: before anything was worth saving. `metadata-lost`: VS Code has nothing of what the answer carried, as after
   * a late cancellation or a reload in mid-turn. `nothing-known`: both.
   */
  readonly ending?: 'answered' | 'failed' | 'metadata-lost' | 'nothing-known';
}

interface Asked {
  readonly view: Awaited<ReturnType<Threads['look']>>;
  /** The turns that went before the newest message, as they were or in the summary. */
  readonly sent: readonly string[];
  readonly removedSummary: RemovedSummary | undefined;
}

/** A chat thread as the panel shows it. The person can remove from `shown` as they like. */
export class ShownThread {
  shown: ThreadRequest['shown'][number][] = [];
  constructor(readonly session: string | undefined) {}

  /** Removes this exchange and all after it. */
  cutFrom(id: string): void {
    const at = this.shown.findIndex(({ prompt }) => prompt === `question ${id}`);
    this.shown = this.shown.slice(0, at);
  }

  remove(id: string): void {
    this.shown = this.shown.filter(({ prompt }) => prompt !== `question ${id}`);
  }
}

export function idsIn(conversation: Conversation | undefined): readonly string[] {
  return conversation?.turns.map(({ id }) => id) ?? [];
}

/** A window with chat threads in it. */
export async function openChat(workspace = new TestWorkspace(), scope: ConversationScope = 'workspace') {
  const window = await workspace.reopen();
  return { workspace, window, chat: new ChatWindow(workspace, window, () => scope) };
}

/** A thread in which these were asked and answered. */
export async function threadOf(chat: ChatWindow, session: string | undefined, ...ids: readonly string[]) {
  const thread = new ShownThread(session);
  for (const id of ids) await chat.ask(thread, id);
  return thread;
}
