import { mkdtempSync, statSync } from 'node:fs';
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

/** The packed extension, installed as a person would, in the real chat panel; each file in a process of its own. */
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
    jobs: files.toSorted(longestFirst).map((file) => jobOf(file, { E2E_EXTENSIONS: extensions })),
    cleanUp: () => removeFolder(extensions),
  };
}

function jobOf(file: string, env: Readonly<Record<string, string>>): Job {
  const result = `${basename(dirname(file))}-${suiteOf(file)}`;
  return {
    name: result.replace('-', ' '),
    level: 'e2e',
    command: process.execPath,
    args: [join(projectRoot, 'dist/test/e2e/suite.main.js'), file, result],
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

/** Those that take more than a minute; of the others, those that are longer to read. */
const longest = [
  'survival',
  'tools',
  'foreignTools',
  'hostTools',
  'rewind',
  'reloads',
  'storedMemory',
  'start',
  'loop',
  'usage',
  'memoryView',
];

function longestFirst(one: string, other: string): number {
  return rank(one) - rank(other) || statSync(other).size - statSync(one).size;
}

function rank(file: string): number {
  const index = longest.indexOf(suiteOf(file));
  return index < 0 ? longest.length : index;
}
