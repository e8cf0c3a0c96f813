import assert from 'node:assert/strict';
import { findMutants, sampleOf, withMutants } from '../../mutate/mutants';

/** What is changed for `npm run mutate`. */
describe('mutants', () => {
  const changesOf = (source: string): string[] =>
    findMutants('a.ts', source).map(({ before, after }) => `${before} -> ${after}`);

  it('change each operator, condition and constant by itself', () => {
    assert.deepEqual(changesOf('if (a < b + 1) c++;'), [
      'a < b + 1 -> true',
      'a < b + 1 -> false',
      'a < b + 1 -> (a) <= (b + 1)',
      'a < b + 1 -> (a) >= (b + 1)',
      'b + 1 -> (b) - (1)',
      '1 -> 2',
      'c++ -> c--',
    ]);
    assert.deepEqual(changesOf('while (!a) b = c ?? true;'), [
      '!a -> !(!a)',
      '!a -> !!(a)',
      'c ?? true -> (c) && (true)',
      'true -> false',
    ]);
  });

  it('leave texts, types and names of properties alone', () => {
    assert.deepEqual(changesOf("type A = 1 | true; const a: 2[] = { 3: 'x' + b + `${c}` }; d += 'y';"), []);
  });

  it('are all in one file, of which one at a time counts', () => {
    const source = '1 + (x > 2 ? (a ?? b ?? c) : 3)';
    const mutants = new Map(findMutants('a.ts', source).entries());
    const body = `return ${withMutants(source, mutants)}`;
    // oxlint-disable-next-line typescript/no-implied-eval
    const compute = new Function('__mutant', 'x', 'a', 'b', 'c', body);
    const run = (chosen?: number): unknown =>
      compute((number: number) => number === chosen, 2, undefined, 7, 9);
    assert.equal(run(), 4);
    const results = [...mutants].map(([number, { after }]): unknown[] => [after, run(number)]);
    assert.deepEqual(Object.fromEntries(results), {
      '(1) - ((x > 2 ? (a ?? b ?? c) : 3))': -2,
      '2': 5,
      true: 8,
      false: 4,
      '(x) >= (2)': 8,
      '(x) <= (2)': 8,
      '3': 4,
      '(a ?? b) && (c)': 4,
      '(a) && (b)': 4,
      '4': 5,
    });
  });

  it('of a sample stay the same when code around them changes', () => {
    const before = findMutants('a.ts', 'f(a < b);\nf(a < b);\ng(1, 2, 3);');
    const after = findMutants('a.ts', 'h();\nf(a < b);\nif (c) {\n  f(a < b);\n}\ng(1, 2, 3);');
    const ranks = after.map(({ rank }) => rank);
    assert.equal(new Set(ranks).size, ranks.length);
    assert.deepEqual(
      before.filter(({ rank }) => !ranks.includes(rank)),
      [],
    );
    const places = sampleOf(after, 4).map(({ start }) => start);
    assert.equal(places.length, 4);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });
});
