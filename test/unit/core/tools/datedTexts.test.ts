import assert from 'node:assert/strict';
import { datedName, datedNames, idIn, keepNewest } from '../../../../src/core/tools/datedTexts';
import { BreakableTexts } from '../../../support/conversation/breakableTexts';

describe('dated texts', () => {
  it('have their id in their name, as far as a file name can', () => {
    assert.equal(datedName(12.5, 'toolu_a-B'), '000000000000012-toolu_a-B.json');
    assert.equal(idIn(datedName(12, 'toolu_a-B')), 'toolu_a-B');
    assert.equal(datedName(12, '../a b'), '000000000000012-___a_b.json');
    assert.equal(idIn(datedName(1, 'x'.repeat(300))).length, 100);
  });

  it('leave oldest first, whoever wrote them, and what is of somebody else stays', async () => {
    const files = new BreakableTexts();
    for (const at of [1_000, 9, 10, 2]) await files.write(datedName(at, 'a'), '');
    await files.write('notes.json', '');
    await keepNewest(files, 3);
    assert.deepEqual(await datedNames(files), [datedName(9, 'a'), datedName(10, 'a'), datedName(1_000, 'a')]);
    assert.ok((await files.names()).includes('notes.json'));
  });
});
