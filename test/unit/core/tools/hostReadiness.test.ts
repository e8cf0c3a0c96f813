import assert from 'node:assert/strict';
import { createHostReadiness } from '../../../../src/core/tools/hostReadiness';

describe('L9: the wait for the tools of VS Code', () => {
  /** A host whose terminal tool comes at this time, and a clock that only waiting moves. */
  function hostWhere(terminalAt: number) {
    let now = 1_000;
    const start = now;
    const ready = createHostReadiness({
      toolNames: () => (now - start >= terminalAt ? ['manage_todo_list', 'run_in_terminal'] : ['other']),
      clock: () => now,
      wait: async (ms) => void (now += ms),
    });
    return { ready, elapsed: () => now - start, pass: (ms: number) => void (now += ms) };
  }
  const { signal } = new AbortController();

  it('does not hold up a request when they are there', async () => {
    const { ready, elapsed } = hostWhere(0);
    await ready(signal);
    assert.equal(elapsed(), 0);
  });

  it('ends as soon as they have come', async () => {
    const { ready, elapsed } = hostWhere(420);
    await ready(signal);
    assert.equal(elapsed(), 450);
  });

  it('ends three seconds after the start where they never come, and is over for all later requests', async () => {
    const { ready, elapsed, pass } = hostWhere(Infinity);
    pass(2_000);
    await ready(signal);
    assert.equal(elapsed(), 3_000);
    await ready(signal);
    assert.equal(elapsed(), 3_000);
  });

  it('ends with Stop, and does not last for ever when the clock is set back', async () => {
    const stopped = hostWhere(Infinity);
    await stopped.ready(AbortSignal.abort());
    assert.equal(stopped.elapsed(), 0);
    const setBack = hostWhere(Infinity);
    setBack.pass(-3_600_000);
    await setBack.ready(signal);
    assert.equal(setBack.elapsed(), -3_600_000);
  });
});
