import assert from 'node:assert/strict';
import { keepsLines, progressOf, stepsOf, titleOf } from '../../../../../src/core/tools/plans/plan';

describe('the text of a plan', () => {
  it('N3: has its steps in the lines with a box, however they are listed, and not in code', () => {
    const text = [
      '# Prices',
      '- [ ] one',
      '  * [x] two',
      '3. [X] three',
      '- [] no box',
      '- no box either',
      '- [ ]',
      '```md',
      '- [ ] in code',
      '```',
      '~~~~',
      '- [ ] in code, too',
      '~~~',
      '- [ ] still',
      '~~~~',
      '+ [ ] four\r',
      '',
    ].join('\n');
    assert.deepEqual(stepsOf(text), [
      { title: 'one', isDone: false },
      { title: 'two', isDone: true },
      { title: 'three', isDone: true },
      { title: 'four', isDone: false },
    ]);
    assert.deepEqual(progressOf(text), { done: 2, total: 4 });
    assert.deepEqual(progressOf(''), { done: 0, total: 0 });
  });

  it('N2: is called by its first heading, or by its first line', () => {
    assert.equal(titleOf('\nsome words\n\n## Raise  the prices\n'), 'Raise the prices');
    assert.equal(titleOf('- [ ] Raise them\n- [ ] Test them'), 'Raise them');
    assert.equal(titleOf('2. second'), 'second');
    assert.equal(titleOf('  \n'), '');
  });

  it('N3: keeps its lines when steps are ticked or added, and loses one that is reworded or left out', () => {
    const before = '# Prices\n\n- [ ] one\n1. [ ] two\n';
    assert.ok(keepsLines(before, '# Prices\r\n- [x] one\r\n1. [X] two\r\n- [ ] three'));
    assert.ok(!keepsLines(before, '# Prices\n- [x] one'));
    assert.ok(!keepsLines(before, '# Prices\n- [x] the one\n1. [ ] two'));
    assert.ok(!keepsLines('# A\n- [ ] test\n# B\n- [ ] test', '# A\n# B\n- [x] test'));
  });
});
