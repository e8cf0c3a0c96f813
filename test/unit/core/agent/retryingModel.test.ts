import assert from 'node:assert/strict';
import { retryingModel } from '../../../../src/core/agent/retryingModel';
import { ModelError } from '../../../../src/core/errors';
import type { ModelEvent } from '../../../../src/core/ports';
import { says, scriptedModel, textDelta, type ScriptedModel } from '../../../support/scriptedModel';

const overloaded = new ModelError('overloaded', '', { isRetryable: true });

async function ask(
  model: ScriptedModel,
  { signal = new AbortController().signal, wait = (_ms: number): Promise<void> => Promise.resolve() } = {},
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request = { model: 'scripted', system: [], tools: [], messages: [] };
  for await (const event of retryingModel(model, { wait, random: () => 0 }).stream(request, signal))
    events.push(event);
  return events;
}

describe('retryingModel', () => {
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

  it('L6: stops at once while it waits', async () => {
    const stopper = new AbortController();
    const wait = async (): Promise<void> => stopper.abort();
    await assert.rejects(ask(scriptedModel([overloaded]), { signal: stopper.signal, wait }), {
      name: 'AbortError',
    });
  });
});
