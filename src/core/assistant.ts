import type { AgentEvent } from './agent/events';
import { runTurn, type TurnOptions } from './agent/runTurn';
import { systemPromptVersion } from './agent/systemPrompt';
import type { ConversationHandle } from './conversation/conversationHandle';
import { closeInterrupted } from './conversation/interrupt';
import type { ConversationMemory } from './conversation/memory';
import type { ConversationId, TurnId } from './conversation/turn';
import {
  loggedConversation,
  receivedLine,
  respondedLine,
  type LoggedConversation,
} from './conversation/turnLog';
import type { Message } from './messages';
import type { Clock, IdSource, Log } from './ports';

/** One message of the person, with all that its turn needs. */
export interface AssistantRequest extends Omit<TurnOptions, 'history'> {
  readonly conversationId: ConversationId;
  /** Neither reads nor writes memory. */
  readonly isStateless?: boolean;
}

/** A turn under way: its id is known from the start, and its events end with `turn-end`. */
export interface AssistantTurn {
  readonly id: TurnId;
  readonly events: AsyncGenerator<AgentEvent, void>;
}

export interface Assistant {
  answer(request: AssistantRequest, signal: AbortSignal): AssistantTurn;
}

/** Joins memory and the tool-use loop: what `turn-end` reports has been saved before it is seen. */
export function createAssistant(options: {
  readonly memory: ConversationMemory;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
}): Assistant {
  const { memory, clock, ids, log } = options;

  async function* answer(
    request: AssistantRequest,
    id: TurnId,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, void> {
    const startedAt = clock();
    const handle = request.isStateless ? undefined : memory.forConversation(request.conversationId);
    if (handle) await memory.refresh();
    const history = handle?.history() ?? [];
    const logged = () => (handle ? loggedConversation(request.conversationId, handle) : stateless);
    log.info(`${receivedLine(logged())} prompt=${systemPromptVersion}`);
    const keeper = createKeeper(handle, { id, startedAt });
    let rounds = 0;
    try {
      for await (const event of runTurn({ ...request, history }, signal)) {
        if (event.type === 'request-start') rounds = event.round;
        if (event.type === 'round-end') await keeper.record(event.messages);
        if (event.type === 'turn-end') {
          await keeper.finish(event, clock());
          const durationMs = clock() - startedAt;
          log.info(
            respondedLine(logged(), { end: event.end.reason, rounds, usage: event.usage, durationMs }),
          );
        }
        yield event;
      }
    } finally {
      // Whoever renders the events may fail or stop asking for them: what was done is kept all the same.
      await keeper.giveUp(clock());
    }
  }

  return {
    answer(request, signal) {
      const id = ids();
      return { id, events: answer(request, id, signal) };
    },
  };
}

/** What the log says of a request that touches no memory. */
const stateless: LoggedConversation = { id: 'stateless', turns: 0, messages: 0, params: [] };

type TurnEndEvent = Extract<AgentEvent, { type: 'turn-end' }>;

/** Keeps a turn safe while it runs, and saves what is worth keeping of it, once. */
function createKeeper(
  handle: ConversationHandle | undefined,
  turn: { readonly id: TurnId; readonly startedAt: number },
) {
  const running = handle?.begin(turn);
  let recorded: readonly Message[] = [];
  let isDone = false;

  return {
    async record(messages: readonly Message[]): Promise<void> {
      recorded = messages;
      await running?.record(messages);
    },

    async finish({ end, messages, usage, model }: TurnEndEvent, endedAt: number): Promise<void> {
      isDone = true;
      if (messages.length === 0) return running?.abandon();
      const outcome = end.reason === 'answered' ? 'finished' : 'interrupted';
      await handle?.saveTurn({ ...turn, endedAt, outcome, messages, usage, model });
    },

    async giveUp(endedAt: number): Promise<void> {
      if (isDone) return;
      isDone = true;
      if (recorded.length === 0) return running?.abandon();
      const messages = closeInterrupted(recorded, '[Interrupted before this was finished.]');
      await handle?.saveTurn({ ...turn, endedAt, outcome: 'interrupted', messages });
    },
  };
}
