import assert from 'node:assert/strict';
import { ToolError } from '../../../../../src/core/errors';
import { parsePath } from '../../../../../src/core/tools/paths/parsePath';
import { createPathPolicy } from '../../../../../src/core/tools/paths/pathPolicy';
import { createSecretFiles, defaultSecretFiles } from '../../../../../src/core/tools/paths/secretFiles';
import type { Place } from '../../../../../src/core/tools/workspace';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../../support/inMemoryWorkspace';

const { signal } = new AbortController();

function policyOver(options: InMemoryOptions = {}) {
  const workspace = createInMemoryWorkspace(options);
  const secretFiles = createSecretFiles(defaultSecretFiles);
  return { workspace, policy: createPathPolicy({ workspace, secretFiles: () => secretFiles }) };
}

const twoFolders = [
  { name: 'app', root: '/work/app' },
  { name: 'lib', root: '/work/lib' },
];

describe('path policy', () => {
  describe('S1, A10: refuses every form that leaves the workspace', () => {
    const forms = [
      '../../etc/passwd',
      '..',
      'src/../../etc/passwd',
      'src/../..',
      '/etc/passwd',
      '/work',
      '/work/app/../secret',
      '~',
      '~/.ssh/id_rsa',
      '~root/.profile',
      '~\\.ssh\\id_rsa',
      'file:///etc/passwd',
      'FILE:/etc/passwd',
      'vscode-remote://ssh/etc/passwd',
      'http://example.com/x',
      'C:\\Windows\\win.ini',
      'c:/Windows/win.ini',
      'C:secret.txt',
      '\\\\server\\share\\x',
      '//server/share/x',
      '\\\\?\\C:\\Windows\\win.ini',
      '\\\\.\\pipe\\x',
      '\\etc\\passwd',
      '..\\..\\etc\\passwd',
      'src\\..\\..\\x',
      'a.txt\0.png',
      'a\nb',
      '%2e%2e/%2e%2e/etc/passwd',
      '%2E%2E%2Fetc%2Fpasswd',
      '..%2fetc',
      '..%5cetc',
      '%252e%252e%252fetc',
      '%25252e%25252e%25252fetc',
      '%2fetc%2fpasswd',
      'a%00.txt',
      'src%2findex.ts',
    ];
    for (const form of forms) {
      it(JSON.stringify(form), async () => {
        const { policy } = policyOver();
        await assert.rejects(policy.forReading(form, signal), ToolError);
        await assert.rejects(policy.forWriting(form, signal), ToolError);
        await assert.rejects(policy.forMoving(form, signal), ToolError);
      });
    }
  });

  it('A11: takes no sibling for the folder because its name starts alike', async () => {
    const { policy } = policyOver({ files: { '/work/app-secrets/x': 'secret' } });
    await assert.rejects(policy.forReading('../app-secrets/x', signal), /outside the workspace/);
    await assert.rejects(policy.forReading('/work/app-secrets/x', signal), /outside the workspace/);
  });

  describe('S1: takes what stays inside', () => {
    const forms: readonly (readonly [string, string])[] = [
      ['src/index.ts', 'src/index.ts'],
      ['./src//index.ts', 'src/index.ts'],
      ['src/../README.md', 'README.md'],
      ['src\\index.ts', 'src/index.ts'],
      ['/work/app/src/index.ts', 'src/index.ts'],
      ['/work/app', ''],
      ['.', ''],
      ['100%.txt', '100%.txt'],
      ['a%20b.txt', 'a%20b.txt'],
      ['..a/b..', '..a/b..'],
      ['~$report.docx', '~$report.docx'],
    ];
    for (const [form, path] of forms) {
      it(JSON.stringify(form), async () => {
        const { policy } = policyOver();
        assert.equal((await policy.forReading(form, signal)).place.path, path);
      });
    }

    it('an absolute Windows path whatever the case of its letters', () => {
      const folder = { name: 'app', root: 'c:/Work/App' };
      assert.equal(parsePath('C:\\work\\app\\src\\X.ts', [folder]).path, 'src/X.ts');
      assert.throws(() => parsePath('C:\\work\\app-secrets\\x', [folder]), /outside the workspace/);
    });
  });

  describe('several folders', () => {
    it('takes paths that start with the name of a folder, and shows them so', async () => {
      const { policy } = policyOver({ folders: twoFolders });
      const { place, shown } = await policy.forReading('lib/src/x.ts', signal);
      assert.deepEqual([place.folder.name, place.path, shown], ['lib', 'src/x.ts', 'lib/src/x.ts']);
    });

    it('names the folders when a path starts with none of them', async () => {
      const { policy } = policyOver({ folders: twoFolders });
      await assert.rejects(policy.forReading('src/x.ts', signal), /app\/, lib\//);
    });

    it('does not let one folder be a way out of another', async () => {
      const { policy } = policyOver({ folders: twoFolders });
      await assert.rejects(policy.forReading('app/../../etc/passwd', signal), ToolError);
      assert.equal((await policy.forReading('app/../lib/x.ts', signal)).shown, 'lib/x.ts');
      assert.equal((await policy.forReading('app//etc/passwd', signal)).shown, 'app/etc/passwd');
    });

    it('P9: takes the longest name of a folder that a path starts with, whatever the name is', async () => {
      const names = [
        'packages',
        'packages/api',
        '~',
        '~me',
        'a\\b',
        '..',
        'C:',
        '/etc',
        'a b',
        '%2e%2e',
        'x\ty',
      ];
      const folders = names.map((name, at) => ({ name, root: `/work/${at}` }));
      const { policy } = policyOver({ folders });
      for (const { name, root } of folders) {
        for (const path of [name, `${name}/src/x.ts`]) {
          const { place, shown } = await policy.forReading(path, signal);
          assert.deepEqual([place.folder.root, shown], [root, path]);
        }
      }
      assert.equal((await policy.forReading('packages/apis/x.ts', signal)).place.folder.root, '/work/0');
    });

    it('S1: lets no name of a folder hide a way out', async () => {
      const { policy } = policyOver({
        folders: [
          { name: '~', root: '/work/a' },
          { name: '..', root: '/work/b' },
        ],
      });
      for (const path of ['~/../../etc', '../../etc', '../..', '~/%2e%2e/x', '~/a\0b', '~root/x', '/etc']) {
        await assert.rejects(policy.forReading(path, signal), ToolError, path);
      }
    });
  });

  it('P9: says that no folder is open', async () => {
    const { policy } = policyOver({ folders: [] });
    await assert.rejects(policy.forReading('x', signal), /No folder is open/);
  });

  describe('links', () => {
    it('A12: refuses a link to a file outside, for reading and writing', async () => {
      const { policy } = policyOver({ files: { 'key.txt': { link: '/home/me/.ssh/id_rsa' } } });
      await assert.rejects(policy.forReading('key.txt', signal), /a link that leaves the workspace/);
      await assert.rejects(policy.forWriting('key.txt', signal), /a link that leaves the workspace/);
    });

    it('A13: refuses what lies behind a linked folder', async () => {
      const { policy } = policyOver({ files: { out: { link: '/etc' }, '/etc/passwd': 'root' } });
      await assert.rejects(policy.forReading('out/passwd', signal), /a link that leaves the workspace/);
      await assert.rejects(policy.forWriting('out/new.txt', signal), /a link that leaves the workspace/);
      await assert.rejects(policy.forMoving('out/passwd', signal), /a link that leaves the workspace/);
    });

    it('A13: refuses to write through a dangling link to a target outside', async () => {
      const { policy } = policyOver({ files: { 'new.txt': { link: '../../home/me/.bashrc' } } });
      await assert.rejects(policy.forWriting('new.txt', signal), /a link that leaves the workspace/);
    });

    it('A13: refuses a chain of links that leaves in its second step', async () => {
      const { policy } = policyOver({ files: { a: { link: 'b' }, b: { link: '/etc/passwd' } } });
      await assert.rejects(policy.forReading('a', signal), /a link that leaves the workspace/);
    });

    it('follows a link that stays inside, and names what is really read', async () => {
      const { policy } = policyOver({ files: { 'now.ts': { link: 'src/v2.ts' }, 'src/v2.ts': '' } });
      const { place, shown } = await policy.forReading('now.ts', signal);
      assert.deepEqual([place.path, shown], ['src/v2.ts', 'src/v2.ts']);
    });

    it('moves or deletes a link that stays inside itself, not its target', async () => {
      const { policy } = policyOver({
        files: { 'now.ts': { link: 'src/v2.ts' }, 'src/v2.ts': '', readme: { link: 'README' }, README: '' },
      });
      for (const path of ['now.ts', 'readme'])
        assert.equal((await policy.forMoving(path, signal)).place.path, path);
    });

    it('moves or deletes by the name that the disk has, where another one is the same', async () => {
      const { workspace, policy } = policyOver({
        files: {
          'src/Notes.txt': '',
          'now.ts': { link: 'src/Notes.txt' },
          'caf\u00e9.ts': { link: 'src/Notes.txt' },
        },
      });
      const before = { ...workspace };
      const nameOnDisk = (path: string) =>
        [...workspace.files.keys()].find(
          (key) => key.toLowerCase() === path.normalize('NFC').toLowerCase(),
        ) ?? path;
      // As on a Mac and on Windows.
      Object.assign(workspace, {
        realPath: async ({ folder, path }: Place, ...rest: [AbortSignal]) => {
          const known = nameOnDisk(`${folder.root}/${path}`).slice(folder.root.length + 1);
          return nameOnDisk(await before.realPath({ folder, path: known }, ...rest));
        },
      });
      const asked = ['src/NOTES.TXT', 'src/Notes.txt', 'now.ts', 'NOW.ts', 'cafe\u0301.ts'];
      const places = asked.map((path) => policy.forMoving(path, signal));
      assert.deepEqual(
        (await Promise.all(places)).map(({ place, shown }) => [place.path, shown]),
        [
          ['src/Notes.txt', 'src/Notes.txt'],
          ['src/Notes.txt', 'src/Notes.txt'],
          ['now.ts', 'now.ts'],
          // A link in other letters is still that link, and not what it leads to.
          ['now.ts', 'now.ts'],
          ['caf\u00e9.ts', 'caf\u00e9.ts'],
        ],
      );
    });

    it('works in a folder that was itself opened through a link', async () => {
      const { policy } = policyOver({
        folders: [{ name: 'app', root: '/tmp/app' }],
        files: { '/tmp': { link: '/private/tmp' }, '/private/tmp/app/a.ts': '' },
      });
      assert.equal((await policy.forReading('a.ts', signal)).place.path, 'a.ts');
    });

    it('follows a link from one workspace folder into another', async () => {
      const { policy } = policyOver({
        folders: twoFolders,
        files: { '/work/app/shared': { link: '/work/lib/src' }, '/work/lib/src/x.ts': '' },
      });
      assert.equal((await policy.forReading('app/shared/x.ts', signal)).shown, 'lib/src/x.ts');
    });
  });

  describe('S5, A15, A16: knows the places that run code or change the editor', () => {
    const places = [
      '.vscode/settings.json',
      '.vscode/tasks.json',
      '.vscode/launch.json',
      '.vscode/mcp.json',
      'packages/a/.vscode/settings.json',
      '.vscode',
      'my.code-workspace',
      '.git/hooks/pre-commit',
      '.git/config',
      '.git',
      '.husky/pre-push',
      'package.json',
      'packages/a/package.json',
      '.npmrc',
      '.devcontainer/devcontainer.json',
      '.devcontainer.json',
      '.github/workflows/ci.yml',
      '.gitlab-ci.yml',
      'AGENTS.md',
      'docs/CLAUDE.md',
      '.claude/settings.json',
      '.cursor/rules/x.mdc',
      '.github/copilot-instructions.md',
      '.mcp.json',
      'mcp.json',
      '.bashrc',
      '.zshenv',
      '.profile',
      'Microsoft.PowerShell_profile.ps1',
      '.envrc',
      '.ssh/authorized_keys',
      '.config/Code/User/settings.json',
      'Library/Application Support/Code - Insiders/User/profiles/a1/settings.json',
      'AppData/Roaming/VSCodium/User/mcp.json',
      '.vscode-server/data/Machine/settings.json',
    ];
    for (const path of places) {
      it(path, async () => {
        const { policy } = policyOver();
        assert.notEqual((await policy.forWriting(path, signal)).protectedBecause, undefined);
      });
    }

    for (const path of [
      'src/index.ts',
      'package.json.ts',
      'vscode/settings.json',
      'README.md',
      '.gitignore',
      'src/user/settings.json',
    ]) {
      it(`but ${path} is an ordinary file`, async () => {
        const { policy } = policyOver();
        assert.equal((await policy.forWriting(path, signal)).protectedBecause, undefined);
      });
    }
  });

  it('A17, S5: knows them also where such a place is itself a folder of the workspace', async () => {
    const roots = ['/work/app/.vscode', '/work/app/.github', '/home/person/.ssh', '/home/person/Code/User'];
    const folders = roots.map((root) => ({ name: root.split('/').at(-1) ?? '', root }));
    const { policy } = policyOver({ folders });
    for (const path of [
      '.vscode/settings.json',
      '.github/workflows/ci.yml',
      '.ssh/config',
      'User/settings.json',
    ]) {
      assert.notEqual((await policy.forWriting(path, signal)).protectedBecause, undefined, path);
    }
    assert.equal((await policy.forReading('.ssh/config', signal)).isSecret, true);
    assert.equal((await policy.forWriting('.github/README.md', signal)).protectedBecause, undefined);
  });

  describe('A17: knows them under every spelling', () => {
    const spellings = [
      '.VSCODE/Settings.JSON',
      '.vscode./settings.json',
      '.vscode /settings.json',
      '.vscode. . /settings.json',
      '.vscode/../.vscode/settings.json',
      './/.vscode//settings.json',
      '.vscode\\settings.json',
      '.vs\u200ccode/settings.json',
      '.v\u017fcode/settings.json',
      '.\uff56scode/settings.json',
      '.vscode::$INDEX_ALLOCATION/settings.json',
      '.gi\u0074/config',
      'Package.JSON',
      'package.json::$DATA',
      'AGENTS.md.',
      'CLAUDE.MD',
    ];
    for (const path of spellings) {
      it(JSON.stringify(path), async () => {
        const { policy } = policyOver();
        assert.notEqual((await policy.forWriting(path, signal)).protectedBecause, undefined);
      });
    }

    it('behind a link with a harmless name', async () => {
      const { policy } = policyOver({
        files: { config: { link: '.vscode' }, '.vscode/settings.json': '{}' },
      });
      assert.match(
        (await policy.forWriting('config/settings.json', signal)).protectedBecause ?? '',
        /editor/,
      );
    });

    it('and composed as well as decomposed names of secrets', () => {
      const secrets = createSecretFiles(['caf\u00e9.key']);
      assert.deepEqual([secrets.has('cafe\u0301.key'), secrets.has('CAFE\u0301.KEY')], [true, true]);
    });
  });

  describe('S4, A18: knows files that look like secrets', () => {
    const secrets = [
      '.env',
      '.env.local',
      'config/.ENV.production',
      'prod.env',
      'id_rsa',
      'keys/id_ed25519',
      'server.pem',
      'tls/server.key',
      'credentials.json',
      '.aws/credentials',
      '.netrc',
      '.git-credentials',
    ];
    for (const path of secrets) {
      it(path, async () => {
        const { policy } = policyOver();
        assert.equal((await policy.forReading(path, signal)).isSecret, true);
      });
    }

    it('also behind a link with a harmless name', async () => {
      const { policy } = policyOver({ files: { 'notes.txt': { link: '.env' }, '.env': 'KEY=1' } });
      assert.equal((await policy.forReading('notes.txt', signal)).isSecret, true);
    });

    it('and none in ordinary source', async () => {
      const { policy } = policyOver();
      assert.equal((await policy.forReading('src/environment.ts', signal)).isSecret, false);
    });
  });

  describe('S3, A4: a workspace that is not trusted', () => {
    it('is only read', async () => {
      const { workspace, policy } = policyOver({ files: { 'a.ts': '' } });
      workspace.trusted = false;
      await policy.forReading('a.ts', signal);
      await assert.rejects(policy.forWriting('a.ts', signal), /not trusted/);
      await assert.rejects(policy.forMoving('a.ts', signal), /not trusted/);
    });
  });

  it('does not let a workspace folder itself be changed', async () => {
    const { policy } = policyOver();
    await assert.rejects(policy.forWriting('.', signal), /cannot be changed/);
    await assert.rejects(policy.forMoving('src/..', signal), /cannot be changed/);
  });
});
