import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/core/errors';
import { traceOf } from '../../../../src/core/secrets/errorTrace';

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

describe('the trace of an exception for the log', () => {
  it('says what kind it is, where it was thrown, and what caused it', () => {
    const cause = thrown(() => Reflect.get(Object(null), 'a').b);
    const trace = traceOf(new Error('The list is damaged', { cause }));
    const [first = '', ...lines] = trace.split('\n');
    assert.equal(first, 'Error: The list is damaged');
    assert.ok(
      lines.some((line) => /^ +at .*errorTrace\.test/.test(line)),
      trace,
    );
    assert.ok(lines.includes('caused by TypeError: Cannot read properties of undefined'), trace);
  });

  it('M22: quotes nothing that anybody said, in whatever way an exception does', () => {
    const canary = 'my secret plan';
    const errors = [
      thrown(() => JSON.parse(canary)),
      thrown(() => JSON.parse(`{"a": ${canary}}`)),
      thrown(() => new RegExp(`(${canary}`)),
      thrown(() => new URL(`http://${canary}`)),
      thrown(() => structuredClone({ [canary]: () => canary })),
      thrown(() => Reflect.get(Object(null), 'a')[canary]),
      new Error(`No such turn: ${canary}`),
      new Error(`No such turn ("${canary}")`),
      new Error(`a\n    at ${canary} (x.ts:1:1)`),
      new ModelError('unexpected', 'no', { cause: new Error(`No such turn: ${canary}`) }),
      Object.assign(new Error(`ENOENT: no such file, open '${canary}'`), { code: 'ENOENT', syscall: 'open' }),
      canary,
      { message: canary },
    ];
    for (const error of errors) assert.ok(!traceOf(error).includes('secret plan'), traceOf(error));
    assert.match(traceOf(errors[10]), /^Error \(ENOENT open\): ENOENT\n/);
  });
});
