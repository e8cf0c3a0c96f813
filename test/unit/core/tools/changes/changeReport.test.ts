import assert from 'node:assert/strict';
import { countedChanges, titleOfTurn } from '../../../../../src/core/tools/changes/changeReport';
import type { ListedChange } from '../../../../../src/core/tools/changes/fileChange';

const change = (path: string, words = 'Fix the discount'): ListedChange => ({
  id: 1,
  turnId: 't',
  at: 5,
  words,
  kind: 'edit',
  place: { folder: { name: 'app', root: '/work/app' }, path },
  added: 3,
  removed: 1,
  canBeUndone: true,
  from: undefined,
});

describe('what Claude changed, in few words', () => {
  it('C2: counts each file once, and all lines', () => {
    assert.equal(countedChanges([change('a.ts')]), '1 file, +3 −1');
    assert.equal(countedChanges([change('a.ts'), change('a.ts'), change('b.ts')]), '2 files, +9 −3');
  });

  it('C1: a turn goes by its words, or by when it was', () => {
    const formatTime = (at: number) => `time ${at}`;
    assert.equal(titleOfTurn([change('a.ts'), change('b.ts')], formatTime), 'Fix the discount · +6 −2');
    assert.equal(titleOfTurn([change('a.ts', '')], formatTime), 'Turn of time 5 · +3 −1');
    assert.equal(titleOfTurn([], formatTime), '');
  });
});
