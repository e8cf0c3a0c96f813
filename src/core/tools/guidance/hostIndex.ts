import { instructionFileNames, rulesFolder } from './instructions';

/**
 * VS Code puts an index of instruction files and skills before each message, with the advice to read them in the
 * terminal. What of it we tell by ourselves leaves it; undefined where nothing else is left.
 */
export function withoutGuidance(index: string): string | undefined {
  const others = index.replaceAll(/<(instruction|skill)>[^]*?<\/\1>\s*/g, (entry) => {
    const [, file = ''] = /<file>([^]*?)<\/file>/.exec(entry) ?? [];
    return isGuidancePath(file.trim().replaceAll('\\', '/')) ? '' : entry;
  });
  if (others === index) return index;
  const left = others
    .replaceAll(/<(instructions|skills)>(?:(?!<(?:instruction|skill)>)[^])*?<\/\1>\s*/g, '')
    .trim();
  return left === '' ? undefined : left;
}

/** Whether a file counts by itself: in the system prompt, or with the result that first touches what it is for. */
export function isGuidancePath(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  if (instructionFileNames.includes(name) || path.includes(`/${rulesFolder}/`)) return true;
  return /\/\.(claude|github|agents)\/skills\/[^/]+\/SKILL\.md$/.test(path);
}
