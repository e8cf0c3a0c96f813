import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/core/agent/events';
import { ImageGate } from '../../../../src/core/agent/imageGate';
import { prepareToolCall } from '../../../../src/core/agent/runToolCall';
import { runTools, type FinishedCall } from '../../../../src/core/agent/runTools';
import { ToolError } from '../../../../src/core/errors';
import type { Tool, ToolCall, ToolOutput } from '../../../../src/core/tools/tool';
import { tool } from '../../../support/turns';

async function run(
  calls: readonly ToolCall[],
  tools: readonly Tool[],
  { wait = (): Promise<void> => new Promise(() => undefined), signal = new AbortController().signal } = {},
): Promise<{ readonly events: readonly AgentEvent[]; readonly results: readonly FinishedCall[] }> {
  const events: AgentEvent[] = [];
  const prepared = calls.map((one) => prepareToolCall(one, tools));
  const options = { wait, images: new ImageGate(), yieldRequested: () => false };
  const running = runTools(prepared, options, signal);
  for (;;) {
    const { done, value } = await running.next();
    if (done) return { events, results: value };
    events.push(value);
  }
}

function call(id: string, name: string, input: unknown = {}): ToolCall {
  return { id, name, input };
}

function contentOf(result: FinishedCall | undefined): string {
  return typeof result?.output.content === 'string' ? result.output.content : '';
}

/** Notes when each call starts and ends; a call ends when the test says so, or at once. */
function recorder(): { log: string[]; release: Map<string, () => void>; reads: Tool; writes: Tool } {
  const log: string[] = [];
  const release = new Map<string, () => void>();
  const runIt = async ({ id, name }: ToolCall): Promise<{ content: string }> => {
    log.push(`start ${id}`);
    if (name === 'read') await new Promise<void>((resolve) => release.set(id, resolve));
    log.push(`end ${id}`);
    return { content: id };
  };
  return { log, release, reads: tool('read', runIt), writes: tool('write', runIt, { effect: 'writes' }) };
}

