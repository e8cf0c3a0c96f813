import assert from 'node:assert/strict';
import { DeltaQueue } from '../../../src/claude/eventStream';

async function readAll(queue: DeltaQueue): Promise<string[]> {
  const seen: string[] = [];
  for await (const { type, text } of queue.read()) seen.push(`${type} ${text}`);
  return seen;
}

describe('DeltaQueue', () => {
  it('L1: passes the first piece at once, and then all that arrives together as one', async () => {
    const queue = new DeltaQueue();
    const reading = queue.read();
    queue.push({ type: 'text-delta', text: 'a' });
    assert.deepEqual((await reading.next()).value, { type: 'text-delta', text: 'a' });
    for (const text of ['b', 'c', 'd']) queue.push({ type: 'text-delta', text });
    assert.deepEqual((await reading.next()).value, { type: 'text-delta', text: 'bcd' });
    queue.end();
    assert.equal((await reading.next()).done, true);
  });

  it('keeps text and thinking apart, in order', async () => {
    const queue = new DeltaQueue();
    queue.push({ type: 'thinking-delta', text: 'hm' });
    queue.push({ type: 'text-delta', text: 'a' });
    queue.push({ type: 'text-delta', text: 'b' });
    queue.push({ type: 'thinking-delta', text: 'so' });
    queue.end();
    assert.deepEqual(await readAll(queue), ['thinking-delta hm', 'text-delta ab', 'thinking-delta so']);
  });

  it('passes all that came before an error, then throws it', async () => {
    const queue = new DeltaQueue();
    const reading = queue.read();
    queue.push({ type: 'text-delta', text: 'a' });
    queue.end({ error: new Error('broken') });
    assert.deepEqual((await reading.next()).value, { type: 'text-delta', text: 'a' });
    await assert.rejects(reading.next(), /broken/);
  });
});
