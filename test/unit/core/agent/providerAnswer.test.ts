import assert from 'node:assert/strict';
import {
  providerAnswer,
  type ProviderRequest,
  createThinkingCache,
} from '../../../../src/core/agent/providerAnswer';
import { ModelError } from '../../../../src/core/errors';
import type { ContentBlock, Message, ToolUseBlock } from '../../../../src/core/messages';
import type { ModelEvent } from '../../../../src/core/ports';
import {
  answer,
  says,
  scriptedModel,
  text,
  textDelta,
  thinking,
  toolUse,
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

  it('L10: gives the thoughts before a call back to Claude, where VS Code did not keep them', () => {
    const cache = createThinkingCache();
    const said = (...content: readonly ContentBlock[]): Message => ({
      role: 'assistant',
      content: [...content],
    });
    const call = (id: string): ToolUseBlock => ({ type: 'tool_use', id, name: 'look', input: {} });
    cache.keep([thinking('hm'), toolUse('t1', 'look')]);
    cache.keep([thinking('hm'), text('No call at all')]);
    cache.keep([text('No thought at all'), toolUse('t2', 'look')]);
    assert.deepEqual(cache.restore(said(call('t1'))), said(thinking('hm'), call('t1')));
    for (const other of [
      said({ type: 'text', text: 'Something else' }),
      said(call('t2')),
      said(call('t3')),
      { role: 'user', content: 'hi' } as const,
    ]) {
      assert.equal(cache.restore(other), other);
    }
  });

  it('L10: keeps the thoughts of the last 200 answers with calls', () => {
    const cache = createThinkingCache();
    const has = (id: number): boolean => {
      const call: ToolUseBlock = { type: 'tool_use', id: `t${id}`, name: 'look', input: {} };
      const message: Message = { role: 'assistant', content: [call] };
      return cache.restore(message) !== message;
    };
    for (let id = 1; id <= 201; id++) cache.keep([thinking('hm'), toolUse(`t${id}`, 'look')]);
    assert.deepEqual([has(1), has(2), has(201)], [false, true, true]);
  });

  it('L6: stops at once while it waits', async () => {
    const stopper = new AbortController();
    const wait = async (): Promise<void> => stopper.abort();
    await assert.rejects(ask(scriptedModel([overloaded]), { signal: stopper.signal, wait }), {
      name: 'AbortError',
    });
  });
});
