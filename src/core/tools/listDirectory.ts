import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { codeSpan } from '../text/markdown';
import { boolean, integer, objectOf, string } from './inputSchema';
import { capLines } from './lines';
import type { AllowedPlace, PathPolicy } from './paths/pathPolicy';
import { isRoot } from './scope';
import type { ToolOutput } from './tool';
import type { Place } from './workspace';
import { defineTool, touchingNamed, unlessRefused, type ToolContext } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly depth?: number;
  readonly include_ignored?: boolean;
}

const fileLimit = 100_000;
const mostDepth = 8;

export const listDirectory = defineTool<Input>({
  name: 'list_directory',
  title: () => l10n.t('List Directory'),
  description:
    'List a folder of the workspace as an indented tree; folders end with a slash, and those that are not opened show ' +
    'how many files they hold. Use it for an overview; to find files by name use find_files. What ignore files and ' +
    'the exclude settings leave out is left out, unless include_ignored is true.',
  effect: 'reads',
  inputSchema: objectOf(
    {},
    {
      path: string('The folder; the whole workspace if left out.'),
      depth: integer('How many levels. Default: 2.', { minimum: 1, maximum: mostDepth }),
      include_ignored: boolean('Show also ignored and excluded files.'),
    },
  ),
  prepare: async (request, context, preparing) => ({
    ...(await touchingNamed(request.path, context, preparing)),
    progress: isRoot(request.path ?? '.')
      ? l10n.t('Listing the workspace')
      : l10n.t('Listing {0}', codeSpan(request.path ?? '.')),
    run: (_, signal) => list(request, context, signal),
  }),
});

async function list(
  { path = '.', depth = 2, include_ignored: isIgnoredIncluded = false }: Input,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const folders = context.workspace.folders();
  const isAll = isRoot(path) && folders.length > 1;
  const trees: string[] = [];
  for (const one of isAll ? folders.map(({ name }) => name) : [isRoot(path) ? '.' : path]) {
    const allowed = await context.policy.forReading(one, signal);
    const options = { depth: isAll ? depth - 1 : depth, isIgnoredIncluded };
    const lines = await tree(allowed, options, context, signal);
    if (isAll) trees.push(`${one}/`, ...lines.map((line) => `  ${line}`));
    else trees.push(...lines);
  }
  const advice = 'list a folder further in, use a smaller depth, or find_files';
  return { content: capLines(trees, (shown, all) => `[${all - shown} more entries: ${advice}.]`) };
}

async function tree(
  { place, shown }: AllowedPlace,
  { depth, isIgnoredIncluded }: { readonly depth: number; readonly isIgnoredIncluded: boolean },
  { workspace, policy }: ToolContext,
  signal: AbortSignal,
): Promise<string[]> {
  const status = await workspace.stat(place, signal);
  if (status === undefined) {
    throw new ToolError(`${shown} does not exist. Start with a folder above it, or use find_files.`);
  }
  if (status.kind !== 'folder') throw new ToolError(`${shown} is not a folder: use read_file.`);
  if (depth < 1) return [];
  const root = newNode();
  const start = place.path === '' ? 0 : place.path.length + 1;
  const [entries, end] = await Promise.all([
    workspace.list(place, signal),
    workspace.findFiles(
      { within: [place], include: [], exclude: [], isIgnoredIncluded, limit: fileLimit },
      ({ path }) => addFile(root, path.slice(start).split('/'), depth),
      signal,
    ),
  ]);
  // Links and empty folders are in no list of files; a link that leaves the workspace is named, never followed.
  for (const { name, kind } of entries) {
    if (root.folders.has(name) || root.files.has(name)) continue;
    const child = { folder: place.folder, path: place.path === '' ? name : `${place.path}/${name}` };
    if (kind === 'link') root.files.add(`${name} → ${await targetOf(child, policy, signal)}`);
    else if (kind === 'folder' && name !== '.git' && (await workspace.list(child, signal)).length === 0) {
      root.folders.set(name, newNode());
    }
  }
  const lines = showTree(root, end === 'complete' ? '' : 'at least ');
  return lines.length > 0 ? lines : ['[empty, or all of it is ignored: try include_ignored: true]'];
}

async function targetOf(link: Place, policy: PathPolicy, signal: AbortSignal): Promise<string> {
  const target = await unlessRefused(policy.forReading(policy.show(link), signal));
  return target?.shown ?? '[a link that leaves the workspace]';
}

interface Node {
  readonly folders: Map<string, Node>;
  readonly files: Set<string>;
  count: number;
}

function newNode(): Node {
  return { folders: new Map(), files: new Set(), count: 0 };
}

/** Of what lies deeper than is shown, only the number is kept. */
function addFile(root: Node, segments: readonly string[], depth: number): void {
  const folders = segments.slice(0, -1);
  let node = root;
  for (const name of folders.slice(0, depth)) {
    const next = node.folders.get(name) ?? newNode();
    node.folders.set(name, next);
    next.count++;
    node = next;
  }
  if (folders.length < depth) node.files.add(segments.at(-1) ?? '');
}

function showTree(node: Node, vague: string): string[] {
  const lines: string[] = [];
  for (const [name, child] of [...node.folders].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const inside = showTree(child, vague);
    const files = child.count === 1 ? '1 file' : `${vague}${child.count} files`;
    lines.push(inside.length > 0 ? `${name}/` : `${name}/ (${child.count === 0 ? 'empty' : files})`);
    for (const line of inside) lines.push(`  ${line}`);
  }
  return lines.concat([...node.files].toSorted());
}
