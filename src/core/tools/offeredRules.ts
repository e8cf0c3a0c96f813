import {
  decide,
  isPermissionRule,
  type CallInQuestion,
  type PermissionRule,
  type Permissions,
} from './permissions';

/** A rule that would have spared a question (R4), and where it has to stand among the others to count. */
export interface OfferedRule {
  readonly rule: PermissionRule;
  readonly index: number;
  readonly about: 'file' | 'folder' | 'tool';
}

/** From the narrowest to the widest; none for what is always asked. */
export function offeredRules(call: CallInQuestion, permissions: Permissions): readonly OfferedRule[] {
  const [tool] = call.names;
  if (tool === undefined) return [];
  const { rules } = permissions;
  const now = decide(call, permissions);
  const index = now.type === 'ask' ? (now.rule ?? rules.length) : rules.length;
  const paths = (call.touches?.places ?? []).flatMap((spellings) => spellings.at(-1)?.path ?? []);
  const [file, ...others] = paths;
  const folder = commonFolder(paths);
  const offered: readonly OfferedRule[] = [
    ...(file !== undefined && others.length === 0
      ? [{ rule: allow(tool, literal(file)), index, about: 'file' } as const]
      : []),
    ...(folder === ''
      ? []
      : [{ rule: allow(tool, `${literal(folder)}/**`), index, about: 'folder' } as const]),
    { rule: allow(tool), index, about: 'tool' },
  ];
  // Some names cannot be written as a glob, and what a link leads to may lie elsewhere.
  return offered.filter(({ rule }) => {
    if (!isPermissionRule(rule)) return false;
    const added = decide(call, { ...permissions, rules: rules.toSpliced(index, 0, rule) });
    return added.type === 'allow' && added.because.by === 'rule' && added.because.rule === index + 1;
  });
}

function allow(tool: string, path?: string): PermissionRule {
  return { tool, ...(path !== undefined && { path }), decision: 'allow' };
}

/** Braces have no literal form, so that any one character may stand there. */
function literal(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]').replaceAll(/[{}]/g, '?');
}

function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first = []] = folders;
  const different = first.findIndex((name, at) => folders.some((folder) => folder[at] !== name));
  return first.slice(0, different === -1 ? first.length : different).join('/');
}
