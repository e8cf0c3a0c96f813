import assert from 'node:assert/strict';
import { readInstructionFiles } from '../../../src/core/instructionFiles';
import { createPathPolicy } from '../../../src/core/tools/paths/pathPolicy';
import { createSecretFiles, defaultSecretFiles } from '../../../src/core/tools/paths/secretFiles';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../support/inMemoryWorkspace';

const secretFiles = createSecretFiles(defaultSecretFiles);

function read(options: InMemoryOptions, isTrusted = true) {
  const workspace = createInMemoryWorkspace(options);
  workspace.trusted = isTrusted;
  const policy = createPathPolicy({ workspace, secretFiles: () => secretFiles });
  return readInstructionFiles(workspace, policy, new AbortController().signal);
}

describe('readInstructionFiles', () => {
  const files = { 'CLAUDE.md': 'Use tabs.', 'AGENTS.md': 'Be brief.' };

  it('reads both files of every folder, named as tools name them', async () => {
    assert.deepEqual(await read({ files }), [
      { name: 'CLAUDE.md', text: 'Use tabs.' },
      { name: 'AGENTS.md', text: 'Be brief.' },
    ]);
    const folders = [
      { name: 'app', root: '/work/app' },
      { name: 'app (2)', root: '/other/app' },
    ];
    assert.deepEqual(await read({ folders, files: { '/other/app/AGENTS.md': 'Hi.' } }), [
      { name: 'app (2)/AGENTS.md', text: 'Hi.' },
    ]);
  });

  it('A4: reads nothing in a workspace that is not trusted', async () => {
    assert.deepEqual(await read({ files }, false), []);
  });

  it('A12, S4: follows no link out of the workspace or to a secret, and opens no pipe', async () => {
    const outside = { '/home/me/.ssh/id_rsa': 'PRIVATE', '.env': 'KEY=1' };
    for (const content of [{ link: '/home/me/.ssh/id_rsa' }, { link: '.env' }, { device: true } as const]) {
      const found = await read({ files: { ...outside, 'CLAUDE.md': content, 'AGENTS.md': 'Be brief.' } });
      assert.deepEqual(found, [{ name: 'AGENTS.md', text: 'Be brief.' }]);
    }
  });

  it('sends a file once that has two names', async () => {
    const linked = { 'AGENTS.md': 'Be brief.', 'CLAUDE.md': { link: 'AGENTS.md' } };
    assert.deepEqual(await read({ files: linked }), [{ name: 'CLAUDE.md', text: 'Be brief.' }]);
  });
});
