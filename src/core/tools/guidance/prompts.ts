import { sendableText, truncate } from '../truncate';
import { splitFrontMatter, wordsOf } from './frontMatter';
import type { Shelves } from './imports';
import type { Shelf } from './shelf';
import { isRunnableName, shortLine, type Skill } from './skills';

/** What `/run` can run: a prompt file, or a skill (T4). */
export interface Runnable {
  readonly kind: 'prompt' | 'skill';
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly path: string;
  /** Without the front matter: nothing in there counts for us, least of all what it says of tools. */
  readonly body: string;
}

const places = [
  { folder: '.claude/commands', end: /\.md$/i },
  { folder: '.github/prompts', end: /\.prompt\.md$/i },
];

/**
 * Of two with one name the first counts: the person's own skill, then a prompt file, then a skill of the workspace, so
 * that no workspace takes the place of what is theirs.
 */
export async function readRunnables(
  { workspace }: Shelves,
  skills: readonly Skill[],
  signal: AbortSignal,
): Promise<readonly Runnable[]> {
  const folders = places.flatMap(({ folder, end }) =>
    workspace.inFolders(folder).map((path) => ({ path, end })),
  );
  const prompts = await Promise.all(
    folders.map(async ({ path, end }) => {
      const names = (await workspace.list(path, signal)).filter((name) => end.test(name));
      const files = await Promise.all(names.map((name) => workspace.read(`${path}/${name}`, signal)));
      return files.flatMap((file, at) => {
        const name = (names[at] ?? '').replace(end, '');
        return file && isRunnableName(name) ? [toRunnable(file, name)] : [];
      });
    }),
  );
  const skillsOf = (of: Shelf['of']) =>
    skills
      .filter(({ isForPeople, shelf }) => isForPeople && shelf.of === of)
      .map(({ name, description, argumentHint, path, body }) => ({
        kind: 'skill' as const,
        name,
        description,
        argumentHint,
        path,
        body,
      }));
  const byName = new Map<string, Runnable>();
  for (const one of [...skillsOf('person'), ...prompts.flat(), ...skillsOf('workspace')]) {
    const key = one.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, one);
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function toRunnable(file: { readonly path: string; readonly text: string }, name: string): Runnable {
  const matter = splitFrontMatter(file.text);
  return {
    kind: 'prompt',
    name,
    description: shortLine(wordsOf(matter, 'description')),
    argumentHint: shortLine(wordsOf(matter, 'argument-hint')),
    path: file.path,
    body: matter.body,
  };
}

/** What stands after `/run`: a name and its arguments. */
export function parseRun(prompt: string): { readonly name: string; readonly args: string } {
  const text = prompt.trim();
  const [name = ''] = /^\S*/.exec(text) ?? [];
  return { name, args: text.slice(name.length).trimStart() };
}

export function findRunnable(all: readonly Runnable[], name: string): Runnable | undefined {
  return all.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

const maxNearest = 3;
/** No name is longer; somebody may have pasted a text there. */
const maxTypedChars = 100;

/** Those that somebody may have meant, the best first. */
export function nearest(all: readonly Runnable[], name: string): readonly Runnable[] {
  const wanted = name.toLowerCase().slice(0, maxTypedChars);
  const distance = ({ name: other }: Runnable) => {
    const candidate = other.toLowerCase();
    if (candidate.includes(wanted) || wanted.includes(candidate)) return 0;
    return editDistance(wanted, candidate);
  };
  return all
    .map((one) => ({ one, far: distance(one) }))
    .filter(({ far }) => far <= Math.max(2, wanted.length / 3))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, maxNearest)
    .map(({ one }) => one);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(a).entries()) {
    const next = [at + 1];
    for (let to = 1; to <= b.length; to++) {
      const change = (row[to - 1] ?? 0) + (b[to - 1] === letter ? 0 : 1);
      next.push(Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const maxChars = 60_000;

/** The text of a runnable as it goes to Claude, before what the person typed, and where it comes from. */
export function runMessage({ kind, name, path, body }: Runnable, args: string): string {
  const text = truncate(fillArguments(body, args), maxChars, `Read ${path} for the rest.`);
  const what = kind === 'skill' ? `the skill ${name}` : `the prompt file ${name}`;
  const beside = kind === 'skill' ? ' Files beside it are read with read_skill.' : '';
  return (
    `The person runs ${what}, from ${path}, with /run. Do what it says; what they typed follows it.${beside}\n\n` +
    sendableText(text)
  );
}

/**
 * In one pass, so that arguments are taken as they are. Where the text has no place for them, they follow it. What is
 * cut off is not filled in: a short file can name them thousands of times.
 */
export function fillArguments(text: string, args: string): string {
  const words = splitArguments(args);
  let isUsed = false;
  let left = maxChars;
  const filled = text.replaceAll(/\$(?:(ARGUMENTS)\b|([1-9])(?!\d))/g, (place, all?: string, at?: string) => {
    isUsed = true;
    if (left < 0) return place;
    const given = all === undefined ? (words[Number(at) - 1] ?? '') : args;
    left -= given.length;
    return given;
  });
  return isUsed || args === '' ? filled : `${filled.trimEnd()}\n\nArguments: ${args}`;
}

/** Apart by blanks; what stands in quotes is one. */
function splitArguments(args: string): readonly string[] {
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
