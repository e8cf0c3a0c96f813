import { cutText, ellipsize } from '../../text/cutText';
import { withoutDisguise } from '../../text/plainText';
import { splitFrontMatter, wordsOf } from './frontMatter';
import type { Shelves } from './imports';
import type { GuidanceFile, Shelf } from './shelf';

/** Instructions for a kind of task, in a folder of its own (T3). */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  /** Of its SKILL.md, as people know it. */
  readonly path: string;
  /** Without the front matter. */
  readonly body: string;
  readonly shelf: Shelf;
  /** Where its files are, as the shelf takes it. */
  readonly folder: string;
  /** Its author wants it to be run by people only, or by Claude only. */
  readonly isForClaude: boolean;
  readonly isForPeople: boolean;
}

const workspaceFolders = ['.claude/skills', '.github/skills', '.agents/skills'];
const descriptionChars = 300;

/** The person's own first: of two with one name the first counts, and no workspace can take the place of theirs. */
export async function readSkills(
  { workspace, person }: Shelves,
  signal: AbortSignal,
): Promise<readonly Skill[]> {
  const places = [
    ...person.inFolders('skills').map((folder) => ({ shelf: person, folder })),
    ...workspaceFolders.flatMap((path) =>
      workspace.inFolders(path).map((folder) => ({ shelf: workspace, folder })),
    ),
  ];
  const found = await Promise.all(places.map((place) => skillsIn(place.shelf, place.folder, signal)));
  const byName = new Map<string, Skill>();
  for (const skill of found.flat()) {
    const key = skill.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, skill);
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function skillsIn(shelf: Shelf, place: string, signal: AbortSignal): Promise<readonly Skill[]> {
  const names = await shelf.list(place, signal);
  const skills = await Promise.all(
    names.map(async (name) => {
      const folder = `${place}/${name}`;
      const file = await shelf.read(`${folder}/SKILL.md`, signal);
      return file && toSkill(file, { shelf, folder, folderName: name });
    }),
  );
  return skills.filter((skill) => skill !== undefined);
}

function toSkill(
  { path, text }: GuidanceFile,
  {
    shelf,
    folder,
    folderName,
  }: { readonly shelf: Shelf; readonly folder: string; readonly folderName: string },
): Skill | undefined {
  const matter = splitFrontMatter(text);
  const name = [wordsOf(matter, 'name'), folderName].find(isRunnableName);
  if (name === undefined) return undefined;
  const firstLine = matter.body.split('\n').find((line) => line.trim() !== '') ?? '';
  return {
    name,
    description: shortLine(wordsOf(matter, 'description') || firstLine.replace(/^#+\s*/, '')),
    argumentHint: shortLine(wordsOf(matter, 'argument-hint')),
    path,
    body: matter.body,
    shelf,
    folder,
    isForClaude: wordsOf(matter, 'disable-model-invocation') !== 'true',
    isForPeople: wordsOf(matter, 'user-invocable') !== 'false',
  };
}

/** What people can type after `/run`. */
export function isRunnableName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,63}$/u.test(name);
}

/** Words of a file for a line of ours. */
export function shortLine(text: string): string {
  const line = withoutDisguise(text.toWellFormed()).replaceAll(/\s+/g, ' ').trim();
  return ellipsize(line, descriptionChars);
}

const maxListed = 50;
const maxSectionChars = 8_000;

const heading =
  'Skills: instructions of the team and the person for particular tasks. When one fits what is asked, read it with ' +
  'read_skill before you begin, and follow it.';

/** A part of the system prompt; undefined where there are none. The same skills give the same bytes. */
export function skillsSection(skills: readonly Skill[]): string | undefined {
  const all = skills.filter(({ isForClaude }) => isForClaude);
  if (all.length === 0) return undefined;
  const lines: string[] = [];
  let room = maxSectionChars - heading.length;
  for (const { name, description, path } of all.slice(0, maxListed)) {
    const line = `- ${name}: ${description} (${shortLine(path)})`;
    if ((room -= line.length + 1) < 0) break;
    lines.push(line);
  }
  const rest = all.slice(lines.length).map(({ name }) => name);
  const more = `[${rest.length} more, without room for their descriptions: ${cutText(rest.join(', '), 1_000)}]`;
  return [heading, '', ...lines, ...(rest.length > 0 ? [more] : [])].join('\n');
}
