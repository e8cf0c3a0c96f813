import assert from 'node:assert/strict';
import { ModelError, ToolError } from '../../../../src/core/errors';
import { noUsage, type Message } from '../../../../src/core/messages';
import type { ModelAnswer } from '../../../../src/core/ports';
import {
  answer,
  calls,
  says,
  scriptedModel,
  text,
  textDelta,
  thinking,
  toolUse,
  type ScriptedModel,
  type Step,
} from '../../../support/scriptedModel';
import { ranTurn, tool } from '../../../support/turns';

const look = tool('look', () => ({ content: 'seen' }));
const lookUse = { type: 'tool_use', id: 't1', name: 'look', input: {} } as const;
const seen: Message = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't1', content: 'seen' }],
};
const hello = { role: 'user', content: 'hello' } as const;

function said(...texts: readonly string[]): object {
  return { role: 'assistant', content: texts.map((value) => ({ type: 'text', text: value })) };
}

function stops(stopReason: ModelAnswer['stopReason'], ...texts: readonly string[]): ScriptedModel {
  return scriptedModel([...texts.map(textDelta), answer(texts.map(text), stopReason)]);
}

function callsTo(name: string, id: string, input = {}): Step {
  return calls(toolUse(id, name, input));
}

function cutCall(id: string): Step {
  return [answer([toolUse(id, 'write', { id })], 'max_tokens')];
}

