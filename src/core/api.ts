import type { ConversationMemory } from './conversation/memory/memory';
import { sanitizeMessage } from './conversation/sanitizeMessage';
import { repairedMessages } from './conversation/transcript';
import type { ConversationId } from './conversation/turn';
import type { Message } from './messages';
import type { Clock, IdSource } from './ports';
import { isObject } from './text/json';

export interface AskOptions {
  /** Neither reads nor writes memory. */
  readonly stateless?: boolean;
  readonly signal?: AbortSignal;
}

/** What `activate()` returns for other extensions (M25). Without an id, the conversation of the workspace is meant. */
export interface AssistantApi {
  readonly version: 1;
  /** The remembered messages, oldest first: a copy that is the caller's to change. */
  getHistory(id?: ConversationId): Promise<Message[]>;
  /** Remembers one exchange, from a user message to the assistant's answer, with its tool rounds. */
  saveTurn(messages: readonly Message[], id?: ConversationId): Promise<void>;
  clearHistory(id?: ConversationId): Promise<void>;
  ask(prompt: string, options?: AskOptions): Promise<string>;
}

export function createApi(options: {
  readonly memory: ConversationMemory;
  readonly defaultConversation: () => ConversationId;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly ask: (prompt: string, options: AskOptions) => Promise<string>;
}): AssistantApi {
  const { memory, clock, ids } = options;
  const conversation = (id: unknown) =>
    memory.forConversation(checkedId(id ?? options.defaultConversation()));

  return {
    version: 1,

    async getHistory(id) {
      const handle = conversation(id);
      await memory.refresh();
      return structuredClone(handle.history());
    },

    async saveTurn(messages, id) {
      const handle = conversation(id);
      const turn = checkedTurn(messages);
      const now = clock();
      await handle.saveTurn({ id: ids(), startedAt: now, endedAt: now, outcome: 'finished', messages: turn });
    },

    async clearHistory(id) {
      await conversation(id).clear();
    },

    async ask(prompt, askOptions = {}) {
      if (typeof prompt !== 'string' || prompt.trim() === '') throw new TypeError('ask: the prompt is empty');
      return options.ask(prompt, askOptions);
    },
  };
}

function checkedId(id: unknown): ConversationId {
  if (typeof id === 'string' && id !== '' && id.length <= 200) return id;
  throw new TypeError('A conversation id is a string of 1 to 200 characters.');
}

/** Another extension's data enters here: what would have to be repaired is refused with the reason instead. */
function checkedTurn(messages: unknown): Message[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new TypeError('saveTurn: messages is a list with at least a user message and an answer');
  }
  for (const [index, message] of messages.entries()) checkMessage(message, index);
  const copy: unknown[] = structuredClone(messages);
  const turn = repairedMessages(copy);
  if (
    turn.length !== copy.length ||
    blockTypes(turn) !== blockTypes(copy.map((message) => sanitizeMessage(message)))
  ) {
    throw new TypeError(
      'saveTurn: messages begin with a user message, alternate, end with the answer of the assistant, hold text, ' +
        'and answer every tool_use in the next message',
    );
  }
  return turn;
}

/** How many of each: a result that had to be made up, or one too many, shows. */
function blockTypes(messages: readonly (Message | undefined)[]): string {
  const types = messages.flatMap((message) =>
    typeof message?.content === 'object' ? message.content.map(({ type }) => type) : [],
  );
  return types.toSorted().join();
}

function checkMessage(message: unknown, index: number): void {
  const where = `saveTurn: messages[${index}]`;
  if (!isObject(message)) throw new TypeError(`${where} is not an object`);
  const { role, content } = message;
  const expected = index % 2 === 0 ? 'user' : 'assistant';
  if (role !== expected) throw new TypeError(`${where}.role is not '${expected}'`);
  if (typeof content !== 'string' && !Array.isArray(content)) {
    throw new TypeError(`${where}.content is neither a string nor a list of blocks`);
  }
}
