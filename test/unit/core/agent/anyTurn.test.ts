import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { array, assert as assertProperty, asyncProperty, constantFrom, integer, option } from 'fast-check';
import { ModelError } from '../../../../src/core/errors';
import type { Message } from '../../../../src/core/messages';
import type { ModelRequest } from '../../../../src/core/ports';
import { validateRequest } from '../../../support/claude/validateRequest';
import { answer, scriptedModel, text, textDelta, toolUse, type Step } from '../../../support/scriptedModel';
import { ranTurn, tool } from '../../../support/turns';

/** What one request may come to, in a few letters, so that a failing case reads well. */
const outcomes = [
  'text',
  'blank',
  'nothing',
  'one call',
  'three calls',
  'unknown tool',
  'question',
  'cut text',
  'cut call',
  'pause',
  'refusal',
  'odd stop',
  'full window',
  'overloaded',
  'dropped',
  'too long',
  'bad request',
] as const;
type Outcome = (typeof outcomes)[number];

describe('any turn', () => {
  it('M9: sends nothing that the API refuses and leaves nothing that it would refuse', async () => {
    await assertProperty(
      asyncProperty(
        array(array(constantFrom(...outcomes), { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        option(integer({ min: 0, max: 30 }), { nil: undefined }),
        async (turns, stopAfter) => {
          const history: Message[] = [];
          for (const [index, script] of turns.entries()) {
            const model = scriptedModel(
              ...script.map((outcome, at) => play(outcome, `${index}_${at}`)),
              says,
            );
            const stopper = new AbortController();
            let events = 0;
            const { end } = await ranTurn(
              { model, tools: [look, ask], history, maxRounds: 5 },
              { signal: stopper.signal, onEvent: () => events++ === stopAfter && stopper.abort() },
            );
            for (const request of model.requests) assertAccepted(request);
            history.push(...end.messages);
          }
          const model = scriptedModel(says);
          await ranTurn({ model, tools: [look, ask], history });
          assertAccepted(model.requests[0]!);
        },
      ),
      { numRuns: 150 },
    );
  });
});

const look = tool('look', () => ({ content: 'seen' }));
const ask = tool('ask', () => ({ content: 'asked', question: { param: 'a', question: 'Which?' } }));
const says: Step = [textDelta('Done'), answer([text('Done')])];

function play(outcome: Outcome, id: string): Step {
  const call = toolUse(`t${id}`, 'look', { id });
  switch (outcome) {
    case 'text':
      return says;
    case 'blank':
      return [answer([text(' ')])];
    case 'nothing':
      return [answer([])];
    case 'one call':
      return [textDelta('Let me see'), answer([text('Let me see'), call], 'tool_use')];
    case 'three calls':
      return [
        answer(
          ['a', 'b', 'c'].map((letter) => toolUse(`t${id}${letter}`, 'look', {})),
          'tool_use',
        ),
      ];
    case 'unknown tool':
      return [answer([toolUse(`t${id}`, 'nobody', {})], 'tool_use')];
    case 'question':
      return [answer([call, toolUse(`q${id}`, 'ask', {})], 'tool_use')];
    case 'cut text':
      return [textDelta('Half'), answer([text('Half')], 'max_tokens')];
    case 'cut call':
      return [answer([call], 'max_tokens', { brokenToolUses: [call.id] })];
    case 'pause':
      return [answer([text('Wait')], 'pause_turn')];
    case 'refusal':
      return [textDelta('No'), answer([text('No'), call], 'refusal')];
    case 'odd stop':
      return [answer([text('Odd'), call], 'sunset')];
    case 'full window':
      return [textDelta('Much'), answer([text('Much')], 'model_context_window_exceeded')];
    case 'overloaded':
      return [new ModelError('overloaded', '', { isRetryable: true })];
    case 'dropped':
      return [textDelta('Ha'), new ModelError('dropped', '', { isRetryable: true })];
    case 'too long':
      return [new ModelError('too-long', '')];
    case 'bad request':
      break;
  }
  return [new ModelError('bad-request', 'messages: no')];
}

function assertAccepted({ messages, system, tools }: ModelRequest): void {
  const request: Omit<Anthropic.MessageCreateParams, 'messages'> & { messages: unknown } = {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: withoutPause(messages),
    system: [...system],
    tools: [...tools],
  };
  assert.equal(validateRequest(request, 'messages'), undefined);
}

/** After `pause_turn` a request ends with Claude's own message, which the API takes then and else only as a prefill. */
function withoutPause(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}
