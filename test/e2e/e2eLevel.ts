import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Mocha from 'mocha';
import { installBrowser } from '../support/host/installBrowser';
import { installHost } from '../support/host/installHost';
import { installPackage } from '../support/host/installPackage';
import { installUnpacked } from '../support/installUnpacked';
import { projectRoot } from '../support/projectPaths';
import { removeFolder } from '../support/removeFolder';
import type { Job } from '../support/run/job';
import type { Level } from '../support/run/runLevels';
import { testFilesBelow } from '../support/runMocha';
import { installVsix, packVsix } from '../support/vsix';

/** The packed extension, installed as a person would, in the real chat panel. */
export async function e2eLevel(folders: readonly string[]): Promise<Level> {
  const extensions = mkdtempSync(join(tmpdir(), 'claude-assistant-extensions-'));
  const { path } = packVsix();
  installVsix(installHost(), path, extensions);
  // Its tools, good and bad, are there in all windows: F16 holds in every one of them.
  installUnpacked(join(projectRoot, 'test/fixtures/extensions/shop-tools'), extensions);
  // What a test needs from the registry is there before its time runs.
  installBrowser();
  for (const server of ['mcp-everything', 'mcp-filesystem']) installPackage(server, 'MCP server');
  const files = await chosen(folders.flatMap(testFilesBelow));
  return {
    jobs: grouped(files).map((group) => jobOf(group, { E2E_EXTENSIONS: extensions })),
    cleanUp: () => removeFolder(extensions),
  };
}

function jobOf(files: readonly string[], env: Readonly<Record<string, string>>): Job {
  const suites = files.map(suiteOf);
  const folder = basename(dirname(files[0] ?? ''));
  const result = [folder, ...suites].join('-');
  return {
    name: `${folder} ${suites.join(', ')}`,
    level: 'e2e',
    command: process.execPath,
    args: [join(projectRoot, 'dist/test/e2e/suite.main.js'), result, ...files],
    env,
    result,
  };
}

function suiteOf(file: string): string {
  return basename(file, '.test.js');
}

/** So that `TEST_GREP` starts only what it picks. */
async function chosen(files: readonly string[]): Promise<readonly string[]> {
  const grep = process.env['TEST_GREP'];
  if (!grep) return files;
  const mocha = new Mocha({ ui: 'bdd' });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const found = new Set<string | undefined>();
  mocha.suite.eachTest((test) => {
    if (new RegExp(grep).test(test.fullTitle())) found.add(test.file);
  });
  mocha.unloadFiles();
  return files.filter((file) => found.has(file));
}

/** Those in one line share a window; what takes longest comes first. */
const order = [
  ['survival'],
  ['reloads', 'rewind'],
  ['foreignTools'],
  ['tools', 'hostTools'],
  ['memoryView', 'archive', 'memoryCommands', 'notes'],
  ['changes', 'plans', 'teamWords'],
  ['loop', 'images', 'scouts', 'usage'],
  ['questions', 'permissions', 'summary', 'problems'],
  ['storedMemory'],
  ['languages'],
  ['places'],
  ['start'],
];

/** One that is not named has a window of its own, and comes last. */
function grouped(files: readonly string[]): readonly (readonly string[])[] {
  const named = order.map((suites) =>
    suites.flatMap((suite) => files.filter((file) => suiteOf(file) === suite)),
  );
  const others = files.filter((file) => !named.some((group) => group.includes(file))).map((file) => [file]);
  return [...named.filter((group) => group.length > 0), ...others];
}
