import assert from 'node:assert/strict';
import {
  decodeMarks,
  isSameProject,
  originOf,
  type ProjectMarks,
} from '../../../../../src/core/conversation/archive/project';

const marks = (given: Partial<ProjectMarks>): ProjectMarks => ({
  path: '/old',
  origins: [],
  rootCommits: [],
  ...given,
});

describe('a project', () => {
  it('is the same after its folder was renamed', () => {
    assert.ok(isSameProject(marks({ folderId: '1:2:3' }), marks({ folderId: '1:2:3', path: '/new' })));
  });

  it('is the same in another place when origin and first commit are', () => {
    const one = marks({ origins: ['example.com/shop'], rootCommits: ['abc'], folderId: '1:2:3' });
    assert.ok(isSameProject(one, { ...one, path: '/new', folderId: '9:9:9' }));
  });

  it('is the same without a remote when the first commit is', () => {
    assert.ok(isSameProject(marks({ rootCommits: ['abc'] }), marks({ rootCommits: ['abc'] })));
  });

  it('is another one when it is a fork, or a new one of the same template', () => {
    const one = marks({ origins: ['example.com/shop'], rootCommits: ['abc'] });
    assert.ok(!isSameProject(one, { ...one, origins: ['example.com/fork'] }));
    assert.ok(!isSameProject(one, { ...one, rootCommits: ['def'] }));
  });

  it('is not the same because nothing is known of either', () => {
    assert.ok(!isSameProject(marks({}), marks({})));
  });

  it('S7: has one origin however it is written, and none of its credentials', () => {
    const forms = [
      'https://example.com/acme/shop.git',
      'https://user:secret-token@Example.com/acme/shop',
      'ssh://git@example.com:22/acme/shop.git/',
      'git@example.com:acme/shop.git',
      'example.com:acme/shop',
    ];
    assert.deepEqual([...new Set(forms.map(originOf))], ['example.com/acme/shop']);
    assert.deepEqual(['/srv/git/shop.git', '../shop', ''].map(originOf), [undefined, undefined, undefined]);
  });

  it('reads back what was written down, and nothing that was not', () => {
    const one = marks({ folderId: 'x', origins: ['a'], rootCommits: ['b'] });
    assert.deepEqual(decodeMarks(JSON.stringify(one)), one);
    const bad = ['', '{', 'null', '[]', '{"path":1}', '{"path":"/a","origins":[1],"rootCommits":[]}'];
    for (const text of bad) assert.equal(decodeMarks(text), undefined);
  });
});
