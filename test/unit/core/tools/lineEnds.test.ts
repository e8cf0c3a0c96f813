import assert from 'node:assert/strict';
import { replaceText } from '../../../../src/core/tools/replaceText';
import { cpuTime } from '../../../support/cpuTime';

const options = { shown: 'a.txt', isSecret: false };
const replace = (text: string, old_text: string, new_text: string, replace_all = false) =>
  replaceText(text, [{ old_text, new_text, replace_all }], options);

describe('line ends of an edited text', () => {
  const cases: readonly (readonly [string, readonly [string, string, string], string])[] = [
    ['stay around the edit', ['a\r\nb\nc\rd\r\n', 'b', 'B'], 'a\r\nB\nc\rd\r\n'],
    ['stay in lines that the edit only repeats', ['a\r\nb\nc\rd\n', 'a\nb\nc', 'a\nB\nc'], 'a\r\nB\nc\rd\n'],
    [
      'stay between two changed lines',
      ['1\r\n2\n3\r\n4\n5\n', '1\n2\n3\n4', 'one\n2\n3\nfour'],
      'one\r\n2\n3\r\nfour\n5\n',
    ],
    ['of new lines are those of the lines they replace', ['a\r\nb\nc\r\n', 'a\nb', 'x\ny'], 'x\r\ny\nc\r\n'],
    [
      'of more lines are those of the first replaced',
      ['a\nb\r\nc\nd\n', 'b\nc', 'b\nx\ny\nc'],
      'a\nb\r\nx\r\ny\r\nc\nd\n',
    ],
    ['of lines added in one are those behind it', ['a\nb\r\nc\n', 'b', 'b\nb2'], 'a\nb\r\nb2\r\nc\n'],
    [
      'of lines added in the last are those before it',
      ['a\r\nb\nc\r\nd', 'd', 'd\ne'],
      'a\r\nb\nc\r\nd\r\ne',
    ],
    ['of lines added to one line without any are Unix', ['a', 'a', 'a\nb'], 'a\nb'],
    ['may be replaced themselves', ['a\r\nb\nc', 'a\nb', 'ab'], 'ab\nc'],
    ['may be replaced alone', ['a\r\nb\nc\r\n', '\n', ''], 'abc'],
    ['may be found at the start of what is replaced', ['a\r\nb\n', '\nb', '\nc'], 'a\r\nc\n'],
    ['do not count twice', ['a\r\nb\n\nc', 'a\nb\n\n', 'x\n'], 'x\r\nc'],
  ];
  for (const [name, [text, wanted, next], expected] of cases) {
    it(name, () => assert.equal(replace(text, wanted, next, true), expected));
  }

  it('are found in a moment for a hundred thousand places in one line', () => {
    const text = `\r\n\n${'x,'.repeat(100_000)}`;
    const elapsed = cpuTime(() => {
      assert.equal(replace(text, ',', ',\n', true), `\r\n\n${'x,\n'.repeat(100_000)}`);
      assert.equal(replace('x,'.repeat(100_000), ',', ',\n', true), 'x,\n'.repeat(100_000));
    });
    assert.ok(elapsed < 2_000, `${elapsed.toFixed(0)} ms`);
  });

  it('are no match where there is only one', () => {
    assert.throws(() => replace('a\r\nb', 'a\n\nb', 'x'), /does not occur/);
  });

  it('are those of each place where all are replaced', () => {
    assert.equal(replace('a\r\nx\na\nx\r\n', 'a\nx', 'b\ny', true), 'b\r\ny\nb\ny\r\n');
  });

  it('are kept by any number of edits, whatever they are', () => {
    const ends = ['\n', '\r\n', '\r'];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 500; round++) {
      const lines = Array.from({ length: 12 }, (_, at) => `line ${at}${ends[random(3)]}`);
      const at = random(12);
      const changed = lines.with(at, lines[at]!.replace('line', 'LINE'));
      // Lines around the changed one are part of the edit as well, as models write them.
      const from = random(at + 1);
      const to = at + 1 + random(12 - at);
      const unix = (all: readonly string[]) => all.slice(from, to).join('').replace(/\r\n?/g, '\n');
      assert.equal(replace(lines.join(''), unix(lines), unix(changed)), changed.join(''));
    }
  });
});
