import assert from 'node:assert/strict';
import { wait } from '../../../src/vscode/wait';

describe('a wait', () => {
  const hour = 3_600_000;
  const { signal } = new AbortController();

  it('L6: ends when it is stopped, and when another message has come', async () => {
    const stop = new AbortController();
    const waits = [wait(hour, stop.signal), wait(hour, stop.signal, () => false)];
    stop.abort();
    await Promise.all([...waits, wait(hour, stop.signal)]);
    let looks = 0;
    await wait(hour, signal, () => ++looks === 2);
    assert.equal(looks, 2);
  });

  it('takes as long as it is told to, when nothing comes', async () => {
    const start = performance.now();
    await Promise.all([wait(300, signal), wait(300, signal, () => false)]);
    assert.ok(performance.now() - start >= 295);
  });
});