describe('runTools', () => {
  it('L2: runs reads side by side and gives results in the order asked', async () => {
    const { log, release, reads } = recorder();
    const running = run([call('a', 'read'), call('b', 'read')], [reads]);
    while (release.size < 2) await Promise.resolve();
    release.get('b')?.();
    while (!log.includes('end b')) await Promise.resolve();
    release.get('a')?.();
    const { results, events } = await running;
    assert.deepEqual(log, ['start a', 'start b', 'end b', 'end a']);
    assert.deepEqual(
      results.map(({ output }) => output.content),
      ['a', 'b'],
    );
    assert.deepEqual(
      events.map((event) =>
        event.type === 'tool-start' || event.type === 'tool-end' ? `${event.type} ${event.call.id}` : '',
      ),
      ['tool-start a', 'tool-start b', 'tool-end b', 'tool-end a'],
    );
  });

  it('X9: of hundreds of calls in one answer sixteen run at a time, and each has its result', async () => {
    let now = 0;
    let most = 0;
    const reads = tool('read', async ({ id }) => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      return { content: id };
    });
    const ids = Array.from({ length: 300 }, (_, index) => `call-${index}`);
    const { results } = await run(
      ids.map((id) => call(id, 'read')),
      [reads],
    );
    assert.deepEqual(results.map(contentOf), ids);
    assert.equal(most, 16);
  });

  it('X9: hundreds of long results share the room of a round, and each says that it was cut', async () => {
    const long = tool('long', () => ({ content: 'x'.repeat(100_000) }));
    const resultsOf = async (count: number) => {
      const calls = Array.from({ length: count }, (_, index) => call(`c${index}`, 'long'));
      return (await run(calls, [long])).results.map(contentOf);
    };
    const [few, many] = [await resultsOf(20), await resultsOf(400)];
    assert.ok(few.every((text) => text.length > 30_000));
    assert.ok(many.every((text) => text.length < 2_000 && /characters left out/.test(text)));
  });

  it('L2: runs writes one after another in the order asked', async () => {
    const { log, writes } = recorder();
    await run([call('a', 'write'), call('b', 'write'), call('c', 'write')], [writes]);
    assert.deepEqual(log, ['start a', 'end a', 'start b', 'end b', 'start c', 'end c']);
  });

  it('L2: reads before a write see the old state, reads after it the new one', async () => {
    let file = 'old';
    const write = tool(
      'write',
      async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { content: (file = 'new') };
      },
      { effect: 'writes' },
    );
    const read = tool('read', async () => {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      return { content: file };
    });
    const { results } = await run([call('a', 'read'), call('b', 'write'), call('c', 'read')], [read, write]);
    assert.deepEqual(
      results.map(({ output }) => output.content),
      ['old', 'new', 'new'],
    );
  });

  it('P5: tells at the end of a call which files it touched', async () => {
    const files = [{ folder: { name: 'app', root: '/work/app' }, path: 'a.ts' }];
    const { events } = await run([call('a', 'read')], [tool('read', () => ({ content: 'A', files }))]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'tool-end' ? [event.output.files] : [])),
      [files],
    );
  });

  describe('L13: what calls led to', () => {
    const changing = (id: string, aftermath: ToolOutput['aftermath']) =>
      tool(id, () => ({ content: `${id} done`, ...(aftermath && { aftermath }) }), { effect: 'writes' });
    const found = (id: string) => ({ content: `${id} broke`, notice: `1 in ${id}` });

    it('L13: is asked for once all have run, at the same time, and follows result and answer', async () => {
      const log: string[] = [];
      let release = (): void => undefined;
      const other = new Promise<void>((resolve) => (release = resolve));
      const { events, results } = await run(
        [call('1', 'a'), call('2', 'b')],
        [
          changing('a', async () => {
            log.push('a waits');
            await other;
            return found('a');
          }),
          changing('b', async () => {
            log.push('b waits');
            release();
            return found('b');
          }),
        ],
      );
      assert.deepEqual(log, ['a waits', 'b waits']);
      assert.deepEqual(results.map(contentOf), ['a done\n\na broke', 'b done\n\nb broke']);
      assert.deepEqual(
        events.map((event) => (event.type === 'notice' ? event.text : event.type)),
        ['tool-start', 'tool-end', 'tool-start', 'tool-end', '1 in a', '1 in b'],
      );
    });

    it('L13: nothing to add changes nothing, and a failure does not count', async () => {
      const { events, results } = await run(
        [call('1', 'a'), call('2', 'b'), call('3', 'c')],
        [
          changing('a', async () => undefined),
          changing('b', () => Promise.reject(new Error('lost'))),
          changing('c', undefined),
        ],
      );
      assert.deepEqual(results.map(contentOf), ['a done', 'b done', 'c done']);
      assert.ok(events.every(({ type }) => type !== 'notice'));
    });

    it('L13, L6: Stop while it waits leaves each call its result', async () => {
      const stop = new AbortController();
      const waits = changing('a', async (signal) => {
        const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        stop.abort();
        await aborted;
        return undefined;
      });
      const { results } = await run([call('1', 'a')], [waits], { signal: stop.signal });
      assert.deepEqual(
        results.map(({ output }) => [output.content, output.isError]),
        [['a done', undefined]],
      );
    });

    it('L13, L11: is cut with the result that it follows', async () => {
      const long = { content: 'x'.repeat(100_000), notice: 'many' };
      const { results } = await run([call('1', 'a')], [changing('a', async () => long)]);
      assert.match(contentOf(results[0]), /^a done[^]*characters left out/);
      assert.ok(contentOf(results[0]).length < 31_000);
    });
  });

  it('L3: answers a call to an unknown tool with the names there are', async () => {
    const { results } = await run(
      [call('a', 'raed')],
      [tool('read', () => ({ content: '' })), tool('look', () => ({ content: '' }))],
    );
    assert.deepEqual(results[0]?.output, {
      content: 'There is no tool "raed". Use one of these: look, read.',
      isError: true,
    });
  });

  it('L3: answers an input that fails its schema with what is wrong, and runs nothing', async () => {
    let ran = 0;
    const read = tool('read', () => ({ content: String(++ran) }), {
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
        required: ['path'],
        additionalProperties: false,
      },
    });
    const bad = [{}, { path: 1 }, { path: 'a', lines: ['x'] }, { path: 'a', extra: 1 }, 'text', null, []];
    const { results } = await run(
      bad.map((input, index) => call(`c${index}`, 'read', input)),
      [read],
    );
    assert.equal(ran, 0);
    assert.deepEqual(
      results.map(({ output }) => output.isError),
      bad.map(() => true),
    );
    assert.match(contentOf(results[0]), /path.*Correct it and call the tool again\./);
    assert.match(contentOf(results[2]), /#\/lines\/0/);
  });

  it('L3: leaves the schema of a tool as it was, also when it is frozen', async () => {
    const path = Object.freeze({ type: 'string' });
    const inputSchema = Object.freeze({ type: 'object', properties: Object.freeze({ path }) } as const);
    const read = tool('read', () => ({ content: 'ok' }), { inputSchema });
    const { results } = await run([call('a', 'read', { path: 'x' }), call('b', 'read', { path: 1 })], [read]);
    assert.deepEqual(
      results.map(({ output }) => output.isError ?? false),
      [false, true],
    );
  });

  it('L3: lets a tool check its input itself when its schema is beyond us', async () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { $ref: 'https://example.org/x.json' } },
    } as const;
    const { results } = await run(
      [call('a', 'read', { a: 1 })],
      [tool('read', () => ({ content: 'ok' }), { inputSchema })],
    );
    assert.deepEqual(results[0]?.output, { content: 'ok' });
  });

  it('L3: makes every failure a result', async () => {
    const told = tool('told', () => {
      throw new ToolError('Use another one.');
    });
    const bug = tool('bug', () => {
      throw new TypeError('x is not a function');
    });
    const oddities: readonly unknown[] = [
      new Error(),
      undefined,
      Object.create(null),
      { code: 7 },
      Object.defineProperty({}, 'message', {
        get: () => {
          throw new Error('never');
        },
      }),
    ];
    const odd = tool('odd', ({ id }) => Promise.reject(oddities[Number(id)]));
    const ids = [...oddities.keys()].map(String);
    const { results } = await run(
      [call('a', 'told'), call('b', 'bug'), ...ids.map((id) => call(id, 'odd'))],
      [told, bug, odd],
    );
    assert.deepEqual(
      results.map(({ output }) => output.content),
      [
        'Use another one.',
        'bug failed: x is not a function. Try another way, or tell the person what went wrong.',
        ...['no reason given', 'undefined', '{}', '{"code":7}', 'no reason given'].map(
          (reason) => `odd failed: ${reason}. Try another way, or tell the person what went wrong.`,
        ),
      ],
    );
  });

  it('L3: stops a tool that takes too long, and says so', async () => {
    let signalled = false;
    const slow = tool(
      'slow',
      (_call, signal) => {
        signal.addEventListener('abort', () => (signalled = true));
        return new Promise(() => undefined);
      },
      { timeoutMs: 5000 },
    );
    const { results } = await run([call('a', 'slow')], [slow], { wait: () => Promise.resolve() });
    assert.equal(signalled, true);
    assert.deepEqual(results[0]?.output, {
      content: 'slow took longer than 5 seconds and was stopped. Try something smaller, or another way.',
      isError: true,
    });
  });

  it('L6: does not start what was asked after a stop', async () => {
    const stopper = new AbortController();
    const { log, writes } = recorder();
    const stop = tool('stop', () => {
      stopper.abort();
      return { content: 'stopped' };
    });
    const { results } = await run([call('a', 'stop'), call('b', 'write')], [stop, writes], {
      signal: stopper.signal,
    });
    assert.deepEqual(log, []);
    assert.deepEqual(results[1]?.output, {
      content: 'Not run: the person stopped this turn. Call it again if it is still needed.',
      isError: true,
    });
  });

  it('L11: caps a result and never sends an empty one, nor an image as an error', async () => {
    const long = tool('long', () => ({ content: 'x'.repeat(50_000) }));
    const empty = tool('empty', () => ({ content: [] }));
    const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } } as const;
    const bad = tool('bad', () => ({ content: [{ type: 'text', text: 'no' }, image], isError: true }));
    const { results } = await run(
      [call('a', 'long'), call('b', 'empty'), call('c', 'bad')],
      [long, empty, bad],
    );
    assert.match(contentOf(results[0]), /^x{30000}\n\[20000 of 50000 characters left out\. .*\]$/);
    assert.deepEqual(results[1]?.output, { content: '(no output)' });
    assert.deepEqual(results[2]?.output, { content: 'no', isError: true });
  });

  it('F15: puts a text in the place of an image that Claude would refuse', async () => {
    const broken = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    } as const;
    const { results } = await run(
      [call('a', 'shot')],
      [tool('shot', () => ({ content: [{ type: 'text', text: 'see' }, broken] }))],
    );
    assert.deepEqual(results[0]?.output.content, [
      { type: 'text', text: 'see' },
      { type: 'text', text: '[Image left out: it is not a complete PNG, JPEG, GIF or WebP image]' },
    ]);
  });
});
