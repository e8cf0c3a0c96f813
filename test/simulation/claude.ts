import type Anthropic from '@anthropic-ai/sdk';
import { ModelError } from '../../src/core/errors';
import type { Model, ModelEvent, ModelRequest } from '../../src/core/ports';
import type { Tool } from '../../src/core/tools/tool';
import { refusalOfRequest } from '../fuzz/strictModel';
import { noise } from '../support/claude/sampleImages';
import { answer, text, textDelta, toolUse } from '../support/scriptedModel';
import { tool } from '../support/turns';
import type { Choices } from './choices';
import type { Crosser, Outside } from './outside';

const photo = noise(48, 48).toString('base64');
/** A part of it that must be in no file: images are not kept. */
export const pixels = photo.slice(1_000, 1_100);

interface ClaudeOptions {
  readonly choices: Choices;
  readonly outside: Outside;
  readonly crosser: Crosser;
  /** The turn that asks. */
  readonly turn: string;
  readonly onRequest: (request: ModelRequest) => void;
  /** The API would not have taken it. */
  readonly onRefusal: (sentence: string) => void;
}

/** Claude at the other end of a network, as a turn of one window meets it. */
export class SimulatedClaude implements Model {
  readonly #options: ClaudeOptions;
  #rounds: number;
  #calls = 0;

  constructor(options: ClaudeOptions) {
    this.#options = options;
    this.#rounds = options.choices.below(3);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { choices, outside, crosser, turn, onRequest, onRefusal } = this.#options;
    signal.throwIfAborted();
    // What the dead ask reaches nobody.
    if (crosser.isDead) await new Promise<never>(() => undefined);
    const refusal = refusalOfRequest({ ...request, model: 'claude-sonnet-5-5' });
    if (refusal !== undefined) {
      onRefusal(refusal);
      throw new ModelError('bad-request', refusal);
    }
    onRequest(request);
    const isSummary = request.tools.length === 0;
    const lost = () =>
      new ModelError('dropped', 'the connection was lost', { isRetryable: choices.oneIn(2) });
    await outside.wait(crosser, 'a request', () => undefined, lost);
    signal.throwIfAborted();
    if (isSummary) {
      const told = new Set(tokensIn(request.messages));
      yield answer([text(`Before: ${[...told].map((id) => `ask ${id}.`).join(' ')}`)]);
      return;
    }
    yield textDelta(`answer ${turn}`);
    await outside.wait(crosser, 'an answer', () => undefined, lost);
    signal.throwIfAborted();
    if (this.#rounds-- <= 0) {
      yield answer([text(`answer ${turn} ${'and so on '.repeat(choices.oneIn(20) ? 3_000 : 1)}`)]);
      return;
    }
    yield answer(this.#useTools(), 'tool_use');
  }

  #useTools(): Anthropic.ContentBlock[] {
    const { choices, turn } = this.#options;
    const next = (name: string, input: unknown) => toolUse(`toolu_${turn}_${++this.#calls}`, name, input);
    const calls = [next('look', { at: turn })];
    switch (choices.below(5)) {
      case 1:
        return [
          ...calls,
          next('remember', { name: choices.pick(['order', 'branch']), value: `value ${turn}` }),
        ];
      case 2:
        return [...calls, next('forget', { name: choices.pick(['order', 'branch']) })];
      case 3:
        return [...calls, next('photo', {}), next('ask_user', { param: 'order', question: 'Which one?' })];
      case 4:
        return [next('photo', {})];
      default:
        return calls;
    }
  }
}

/** What tools of the workspace do here: they read. */
export function simulatedTools(outside: Outside, crosser: Crosser, turn: string): readonly Tool[] {
  const failure = () => new Error('it cannot be read');
  return [
    tool('look', () => outside.wait(crosser, 'a tool', () => ({ content: `result ${turn}` }), failure)),
    tool('photo', () =>
      outside.wait(crosser, 'a tool', () => ({
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: photo } }],
      })),
    ),
  ];
}

/** The turns that messages are about. Each begins with its own name. */
export function tokensIn(messages: ModelRequest['messages']): readonly string[] {
  // An answer to a question may be remembered as a value.
  const said = JSON.stringify(messages).replaceAll(/<remembered>.*?<\/remembered>/g, '');
  return [...new Set(Array.from(said.matchAll(/ask (t\d+)\./g), ([, id]) => id ?? ''))];
}
