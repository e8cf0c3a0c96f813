import assert from 'node:assert/strict';
import { readInstructionFiles } from '../../../../src/core/agent/instructionFiles';
import type { Wait } from '../../../../src/core/ports';
import { createPathPolicy } from '../../../../src/core/tools/paths/pathPolicy';
import { createSecretFiles, defaultSecretFiles } from '../../../../src/core/tools/paths/secretFiles';
import type { Workspace } from '../../../../src/core/tools/workspace';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';

const secretFiles = createSecretFiles(defaultSecretFiles);

const logged: string[] = [];
const causes: unknown[] = [];

function read(
  options: InMemoryOptions,
  isTrusted = true,
  more: Partial<Workspace> = {},
  { wait = patientWait, signal = new AbortController().signal } = {},
) {
  const workspace = createInMemoryWorkspace(options);
  workspace.trusted = isTrusted;
  Object.assign(workspace, more);
  const policy = createPathPolicy({ workspace, secretFiles: () => secretFiles });
  const note = (line: string, cause?: unknown) => {
    logged.push(line);
    causes.push(cause);
  };
  const log = { info: note, warn: note, error: note };
  return readInstructionFiles({ workspace, policy, wait, log }, signal);
}

/** Nothing takes too long. */
const patientWait: Wait = () => new Promise(() => undefined);

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

  it('P9: does without the files of a file system that cannot be reached', async () => {
    const folders = [
      { name: 'app', root: '/work/app' },
      { name: 'far', root: '/far' },
    ];
    const present = { '/work/app/CLAUDE.md': 'Use tabs.', '/far/CLAUDE.md': 'Use spaces.' };
    const known = createInMemoryWorkspace({ folders, files: present });
    const fails = async () => {
      throw new Error('Unavailable (FileSystemError)');
    };
    const stat: Workspace['stat'] = (place, signal) =>
      place.folder.name === 'far' ? fails() : known.stat(place, signal);
    const found = await read({ folders, files: present }, true, { stat });
    assert.deepEqual(found, [{ name: 'app/CLAUDE.md', text: 'Use tabs.' }]);
    // The words of a file system of somebody else may hold anything: the log's own door cuts them (M22).
    assert.deepEqual(new Set(logged), new Set(['an instruction file could not be read']));
    assert.ok(causes.length > 0 && causes.every((cause) => cause instanceof Error));
  });

  it('P9: does not wait for one that never answers, and leaves when the person stops it', async () => {
    const stat = () => new Promise<never>(() => undefined);
    assert.deepEqual(await read({ files }, true, { stat }, { wait: async () => undefined }), []);
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(
      read({ files }, true, { stat }, { wait: async () => undefined, signal: stop.signal }),
      {
        name: 'AbortError',
      },
    );
  });

  it('sends a file once that has two names', async () => {
    const linked = { 'AGENTS.md': 'Be brief.', 'CLAUDE.md': { link: 'AGENTS.md' } };
    assert.deepEqual(await read({ files: linked }), [{ name: 'CLAUDE.md', text: 'Be brief.' }]);
  });
});