describe('runTurn', () => {
  it('L1: streams text as it arrives and remembers question and answer', async () => {
    const model = scriptedModel([textDelta('Hel'), textDelta('lo'), answer([text('Hello')])]);
    const { events, end } = await ranTurn({ model });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['request-start', 'text-delta', 'text-delta', 'request-end', 'turn-end'],
    );
    assert.deepEqual(end.end, { reason: 'answered' });
    assert.deepEqual(end.messages, [hello, said('Hello')]);
  });

  it('adds up what all requests of the turn took, and says how full the window is', async () => {
    const took = { input: 10, cacheRead: 20, cacheWrite: 30, output: 40, cost: 0.5 };
    const model = scriptedModel(
      [answer([toolUse('t1', 'look')], 'tool_use', { usage: took })],
      [answer([text('Done')], 'end_turn', { usage: { ...took, input: 11 } })],
    );
    const { end } = await ranTurn({ model, tools: [look] });
    assert.deepEqual(end.usage, { input: 21, cacheRead: 40, cacheWrite: 60, output: 80, cost: 1 });
    assert.equal(end.contextTokens, 101);
  });

  it('puts the prompt context with the newest message and does not remember it', async () => {
    const model = scriptedModel(says('Hi'));
    const { end } = await ranTurn({
      model,
      context: 'It rains.',
      history: [hello, { role: 'assistant', content: 'Hi' }],
    });
    assert.deepEqual(model.requests[0]?.messages.at(-1)?.content, [
      { type: 'text', text: 'It rains.' },
      { type: 'text', text: 'hello', cache_control: { type: 'ephemeral' } },
    ]);
    assert.deepEqual(end.messages[0], hello);
  });

  it('goes on with the result of a call that an earlier turn left open', async () => {
    const model = scriptedModel(says('Blue it is'));
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'blue' } as const;
    const { end } = await ranTurn({
      model,
      context: 'It rains.',
      history: [hello, { role: 'assistant', content: [lookUse] }],
      userContent: [result],
    });
    assert.deepEqual(model.requests[0]?.messages.at(-1)?.content, [
      result,
      { type: 'text', text: 'It rains.', cache_control: { type: 'ephemeral' } },
    ]);
    assert.deepEqual(end.messages, [{ role: 'user', content: [result] }, said('Blue it is')]);
  });

  it('defines the tools that a history used, also when there are none any more', async () => {
    const model = scriptedModel(says('Hi'));
    await ranTurn({
      model,
      history: [hello, { role: 'assistant', content: [lookUse] }, seen, { role: 'assistant', content: 'ok' }],
    });
    assert.deepEqual(
      model.requests[0]?.tools.map(({ name }) => name),
      ['look'],
    );
  });

  it('L9: sends tools in one order, whatever order they come in', async () => {
    const other = tool('alter', () => ({ content: '' }));
    const model = scriptedModel(says('a'));
    const again = scriptedModel(says('a'));
    await ranTurn({ model, tools: [look, other] });
    await ranTurn({ model: again, tools: [other, look] });
    assert.equal(JSON.stringify(model.requests), JSON.stringify(again.requests));
  });

  it('L10: sends thinking back unchanged within the turn and does not remember it', async () => {
    const model = scriptedModel(calls(thinking('hm'), toolUse('t1', 'look')), says('Done'));
    const { end } = await ranTurn({ model, tools: [look] });
    assert.deepEqual(model.requests[1]?.messages[1]?.content, [
      { type: 'thinking', thinking: 'hm', signature: 'signed:hm' },
      lookUse,
    ]);
    assert.deepEqual(end.messages, [hello, { role: 'assistant', content: [lookUse] }, seen, said('Done')]);
  });

  it('L10: sends no thinking that came with a history, which may be from another model', async () => {
    const model = scriptedModel(says('Hi'));
    const old = {
      role: 'assistant' as const,
      content: [{ type: 'thinking' as const, thinking: 'x', signature: 'y' }, text('a')],
    };
    await ranTurn({ model, history: [hello, old] });
    assert.doesNotMatch(JSON.stringify(model.requests), /signature/);
  });

  describe('how an answer stops', () => {
    it('L4: takes end_turn and stop_sequence as answers', async () => {
      for (const reason of ['end_turn', 'stop_sequence']) {
        const { end } = await ranTurn({ model: stops(reason, 'Hi') });
        assert.deepEqual([end.end.reason, end.messages], ['answered', [hello, said('Hi')]]);
      }
    });

    it('L4: takes words for an answer that were to be a call', async () => {
      const { end } = await ranTurn({ model: scriptedModel([answer([text('Hi')], 'tool_use')]) });
      assert.deepEqual([end.end, end.messages], [{ reason: 'answered' }, [hello, said('Hi')]]);
    });

    it('L4: goes on after max_tokens, says so, and remembers one answer', async () => {
      const model = scriptedModel(
        [textDelta('One, tw'), answer([text('One, tw')], 'max_tokens')],
        [textDelta('o, three'), answer([text('o, three')])],
      );
      const { end, shown, events } = await ranTurn({ model });
      assert.equal(shown, 'One, tw[The answer reached the output limit; Claude goes on.]o, three');
      assert.deepEqual(end.messages, [hello, said('One, two, three')]);
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'request-start' ? [event.continues] : [])),
        [false, true],
      );
    });

    it('L4: does not go on for ever after max_tokens', async () => {
      const cut = [answer([text('more ')], 'max_tokens')];
      const { end } = await ranTurn({ model: scriptedModel(cut, cut, cut, cut, cut) });
      assert.deepEqual(end.end, { reason: 'output-limit' });
      assert.deepEqual(end.messages, [hello, said('more more more more ', '[Cut off by the output limit.]')]);
    });

    it('L4: ends when the output limit leaves nothing but thought', async () => {
      const { end } = await ranTurn({ model: scriptedModel([answer([thinking('long')], 'max_tokens')]) });
      assert.deepEqual([end.end, end.messages], [{ reason: 'output-limit' }, []]);
    });

    it('F7: does not run a call whose input was cut off, tells Claude, and is bounded', async () => {
      let ran = 0;
      const write = tool('write', () => ({ content: String(++ran) }));
      const cut = [answer([toolUse('t1', 'write')], 'max_tokens', { brokenToolUses: ['t1'] })];
      const { end } = await ranTurn({ model: scriptedModel(cut, says('Then not')), tools: [write] });
      assert.equal(ran, 0);
      const content =
        'Not run: the input was cut off. Call it again with less input, in several calls if needed.';
      assert.deepEqual(end.messages[2]?.content, [
        { type: 'tool_result', tool_use_id: 't1', content, is_error: true },
      ]);
      const model = scriptedModel(...['a', 'b', 'c', 'd', 'e'].map(cutCall));
      const bounded = await ranTurn({ model, tools: [write] });
      assert.deepEqual([bounded.end.end.reason, ran], ['output-limit', 0]);
    });

    it('F5: runs nothing with an input that is not complete JSON', async () => {
      let ran = 0;
      const write = tool('write', () => ({ content: String(++ran) }));
      const model = scriptedModel(
        [answer([toolUse('t1', 'write')], 'tool_use', { brokenToolUses: ['t1'] })],
        says('Sorry'),
      );
      await ranTurn({ model, tools: [write] });
      assert.equal(ran, 0);
    });

    it('L4: goes on by itself after pause_turn, in the same message', async () => {
      const model = scriptedModel([answer([text('Wait')], 'pause_turn')], says(' for it'));
      const { end } = await ranTurn({ model });
      assert.deepEqual(model.requests[1]?.messages.at(-1)?.role, 'assistant');
      assert.deepEqual(end.messages, [hello, said('Wait', ' for it')]);
    });

    it('F12: says a refusal plainly and keeps nothing of it', async () => {
      const model = scriptedModel([textDelta('Well'), answer([text('Well')], 'refusal', { refusal: 'No.' })]);
      const { end } = await ranTurn({ model });
      assert.deepEqual([end.end, end.messages], [{ reason: 'refused', explanation: 'No.' }, []]);
    });

    it('F12: keeps the work done before a refusal', async () => {
      const model = scriptedModel(calls(toolUse('t1', 'look')), [answer([text('Hm')], 'refusal')]);
      const { end } = await ranTurn({ model, tools: [look] });
      assert.deepEqual(end.messages, [
        hello,
        { role: 'assistant', content: [lookUse] },
        seen,
        said('[The answer was declined.]'),
      ]);
    });

    it('F12: stores nothing of an empty answer, one of whitespace, or one of thought alone', async () => {
      for (const content of [[], [text(' \n')], [thinking('hm')]]) {
        const { end } = await ranTurn({ model: scriptedModel([answer(content)]) });
        assert.deepEqual([end.end, end.messages], [{ reason: 'empty' }, []]);
      }
    });

    it('F12: takes an unknown stop reason for an end, says so, and runs nothing', async () => {
      let ran = 0;
      const model = scriptedModel([textDelta('Hi'), answer([text('Hi'), toolUse('t1', 'look')], 'sunset')]);
      const { end, shown } = await ranTurn({
        model,
        tools: [tool('look', () => ({ content: String(++ran) }))],
      });
      assert.equal(shown, 'Hi[Claude stopped here for a reason this version does not know (sunset).]');
      assert.deepEqual([end.end.reason, end.messages, ran], ['answered', [hello, said('Hi')], 0]);
    });
  });

  describe('bounds', () => {
    it('L5: stops after the round limit as interrupted, with all results', async () => {
      const { end } = await ranTurn({
        model: scriptedModel(callsTo('look', 'a', { at: 1 }), callsTo('look', 'b', { at: 2 })),
        tools: [look],
        maxRounds: 2,
      });
      assert.deepEqual(end.end, { reason: 'round-limit', rounds: 2 });
      assert.equal(end.messages.length, 6);
      assert.deepEqual(
        end.messages.at(-1),
        said('[Stopped by the limit of 2 tool rounds before this was finished.]'),
      );
    });

    it('L5: stops at the third same call with the same result', async () => {
      const { end } = await ranTurn({
        model: scriptedModel(...['a', 'b', 'c'].map((id) => callsTo('look', id))),
        tools: [look],
      });
      assert.deepEqual(end.end, { reason: 'loop', tool: 'look' });
    });

    it('L5: stops at the third same round of several calls, whatever was called before', async () => {
      const round = (id: number): Step =>
        calls(toolUse(`a${id}`, 'look', { at: 'a' }), toolUse(`b${id}`, 'look', { at: 'b' }));
      const before = [callsTo('look', 'x', { at: 'x' }), callsTo('look', 'y', { at: 'y' })];
      const model = scriptedModel(...before, round(1), round(2), round(3));
      const { end } = await ranTurn({ model, tools: [look] });
      assert.deepEqual([end.end, model.requests.length], [{ reason: 'loop', tool: 'look' }, 5]);
    });

    it('L5: lets the same call go on while its result changes', async () => {
      let count = 0;
      const clock = tool('clock', () => ({ content: String(++count) }));
      const model = scriptedModel(...['a', 'b', 'c', 'd'].map((id) => callsTo('clock', id)), says('Late'));
      assert.equal((await ranTurn({ model, tools: [clock] })).end.end.reason, 'answered');
    });

    it('L6: finishes the running tool when the person sends another message, then makes room', async () => {
      let isAsked = false;
      const ran: string[] = [];
      const write = tool(
        'write',
        ({ id }) => {
          ran.push(id);
          isAsked = true;
          return { content: 'done' };
        },
        { effect: 'writes' },
      );
      const model = scriptedModel(calls(toolUse('t1', 'write'), toolUse('t2', 'write')));
      const { end } = await ranTurn({ model, tools: [write], yieldRequested: () => isAsked });
      assert.deepEqual([end.end, ran], [{ reason: 'yielded' }, ['t1']]);
      assert.deepEqual(end.messages.slice(2), [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'done' },
            {
              type: 'tool_result',
              tool_use_id: 't2',
              content: 'Not run: the person sent a new message. Call it again if it is still needed.',
              is_error: true,
            },
          ],
        },
        said('[Interrupted by a new message of the person.]'),
      ]);
    });
  });

  describe('stopping', () => {
    it('F1: keeps the text shown so far, marked as interrupted', async () => {
      const stopper = new AbortController();
      const model = scriptedModel([
        textDelta('Half an '),
        textDelta('answer'),
        answer([text('Half an answer')]),
      ]);
      const { end } = await ranTurn(
        { model },
        { signal: stopper.signal, onEvent: ({ type }) => type === 'text-delta' && stopper.abort() },
      );
      assert.deepEqual(end.end, { reason: 'cancelled' });
      assert.deepEqual(end.messages, [
        hello,
        said('Half an ', '[Stopped by the person before this was finished.]'),
      ]);
    });

    it('M7: keeps nothing when nothing was shown', async () => {
      const stopper = new AbortController();
      stopper.abort();
      const { end } = await ranTurn({ model: scriptedModel(says('Hi')) }, { signal: stopper.signal });
      assert.deepEqual([end.end, end.messages], [{ reason: 'cancelled' }, []]);
    });

    it('F2: aborts the running tool and answers its call', async () => {
      const stopper = new AbortController();
      let toolSignal: AbortSignal | undefined;
      const slow = tool('slow', async (_call, signal) => {
        toolSignal = signal;
        stopper.abort();
        return new Promise(() => undefined);
      });
      const model = scriptedModel(calls(toolUse('t1', 'slow')));
      const { end } = await ranTurn({ model, tools: [slow] }, { signal: stopper.signal });
      assert.equal(toolSignal?.aborted, true);
      assert.deepEqual(end.end, { reason: 'cancelled' });
      assert.deepEqual(end.messages.slice(2), [
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content:
                'Cancelled by the person while it ran; it may have been done in part. Check before doing it again.',
              is_error: true,
            },
          ],
        },
        said('[Stopped by the person before this was finished.]'),
      ]);
    });

    it('F3: keeps what two of three parallel tools have finished, in order', async () => {
      const stopper = new AbortController();
      let finished = 0;
      const read = tool('read', async ({ id }) =>
        id === 't2' ? new Promise(() => undefined) : { content: id },
      );
      const model = scriptedModel(calls(toolUse('t1', 'read'), toolUse('t2', 'read'), toolUse('t3', 'read')));
      const { end } = await ranTurn(
        { model, tools: [read] },
        {
          signal: stopper.signal,
          onEvent: ({ type }) => type === 'tool-end' && ++finished === 2 && stopper.abort(),
        },
      );
      const content = end.messages[2]?.content;
      assert.ok(Array.isArray(content));
      assert.deepEqual(
        content.map((block) => block.type === 'tool_result' && [block.tool_use_id, block.is_error ?? false]),
        [
          ['t1', false],
          ['t2', true],
          ['t3', false],
        ],
      );
    });
  });

  describe('failing', () => {
    const broken = new ModelError('bad-request', 'messages: no');

    it('M7: leaves nothing to remember when no round was completed, even if text was shown', async () => {
      const { end } = await ranTurn({ model: scriptedModel([textDelta('Ha'), broken]) });
      assert.deepEqual([end.end, end.messages], [{ reason: 'failed', error: broken }, []]);
      assert.deepEqual([end.usage, end.contextTokens], [noUsage, 0]);
    });

    it('M7: keeps completed rounds, every call answered, closed by how it ended', async () => {
      const model = scriptedModel(calls(toolUse('t1', 'look')), [textDelta('Ha'), broken]);
      const { end } = await ranTurn({ model, tools: [look] });
      assert.deepEqual(end.messages, [
        hello,
        { role: 'assistant', content: [lookUse] },
        seen,
        said('Ha', '[The request to Claude failed before this was finished.]'),
      ]);
    });

    it('turns an exception that is nobody’s fault but ours into a failure with its cause', async () => {
      const bug = new TypeError('x is not a function');
      const { end } = await ranTurn({ model: scriptedModel([bug]) });
      assert.ok(end.end.reason === 'failed');
      assert.deepEqual([end.end.error.kind, end.end.error.cause], ['unexpected', bug]);
    });

    it('M8: gives the turn so far after each round, valid as it is', async () => {
      const model = scriptedModel(calls(thinking('hm'), toolUse('t1', 'look')), [broken]);
      const { events } = await ranTurn({ model, tools: [look] });
      const round = events.find((event) => event.type === 'round-end');
      assert.deepEqual(round?.messages, [hello, { role: 'assistant', content: [lookUse] }, seen]);
    });
  });

  it('L3: tells the model what a tool says is wrong', async () => {
    const picky = tool('picky', () => {
      throw new ToolError('There is no such file. Use find_files first.');
    });
    const { end } = await ranTurn({
      model: scriptedModel(calls(toolUse('t1', 'picky')), says('ok')),
      tools: [picky],
    });
    assert.deepEqual(end.messages[2]?.content, [
      {
        type: 'tool_result',
        tool_use_id: 't1',
        content: 'There is no such file. Use find_files first.',
        is_error: true,
      },
    ]);
  });
});
