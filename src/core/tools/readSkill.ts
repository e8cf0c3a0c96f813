import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { cutText } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { visibleLine } from '../text/plainText';
import type { Shelf } from './guidance/shelf';
import type { Skill } from './guidance/skills';
import { integer, objectOf, string } from './inputSchema';
import type { ToolOutput } from './tool';
import { isWithin } from './workspace';
import { defineTool, touching, unlessRefused } from './workspaceTool';

interface Input {
  readonly name: string;
  readonly file?: string;
  readonly start_line?: number;
}

/** Of one result; the rest comes with start_line. */
const maxChars = 25_000;
/** Of the list of files beside it. */
const maxFiles = 60;
const maxDepth = 3;

export const readSkill = defineTool<Input>({
  name: 'read_skill',
  title: () => l10n.t('Read Skill'),
  description:
    'Read the instructions of a skill that the system prompt lists, before you begin what it is for. file reads one of ' +
    'the files beside it instead.',
  effect: 'reads',
  timeoutMs: 20_000,
  inputSchema: objectOf(
    { name: string('Of the skill, as it is listed.') },
    {
      file: string('Relative to the folder of the skill.'),
      start_line: integer('Where to go on, counted from 1.', { minimum: 1 }),
    },
  ),
  async prepare({ name, file, start_line: first = 1 }, { guidance }, signal) {
    const skills = await guidance.skills(signal);
    const skill = skills.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!skill) throw unknownSkill(name, skills);
    const path = `${skill.folder}/${file ?? 'SKILL.md'}`;
    const place = await unlessRefused(skill.shelf.policy.forReading(path, signal));
    return {
      ...(place && { touches: touching(place) }),
      progress:
        file === undefined
          ? l10n.t('Reading the skill {0}', codeSpan(skill.name))
          : l10n.t('Reading {0} of the skill {1}', codeSpan(file), codeSpan(skill.name)),
      run: (_, running) =>
        file === undefined ? readBody(skill, first, running) : readBeside(skill, file, first, running),
    };
  },
});

async function readBody(skill: Skill, first: number, signal: AbortSignal): Promise<ToolOutput> {
  const { shelf, folder, body } = skill;
  const files = first > 1 ? [] : await filesBelow(shelf, folder, signal);
  const beside = files.slice(0, maxFiles).map((path) => visibleLine(path.slice(folder.length + 1)));
  const more = files.length > maxFiles ? ', …' : '';
  const list =
    beside.length > 0 ? `\n\n[Files beside it, to be read with file: ${beside.join(', ')}${more}]` : '';
  return {
    content: `Skill ${skill.name}, from ${skill.path}:\n\n${fromLine(body, first)}${list}`,
    guidance: [{ kind: 'skill', path: skill.path, chars: body.length }],
  };
}

async function readBeside(
  { shelf, folder, name }: Skill,
  file: string,
  first: number,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const path = `${folder}/${file}`;
  const [root, place] = await Promise.all([
    shelf.policy.forReading(folder, signal),
    unlessRefused(shelf.policy.forReading(path, signal)),
  ]);
  if (!place || !isWithin(root.place, place.place))
    throw new ToolError(`Only files in the folder of the skill ${name} can be read with it.`);
  const found = await shelf.read(path, signal);
  if (!found)
    throw new ToolError(
      `The skill ${name} has no text file ${file} that may be read. Read it without file for the list.`,
    );
  return {
    content: `${found.path}:\n\n${fromLine(found.text, first)}`,
    guidance: [{ kind: 'skill', path: found.path, chars: found.text.length }],
  };
}

/** From a line on, as much as fits, and how to get the rest. */
function fromLine(text: string, first: number): string {
  const lines = text.split(/\r\n|\r|\n/);
  if (first > lines.length)
    throw new ToolError(`It has only ${lines.length} lines: use a smaller start_line.`);
  let room = maxChars;
  const end = lines.findIndex((line, at) => at >= first - 1 && (room -= line.length + 1) < 0);
  if (end === -1) return lines.slice(first - 1).join('\n');
  const isLongLine = end === first - 1;
  const shown = isLongLine ? cutText(lines[end] ?? '', maxChars) : lines.slice(first - 1, end).join('\n');
  return `${shown}\n[Go on with start_line: ${isLongLine ? end + 2 : end + 1}]`;
}

/** All but SKILL.md, as the shelf takes them. */
async function filesBelow(
  shelf: Shelf,
  folder: string,
  signal: AbortSignal,
  depth = 0,
): Promise<readonly string[]> {
  const names = await shelf.list(folder, signal);
  const files: string[] = [];
  for (const name of names) {
    if (files.length > maxFiles) break;
    const path = `${folder}/${name}`;
    const place = await unlessRefused(shelf.policy.forReading(path, signal));
    const status = place && !place.isSecret ? await shelf.files.stat(place.place, signal) : undefined;
    if (status?.kind === 'file' && !(depth === 0 && name === 'SKILL.md')) files.push(path);
    if (status?.kind === 'folder' && depth + 1 < maxDepth)
      files.push(...(await filesBelow(shelf, path, signal, depth + 1)));
  }
  return files;
}

function unknownSkill(name: string, skills: readonly Skill[]): ToolError {
  const names = skills.flatMap((skill) => (skill.isForClaude ? [skill.name] : [])).slice(0, 50);
  return new ToolError(
    names.length === 0
      ? 'There are no skills here. Go on without one.'
      : `There is no skill ${name}. Use one of these: ${names.join(', ')}.`,
  );
}
