import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sharedStorage } from '../../../../src/vscode/memory/sharedStorage';

describe('sharedStorage', () => {
  const folder = (id: string) => join('/data/workspaceStorage', id, 'publisher.name');

  it('M6: is the folder of the first window for every window on a workspace', () => {
    for (const id of ['0d2f7c1b', '-5af2310b', 'ext-dev']) {
      assert.deepEqual(
        [id, `${id}-1`, `${id}-9`].map((one) => sharedStorage(folder(one))),
        [folder(id), folder(id), folder(id)],
      );
    }
  });

  it('takes no part of an id for the number of a window', () => {
    for (const id of ['-5', '1700000000000', 'a-0', 'a-12'])
      assert.equal(sharedStorage(folder(id)), folder(id));
  });
});
