import type Anthropic from '@anthropic-ai/sdk';
import { pairedMessages } from '../conversation/transcript';
import {
  blocksOf,
  callsIn,
  withContent,
  type ContentBlock,
  type ImageBlock,
  type Message,
} from '../messages';
import type { Model, ModelEvent, Random, Wait } from '../ports';
import type { JsonObject } from '../text/json';
import { askModel, planRetry, type AskEvent } from './askModel';
import { ImageGate } from './imageGate';
import { toRequest, type ModelSettings, type Prompt } from './prompt';
import { createRecovery } from './recover';
import { toInput } from './turnMessages';

/** What others ask of our models through VS Code: its own agent, and other extensions. They run the tools themselves. */
export interface ProviderRequest extends Pick<Prompt, 'system' | 'tools'>, ModelSettings {
  readonly messages: readonly Message[];
}

export interface ProviderOptions {
  readonly model: Model;
  readonly thinking: ThinkingCache;
  readonly wait: Wait;
  readonly random: Random;
}

/**
 * Answers callers who can neither be shown that we wait nor send back what Claude thought. Asks again only while
 * nothing of an answer was passed on; after that an error is theirs, and so is a request that is too long.
 */
export async function* providerAnswer(
  request: ProviderRequest,
  { model, thinking, wait, random }: ProviderOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const recover = createRecovery();
  let hasBegun = false;

  function* report(event: AskEvent<Prompt>): Generator<ModelEvent> {
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      hasBegun = true;
      yield event;
    }
    if (event.type === 'attempt-end' && event.answer) {
      thinking.keep(event.answer.content);
      yield { type: 'answer', answer: event.answer };
    }
  }

  const outcome = yield* askModel(
    toPrompt(request, thinking),
    {
      ...{ model, wait, random, report },
      toRequest: (prompt) => toRequest(prompt, request, '5m'),
      recover: (prompt, error) =>
        error.kind === 'bad-request' && !hasBegun ? recover(prompt, error) : undefined,
      retryDelay: (...failure) => (hasBegun ? undefined : planRetry(...failure)),
    },
    signal,
  );
  signal.throwIfAborted();
  if (outcome.type === 'failed') throw outcome.error;
}

/** Answers with their thinking: the API wants it back before the results of the calls, and callers do not keep it. */
export interface ThinkingCache {
  keep(content: readonly Anthropic.ContentBlock[]): void;
  /** The message as Claude wrote it, if it is one that is kept. */
  restore(message: Message): Message;
}

/** More than a long agent's turn has; then the oldest are forgotten. */
const maxAnswers = 200;

export function createThinkingCache(): ThinkingCache {
  const answers = new Map<string, readonly ContentBlock[]>();
  return {
    keep(answer) {
      const content = toInput(answer);
      const key = keyOf(content);
      if (key === '' || !content.some(({ type }) => type.endsWith('thinking'))) return;
      answers.set(key, content);
      for (const oldest of answers.keys()) {
        if (answers.size <= maxAnswers) break;
        answers.delete(oldest);
      }
    },
    restore(message) {
      const content = message.role === 'assistant' ? answers.get(keyOf(blocksOf(message))) : undefined;
      return content ? withContent(message, content) : message;
    },
  };
}

function keyOf(blocks: readonly ContentBlock[]): string {
  return callsIn(blocks)
    .map(({ id }) => id)
    .join(' ');
}

function toPrompt({ system, tools, messages }: ProviderRequest, thinking: ThinkingCache): Prompt {
  const turn = toValidMessages(messages, thinking).map((message) => ({ message }));
  return { system, tools, history: [], context: undefined, turn, flattened: 0 };
}

/** What the API accepts of them: calls and results in pairs, readable images, the newest first where there are too many. */
function toValidMessages(messages: readonly Message[], thinking: ThinkingCache): readonly Message[] {
  const gate = new ImageGate();
  const paired = pairedMessages(messages, new Set(), keepMedia)
    .toReversed()
    .map((message) => withContent(message, admitted(blocksOf(message), gate)))
    .toReversed()
    .map((message) => thinking.restore(message));
  return paired.at(-1)?.role === 'user' ? paired : [...paired, { role: 'user', content: 'Go on.' }];
}

/** The blocks of these messages are built by us, so an image is one. */
function keepMedia(block: JsonObject): ImageBlock {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return block as unknown as ImageBlock;
}

function admitted(blocks: readonly ContentBlock[], gate: ImageGate): readonly ContentBlock[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_result' || typeof block.content !== 'object')
      return gate.admitAll([block]).content;
    return [{ ...block, content: gate.admitAll(block.content).content }];
  });
}
