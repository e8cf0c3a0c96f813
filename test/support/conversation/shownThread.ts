import {
  createThreads,
  type ConversationScope,
  type Threads,
} from '../../../src/core/conversation/threads/threads';
import type { ShownAnswer } from '../../../src/core/conversation/threads/threadCopy';
import type { Conversation, StoredTurn } from '../../../src/core/conversation/turn';
import { exchange, type TestWindow, type TestWorkspace } from './testWorkspace';

/** A window of VS Code with chat threads in it: asks as the participant does, and shows as the panel does. */
export class ChatWindow {
  readonly threads: Threads;
  readonly parked: { readonly conversation: Conversation; readonly cut: readonly StoredTurn[] }[] = [];
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
      park: async (conversation, cut) => void this.parked.push({ conversation, cut }),
      onMove: () => void this.moves.push(this.threads.current()),
    });
  }

  /** One message in a thread: reconciles, says what is sent, and shows the answer. */
  async ask(thread: ShownThread, id: string, how: Asking = {}): Promise<Asked> {
    const { attempt = 0, ending = 'answered' } = how;
    const view = await this.threads.look({
      ...(thread.session !== undefined && { session: thread.session }),
      prompt: `question ${id}`,
      isAside: false,
      attempt,
      shown: thread.shown,
    });
    await this.threads.settle(view);
    const chat = this.window.memory.forConversation(view.conversation);
    const sent = chat
      .history()
      .flatMap(({ role, content }) =>
        role === 'user' && typeof content === 'string' ? [content.replace('question ', '')] : [],
      );
    this.#workspace.now += 1000;
    if (ending !== 'failed') {
      await chat.saveTurn({ ...this.#workspace.turn(id, exchange(id)), thread: view.thread });
    }
    thread.shown.push({
      prompt: `question ${id}`,
      ...(thread.hasRequestIds && { turnId: id }),
      ...(ending !== 'metadata-lost' && {
        turnId: id,
        threadId: view.thread,
        conversationId: view.conversation,
      }),
    });
    return { view, sent };
  }
}

export interface Asking {
  readonly attempt?: number;
  /** `failed`: before anything was worth saving. */
  readonly ending?: 'answered' | 'failed' | 'metadata-lost';
}

interface Asked {
  readonly view: Awaited<ReturnType<Threads['look']>>;
  /** The turns that went before the newest message. */
  readonly sent: readonly string[];
}

/** A chat thread as the panel shows it. The person can remove from `shown` as they like. */
export class ShownThread {
  shown: ShownAnswer[] = [];
  constructor(
    readonly session: string | undefined,
    /** Whether VS Code tells its own ids of requests, as it does at run time. */
    readonly hasRequestIds = true,
  ) {}

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
