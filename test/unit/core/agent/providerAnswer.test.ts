import assert from 'node:assert/strict';
import {
  providerAnswer,
  type ProviderRequest,
  createThinkingCache,
} from '../../../../src/core/agent/providerAnswer';
import { ModelError } from '../../../../src/core/errors';
import type { ModelEvent } from '../../../../src/core/ports';
import {
  answer,
  says,
  scriptedModel,
  text,
  textDelta,
  type ScriptedModel,
} from '../../../support/scriptedModel';

const overloaded = new ModelError('overloaded', '', { isRetryable: true });

async function ask(
  model: ScriptedModel,
  {
    signal = new AbortController().signal,
    wait = (_ms: number): Promise<void> => Promise.resolve(),
    messages = [{ role: 'user', content: 'hi' }] as ProviderRequest['messages'],
  } = {},
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request = { modelId: 'scripted', system: [], tools: [], messages };
  const options = { model, thinking: createThinkingCache(), wait, random: () => 0 };
  for await (const event of providerAnswer(request, options, signal)) events.push(event);
  return events;
}

describe('providerAnswer', () => {
  it('L7: asks again while nothing of an answer was passed on', async () => {
    const waits: number[] = [];
    const model = scriptedModel([overloaded], [overloaded], says('ok'));
    const events = await ask(model, { wait: async (ms) => void waits.push(ms) });
    assert.deepEqual(
      [events.map(({ type }) => type), waits],
      [
        ['text-delta', 'answer'],
        [1000, 2000],
      ],
    );
  });

  it('L7: passes on an error in the middle of an answer, and one that asking again does not help', async () => {
    await assert.rejects(ask(scriptedModel([textDelta('a'), overloaded])), overloaded);
    const rejected = new ModelError('rejected-key', '');
    await assert.rejects(ask(scriptedModel([rejected])), rejected);
  });

  it('F10: says that it is too long instead of leaving out what is not ours', async () => {
    const tooLong = new ModelError('too-long', 'prompt is too long');
    await assert.rejects(ask(scriptedModel([tooLong])), tooLong);
    const full = [textDelta('So'), answer([text('So')], 'model_context_window_exceeded')];
    await assert.rejects(ask(scriptedModel(full)), { kind: 'too-long' });
  });

  it('L6: stops at once while it waits', async () => {
    const stopper = new AbortController();
    const wait = async (): Promise<void> => stopper.abort();
    await assert.rejects(ask(scriptedModel([overloaded]), { signal: stopper.signal, wait }), {
      name: 'AbortError',
    });
  });
});
