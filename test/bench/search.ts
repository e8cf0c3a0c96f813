import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSecretFilesReader, defaultSecretFiles } from '../../src/core/tools/paths/secretFiles';
import type { Tool } from '../../src/core/tools/tool';
import { createToolset } from '../../src/core/tools/toolset';
import { followLinks, statFile } from '../../src/vscode/tools/diskFiles';
import { findRipgrep } from '../../src/vscode/tools/ripgrep';
import { findFiles, searchText } from '../../src/vscode/tools/ripgrepSearch';
import { unrecorded } from '../support/changes';
import { noSkills } from '../support/guidance';
import { installHost } from '../support/host/installHost';
import { createInMemoryWorkspace } from '../support/inMemoryWorkspace';
import { unkept } from '../support/notes';

export interface SearchFigures {
  readonly files: number;
  /** `search_text` and `find_files` against the bare `rg` with the same flags, by what is looked for. */
  readonly overRipgrep: Readonly<Record<keyof typeof searches, number>>;
}

const searches = {
  'search_text, a rare literal': {
    tool: 'search_text',
    input: { pattern: 'the needle in this haystack', literal: true },
  },
  'search_text, a rare expression': {
    tool: 'search_text',
    input: { pattern: 'needle \\w+ this hay(stack|bale)' },
  },
  'search_text, nothing there': {
    tool: 'search_text',
    input: { pattern: 'never written anywhere', literal: true },
  },
  // Ours stops at its limit, which the bare one does not know.
  'search_text, everywhere': { tool: 'search_text', input: { pattern: 'export' } },
  'find_files, one folder of all': { tool: 'find_files', input: { pattern: '**/part7/*.ts' } },
  'find_files, everything': { tool: 'find_files', input: { pattern: '**/*.ts' } },
} as const;

const folders = 500;
const filesInEach = 100;
const { signal } = new AbortController();

/** Both sides search the same tree in turns, within one run; the best time of each counts. */
export async function measureSearch(runs = 5): Promise<SearchFigures> {
  const root = mkdtempSync(join(tmpdir(), 'bench-search-'));
  try {
    const tree = join(root, 'tree');
    growTree(tree);
    const rg = await findRipgrep(join(dirname(installHost().serverMain), '..'));
    if (rg === undefined) throw new Error('ripgrep was not found in the installed VS Code.');
    const overRipgrep: Record<string, number> = {};
    for (const [name, { tool: toolName, input }] of Object.entries(searches)) {
      const flags = await flagsOf(toolName, input, { rg, tree, root });
      const tool = searchTool(toolName, tree, rg);
      await runTool(tool, input);
      const best = { ours: Infinity, bare: Infinity };
      for (let run = 0; run < runs; run++) {
        best.bare = Math.min(best.bare, await timed(() => runBare(rg, flags, tree)));
        best.ours = Math.min(best.ours, await timed(() => runTool(tool, input)));
      }
      overRipgrep[name] = best.ours / best.bare;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- filled from the same keys right above.
    return { files: folders * filesInEach, overRipgrep: overRipgrep as SearchFigures['overRipgrep'] };
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Sources of about 2 KB, as a middling repository has them; three of them hold the needle. */
function growTree(tree: string): void {
  const body = 'export function total(order: Order): number {\n  return order.items.length;\n}\n'.repeat(25);
  for (let folder = 0; folder < folders; folder++) {
    const path = join(tree, `area${folder % 20}`, `part${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesInEach; file++) {
      const isHaystack = folder % 200 === 7 && file === 50;
      writeFileSync(
        join(path, `file${file}.ts`),
        isHaystack ? `${body}// the needle in this haystack\n` : body,
      );
    }
  }
}

/** The tool as Claude calls it, over the files of a folder. */
function searchTool(name: string, tree: string, executable: string): Tool {
  const folder = { name: 'tree', root: tree };
  const options = {
    executable,
    timeLimitMs: 60_000,
    excludesOf: () => ({ globs: ['**/node_modules'], isIgnoreFilesUsed: true }),
    encodingOf: () => undefined,
  };
  const tools = createToolset({
    workspace: {
      ...createInMemoryWorkspace(),
      folders: () => [folder],
      realPath: ({ path }) => followLinks(join(tree, path)),
      stat: ({ path }) => statFile(join(tree, path)),
      searchText: (query, stop) => searchText(options, query, async () => [], stop),
      findFiles: (query, onFile, stop) => findFiles(options, query, onFile, stop),
    },
    secretFiles: createSecretFilesReader(() => defaultSecretFiles),
    changes: unrecorded,
    notes: unkept,
    guidance: noSkills,
  });
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no ${name}.`);
  return tool;
}

async function runTool(tool: Tool, input: object): Promise<void> {
  const { isError } = await tool.run({ id: 'bench', name: tool.name, input }, signal);
  if (isError) throw new Error('The search failed.');
}

/** What the tool passes to ripgrep, written down by an executable that stands in front of it once. */
async function flagsOf(
  toolName: string,
  input: object,
  { rg, tree, root }: { readonly rg: string; readonly tree: string; readonly root: string },
): Promise<readonly string[]> {
  const recorder = join(root, 'recorder');
  const record = join(root, 'flags');
  writeFileSync(recorder, `#!/bin/sh\nprintf '%s\\0' "$@" > '${record}'\nexec '${rg}' "$@"\n`);
  chmodSync(recorder, 0o755);
  await runTool(searchTool(toolName, tree, recorder), input);
  return readFileSync(record, 'utf8').split('\0').slice(0, -1);
}

async function runBare(rg: string, flags: readonly string[], cwd: string): Promise<void> {
  const child = spawn(rg, [...flags], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await once(child, 'close');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
