import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { describeEnd } from '../../../src/core/agent/describeEnd';
import type { AgentEvent } from '../../../src/core/agent/events';
import type { TurnOptions } from '../../../src/core/agent/runTurn';
import type { ImageBlock, Message } from '../../../src/core/messages';
import { png } from '../../support/claude/sampleImages';
import {
  apiError,
  cutToolUse,
  drop,
  endEarly,
  event,
  foreignBlock,
  garbage,
  gate,
  htmlPage,
  redirect,
  refusal,
  reply,
  stall,
  stop,
  streamError,
  text,
  thinking,
  toolUse,
  type Scripted,
} from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { startElsewhere } from '../../support/elsewhere';
import { ranTurn, tool, type RanTurn } from '../../support/turns';

/** The real adapter and the real loop over HTTP. After each fault the next turn must be accepted as it is. */
describe('faults of the stream, over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  let ran: string[] = [];
  const read = tool('read_file', ({ id }) => {
    ran.push(id);
    return { content: `file of ${id}` };
  });
  beforeEach(() => {
    ran = [];
  });

  const turn = (
    options: Partial<TurnOptions> = {},
    control: Parameters<typeof ranTurn>[1] = {},
  ): Promise<RanTurn> =>
    ranTurn(
      {
        model: createClaude({
          apiKey: () => Promise.resolve('sk-ant-test-0123456789'),
          baseUrl: standIn.url,
          idleTimeoutMs: 50,
        }),
        modelId: 'claude-sonnet-5-5',
        tools: [read],
        ...options,
      },
      control,
    );

  /** Plays a turn, then another one on top of what is to be remembered of it. */
  const survive = async (
    replies: readonly Scripted[],
    control: Parameters<typeof ranTurn>[1] = {},
    options: Partial<TurnOptions> = {},
  ): Promise<RanTurn> => {
    standIn.script(...replies);
    const first = await turn(options, control);
    assert.equal(standIn.remaining, 0, 'the whole script was played');
    const expectedRefusals = standIn.journal.refused.length;
    standIn.script(reply(text('Still here.')));
    const history = [...(options.history ?? []), ...first.end.messages];
    const next = await turn({ history, userContent: 'And now?' });
    assert.deepEqual(next.end.end, { reason: 'answered' });
    assert.equal(standIn.journal.refused.length, expectedRefusals, 'the next turn was accepted');
    return first;
  };

  it('F1: stop while text streams', async () => {
    const { end } = await survive(
      [reply(thinking('hm'), text('Some words', gate()))],
      stopAt(({ type }) => type === 'text-delta'),
    );
    assert.deepEqual(end.end, { reason: 'cancelled' });
    assert.deepEqual(end.messages[1]?.content, [
      { type: 'text', text: 'Some words' },
      { type: 'text', text: '[Stopped by the person before this was finished.]' },
    ]);
    const [entry] = standIn.journal.messages;
    await entry!.ended;
    assert.equal(entry!.outcome.state, 'aborted');
  });

  it('F2: stop while a tool runs', async () => {
    const slow = tool('read_file', () => new Promise(() => undefined));
    const { end } = await survive(
      [reply(thinking('hm'), toolUse('read_file', { path: 'a' }))],
      stopAt(({ type }) => type === 'tool-start'),
      { tools: [slow] },
    );
    assert.equal(end.messages.length, 4);
  });

  it('F3: stop after two of three parallel tools have finished', async () => {
    let ended = 0;
    const uses = ['a', 'b', 'c'].map((id) => toolUse('read_file', {}, { id }));
    const partly = tool('read_file', ({ id }) =>
      id === 'b' ? new Promise(() => undefined) : { content: id },
    );
    const { end } = await survive(
      [reply(thinking('hm'), ...uses)],
      stopAt(({ type }) => type === 'tool-end' && ++ended === 2),
      { tools: [partly] },
    );
    assert.deepEqual(resultIds(end.messages[2]), ['a', 'b', 'c']);
  });

  it('F4: a stream that ends without message_stop is asked for again', async () => {
    const { end, shown } = await survive([reply(text('One, '), endEarly()), reply(text('One, two'))]);
    assert.deepEqual([end.end.reason, shown], ['answered', 'One, two']);
  });

  it('F5: a connection reset in the middle of a tool use runs nothing and is asked for again', async () => {
    const { end } = await survive([
      reply(cutToolUse('read_file', '{"path": "a'), drop()),
      reply(toolUse('read_file', { path: 'a' }, { id: 'whole' })),
      reply(text('Read.')),
    ]);
    assert.deepEqual([end.end.reason, ran], ['answered', ['whole']]);
  });

  it('F6: a stalled stream ends with a clear sentence', async () => {
    const { end } = await survive([reply(text('One'), stall()), reply(text('One'), stall())]);
    assert.match(describeEnd(end.end)?.text ?? '', /^Claude sent nothing for too long\. Try again\./);
    assert.deepEqual(end.messages, []);
  });

  it('F7, L4: max_tokens inside a tool input is told to the model, and to the person', async () => {
    const { end, events } = await survive([
      reply(thinking('hm'), cutToolUse('read_file', '{"path": "aaa'), stop('max_tokens')),
      reply(text('I will write less.')),
    ]);
    assert.deepEqual([end.end.reason, ran], ['answered', []]);
    assert.match(JSON.stringify(standIn.journal.messages[1]?.body), /Not run: the input was cut off/);
    assert.deepEqual(
      events.flatMap((one) => (one.type === 'notice' ? [one.text] : [])),
      ['The answer reached the output limit; Claude goes on.'],
    );
  });

  it('L4: max_tokens in a text goes on and is remembered as one answer', async () => {
    const { end } = await survive([
      reply(thinking('hm'), text('One, '), stop('max_tokens')),
      reply(thinking('and'), text('two')),
    ]);
    assert.deepEqual(end.messages[1]?.content, [{ type: 'text', text: 'One, two' }]);
  });

  it('F8: 429 and 529 three times, then an answer; no tool runs twice', async () => {
    const { end, events } = await survive([
      reply(thinking('hm'), toolUse('read_file', {}, { id: 'once' })),
      apiError(429, { retryAfter: 3 }),
      apiError(529),
      apiError(529),
      reply(text('Done')),
    ]);
    assert.deepEqual([end.end.reason, ran], ['answered', ['once']]);
    assert.deepEqual(
      events.flatMap((agentEvent) => (agentEvent.type === 'retry-wait' ? [agentEvent.delayMs] : [])),
      [3000, 2000, 4000],
    );
  });

  it('F10: a prompt that is too long loses its oldest turns, in the middle of a turn too', async () => {
    const long = apiError(400, { message: 'prompt is too long: 1000001 tokens > 1000000 maximum' });
    const history: Message[] = ['one', 'two', 'three'].flatMap((word) => [
      { role: 'user', content: word },
      { role: 'assistant', content: word },
    ]);
    const first = await survive([long, reply(text('Shorter'))], {}, { history });
    assert.match(first.shown, /2 oldest remembered turns were left out/);
    // The thinking of the round is bound to what has left. Without it this strict API refuses the open round, so that
    // it is told in words.
    const replies = [
      reply(thinking('hm'), toolUse('read_file', {}, { id: 'early' })),
      long,
      reply(text('Shorter')),
    ];
    const second = await survive(replies, {}, { history });
    assert.equal(second.end.end.reason, 'answered');
    assert.deepEqual(resultIds(second.end.messages[2]), ['early']);
  });

  it('F10: the window ending in the middle of an answer does the same', async () => {
    const history: Message[] = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'one' },
    ];
    const full = reply(text('So '), stop('model_context_window_exceeded'));
    const { end } = await survive([full, reply(text('So it is'))], {}, { history });
    assert.deepEqual(end.messages[1]?.content, [{ type: 'text', text: 'So it is' }]);
  });

  it('F11: error events, garbage, unknown kinds and a web page', async () => {
    const busy = await survive([reply(text('a'), streamError()), reply(text('ab'))]);
    assert.deepEqual([busy.end.end.reason, busy.shown], ['answered', 'ab']);
    const odd = [
      garbage(),
      event('weather', { type: 'weather' }),
      foreignBlock({ type: 'hologram' }),
      text('fine'),
    ];
    assert.equal((await survive([reply(...odd)])).end.end.reason, 'answered');
    const page = await survive([htmlPage()]);
    assert.match(describeEnd(page.end.end)?.text ?? '', /^Something other than Claude answered\./);
  });

  it('F11, X1: events that came without their form or their block are damage, and gaps are not', async () => {
    const blockStart = (index: number) =>
      event('content_block_start', {
        type: 'content_block_start',
        index,
        content_block: { type: 'text', text: '' },
      });
    const delta = (index: unknown, piece: unknown) =>
      event('content_block_delta', {
        type: 'content_block_delta',
        index,
        delta: { type: 'text_delta', text: piece },
      });
    const gap = await survive([reply(blockStart(7), delta(7, 'After a gap.'))]);
    assert.deepEqual([gap.end.end.reason, gap.shown], ['answered', 'After a gap.']);
    for (const odd of [
      event('message_stop', null),
      event('message_start', { type: 'message_start', message: 7 }),
      event('message_delta', { type: 'message_delta' }),
      event('content_block_start', {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: 7 },
      }),
      delta(3, 'a block that never began'),
    ]) {
      const { end, shown } = await survive([reply(odd, text('Not to be trusted.'))]);
      assert.deepEqual([end.end.reason, end.messages, shown], ['failed', [], '']);
      assert.match(describeEnd(end.end)?.text ?? '', /^Something other than Claude answered\./);
    }
  });

  it('L3, X2: calls with the same id, or one that the API refuses, get ids of their own and one result each', async () => {
    const { end } = await survive([
      reply(toolUse('read_file', {}, { id: 'call_0' }), toolUse('read_file', {}, { id: 'call_0' })),
      reply(
        toolUse('read_file', { again: true }, { id: 'call_0' }),
        toolUse('read file?', {}, { id: 'call:1' }),
      ),
      reply(text('Read.')),
    ]);
    assert.deepEqual([end.end.reason, ran], ['answered', ['call_0', 'call_0_2', 'call_0_3']]);
    assert.deepEqual(resultIds(end.messages[4]), ['call_0_3', 'call_1']);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('L10, X5: a thought with half a character in it cannot go back, and the turn goes on without it', async () => {
    const { end } = await survive([
      reply(thinking('half \ud83d'), toolUse('read_file', {}, { id: 'a' })),
      reply(text('Read.')),
    ]);
    assert.deepEqual([end.end.reason, ran], ['answered', ['a']]);
    const refused = standIn.journal.refused.map(({ outcome }) => outcome.problem?.message ?? '');
    assert.deepEqual(
      refused.filter((problem) => !problem.includes('thinking')),
      [],
    );
  });

  it('F12: empty, blank, refused and unknown ends', async () => {
    for (const [scripted, reason] of [
      [reply(), 'empty'],
      [reply(text(' \n ')), 'empty'],
      [reply(text('Well'), refusal('No.')), 'refused'],
      [reply(thinking('hm'), toolUse('read_file'), stop('sunset')), 'empty'],
    ] as const) {
      const { end } = await survive([scripted]);
      assert.deepEqual([end.end.reason, end.messages, ran], [reason, [], []]);
    }
  });

  it('L4: a pause in an answer that asks for tools leaves no call without a result', async () => {
    const paused = reply(text('Let me'), toolUse('read_file', {}, { id: 'a' }), stop('pause_turn'));
    // A model that takes back the beginning of its own answer.
    const options = { modelId: 'claude-haiku-4-5' };
    const { end } = await survive([paused, reply(text(' see.'))], {}, options);
    assert.deepEqual([end.end.reason, ran], ['answered', []]);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('L4: a pause in which nothing was said is taken up a few times, and then said', async () => {
    const pause = reply(stop('pause_turn'));
    const { end } = await survive([pause, pause, pause, pause]);
    assert.deepEqual([end.end.reason, end.messages], ['output-limit', []]);
  });

  it('F12: an empty answer after a round keeps the round', async () => {
    const { end } = await survive([reply(thinking('hm'), toolUse('read_file', {}, { id: 'a' })), reply()]);
    assert.deepEqual([end.end.reason, end.messages.length], ['empty', 4]);
  });

  it('F14: a result of 50 MB, binary, NUL, half a surrogate', async () => {
    const outputs = [
      'x'.repeat(50 * 1024 * 1024),
      '\0\u0001\u0002\u0003binary',
      'a\0b and more',
      'half \ud83d',
      '😀'.repeat(30_000),
    ];
    let next = 0;
    const odd = tool('read_file', () => ({ content: outputs[next++] ?? '' }));
    const uses = outputs.map((_, index) => toolUse('read_file', { index }));
    const { end } = await survive([reply(...uses), reply(text('Odd.'))], {}, { tools: [odd] });
    assert.equal(end.end.reason, 'answered');
    assert.ok((standIn.journal.messages[1]?.bodyText.length ?? 0) < 200_000);
  });

  it('F15: an image with the wrong type, a broken one, a huge one', async () => {
    const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;', 'latin1').toString('base64');
    const userContent = [
      image(gif),
      image('AAAA'),
      image('A'.repeat(20 * 1024 * 1024)),
      { type: 'text', text: 'see' } as const,
    ];
    const { shown } = await survive([reply(text('Seen.'))], {}, { userContent });
    assert.match(shown, /^\[2 images were left out/);
  });

  it('L12: a 400 that names a tool leads to one more try without it', async () => {
    const bad = tool('bad', () => ({ content: '' }), {
      inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } },
    });
    standIn.script(reply(text('Without it.')));
    const { shown, end } = await turn({ tools: [read, bad] });
    assert.equal(end.end.reason, 'answered');
    assert.equal(shown, '[Claude cannot use the tool bad, so it was left out.]Without it.');
  });

  it('L12: the same through a gateway that puts words of its own before Claude’s', async () => {
    const refuse = (message: string) => apiError(400, { message: `anthropic error: ${message}` });
    const bad = tool('bad', () => ({ content: '' }));
    standIn.script(
      refuse('tools.0.custom.input_schema: no'),
      refuse('messages.0.content.0.image.source: Could not process image'),
      reply(thinking('hm'), toolUse('read_file', {}, { id: 'a' })),
      refuse('messages.1.content.0: Invalid `signature` in `thinking` block'),
      reply(text('Without them.')),
    );
    const userContent = [
      image(Buffer.from(png(8, 8)).toString('base64')),
      { type: 'text', text: 'x' } as const,
    ];
    const { end, shown } = await turn({ tools: [bad, read], userContent });
    assert.equal(end.end.reason, 'answered');
    assert.match(shown, /cannot use the tool bad[^]*could not use an image/);
  });

  it('L12, X3: documents that Claude cannot read leave, however many they are, and the turn goes on', async () => {
    const unreadable = [1, 2, 3].map((number) => {
      const data = btoa(`no %PDF-1.${number} %%EOF`);
      return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } } as const;
    });
    standIn.script(reply(text('Nothing to read.')));
    const { end } = await turn({ userContent: [...unreadable, { type: 'text', text: 'read these' }] });
    assert.equal(end.end.reason, 'answered');
    assert.equal(standIn.journal.messages.length, 3);
  });

  it('M16: a result for a call of an earlier turn is accepted, thinking or not', async () => {
    standIn.script(reply(thinking('hm'), toolUse('read_file', {}, { id: 'open' })));
    const first = await turn({ maxRounds: 1 });
    standIn.script(reply(text('Blue it is.')));
    const second = await turn({
      earlier: first.end.messages.slice(0, 2),
      userContent: [{ type: 'tool_result', tool_use_id: 'open', content: 'blue' }],
    });
    assert.deepEqual(second.end.end, { reason: 'answered' });
  });

  it('X7: a redirect is not followed: neither the conversation nor a header of the person goes elsewhere', async () => {
    const elsewhere = await startElsewhere();
    const model = createClaude({
      apiKey: () => Promise.resolve(undefined),
      baseUrl: standIn.url,
      headers: { 'x-api-key': 'sk-ant-of-the-person' },
    });
    try {
      for (const status of [307, 308] as const) {
        const away = redirect(`http://${elsewhere.address}/v1/messages`, status);
        const { end } = await survive([away], {}, { model });
        assert.equal(end.end.reason === 'failed' && end.end.error.kind, 'not-claude');
      }
      assert.deepEqual(elsewhere.visits, []);
    } finally {
      elsewhere.close();
    }
  });
});

function resultIds(message: Message | undefined): readonly string[] {
  const content = message && typeof message.content === 'object' ? message.content : [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

/** Stops the turn at an event. */
function stopAt(fits: (agentEvent: AgentEvent) => boolean): Parameters<typeof ranTurn>[1] {
  const stopper = new AbortController();
  return { signal: stopper.signal, onEvent: (agentEvent) => fits(agentEvent) && stopper.abort() };
}

/** Says that it is a PNG, whatever it is. */
function image(data: string): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}
