import assert from 'node:assert/strict';
import { createToolWait } from '../../../../src/core/tools/waitForTools';

describe('the wait for tools that come late', () => {
  /** A host whose tools come at these times, and a clock that only waiting moves. */
  function hostWhere(arrivals: Readonly<Record<string, number>>) {
    let now = 1_000;
    const start = now;
    const elapsed = () => now - start;
    const isThere = ([, at]: readonly [string, number]) => elapsed() >= at;
    const waitForTools = createToolWait({ clock: () => now, wait: async (ms) => void (now += ms) });
    return {
      ready: (signal = new AbortController().signal, wanted: readonly string[] = []) =>
        waitForTools(
          {
            names: () =>
              Object.entries(arrivals)
                .filter(isThere)
                .map(([name]) => name),
            wanted,
          },
          signal,
        ),
      elapsed,
      pass: (ms: number) => void (now += ms),
    };
  }
  const terminalAt = (at: number) => hostWhere({ manage_todo_list: 0, run_in_terminal: at });

  it('L9: does not hold up a request when they are there', async () => {
    const { ready, elapsed } = terminalAt(0);
    await ready();
    assert.equal(elapsed(), 0);
  });

  it('L9: ends as soon as they have come', async () => {
    const { ready, elapsed } = terminalAt(420);
    await ready();
    assert.equal(elapsed(), 450);
  });

  it('L9: ends three seconds after the start where they never come, and is over for all later requests', async () => {
    const { ready, elapsed, pass } = terminalAt(Infinity);
    pass(2_000);
    await ready();
    assert.equal(elapsed(), 3_000);
    await ready();
    assert.equal(elapsed(), 3_000);
  });

  it('L9: ends with Stop, and does not last for ever when the clock is set back', async () => {
    const stopped = terminalAt(Infinity);
    await stopped.ready(AbortSignal.abort());
    assert.equal(stopped.elapsed(), 0);
    const setBack = terminalAt(Infinity);
    setBack.pass(-3_600_000);
    await setBack.ready();
    assert.equal(setBack.elapsed(), -3_600_000);
  });

  it('M16: the answer to a question waits for the tools that it was asked with, long after the start too', async () => {
    const { ready, elapsed, pass } = hostWhere({ run_in_terminal: 0, read_file: 0, mcp_search: 61_000 });
    pass(60_000);
    await ready(undefined, ['read_file', 'mcp_search']);
    assert.equal(elapsed(), 61_000);
  });

  it('M16: the answer goes on after five seconds without a tool that never comes', async () => {
    const { ready, elapsed, pass } = hostWhere({ run_in_terminal: Infinity });
    pass(1_000);
    await ready(undefined, ['gone']);
    assert.equal(elapsed(), 6_000);
    await ready(AbortSignal.abort(), ['gone']);
    assert.equal(elapsed(), 6_000);
  });
});
