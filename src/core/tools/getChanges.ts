import { resultLimit } from './fitLines';
import { codeSpan } from './literalText';
import type { ChangedFile, Place, RepositoryChanges } from './workspace';
import { defineTool, type ToolContext, type WorkspaceTool } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly staged_only?: boolean;
  readonly diff?: boolean;
}

export function createGetChanges({ workspace, policy }: ToolContext): WorkspaceTool {
  return defineTool<Input>({
    name: 'get_changes',
    title: 'Get Git Changes',
    description:
      'Get what git reports as changed: the branch, the changed files with their state (staged, unstaged, untracked, ' +
      'conflict) and the diff against the last commit. Use it to review work, to write a commit message, or to see what ' +
      'the person is doing. With a path, only that file or folder.',
    effect: 'reads',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'A file or folder; all repositories of the workspace if left out.',
        },
        staged_only: {
          type: 'boolean',
          description: 'Only what is staged for the next commit. Default: false.',
        },
        diff: { type: 'boolean', description: 'Show the diff, not only the list. Default: true.' },
      },
      additionalProperties: false,
    },
    prepare: async ({ path }) => ({
      progress:
        path === undefined ? 'Looking at the git changes' : `Looking at the git changes of ${codeSpan(path)}`,
    }),
    async run({ path, staged_only: isStagedOnly = false, diff: isDiffShown = true }, _, signal) {
      const scope = path === undefined ? undefined : (await policy.forReading(path, signal)).place;
      const repositories = await workspace.changes(signal);
      if (repositories === undefined) {
        return {
          content: 'There is no git repository here, or git is not available in this window.',
          isError: true,
        };
      }
      const isWanted = (file: ChangedFile) =>
        isWithin(scope, file.place) && (!isStagedOnly || file.group === 'staged');
      const list = repositories.map((repository) => describeRepository(repository, isWanted)).join('\n\n');
      if (!isDiffShown) return { content: list };
      const files = repositories.flatMap((repository) => repository.files.filter(isWanted));
      return { content: `${list}\n\n${await showDiffs(files, isStagedOnly, signal)}`.trimEnd() };
    },
  });

  function describeRepository(
    { name, branch, ahead, behind, files }: RepositoryChanges,
    isWanted: (file: ChangedFile) => boolean,
  ): string {
    const distance = ahead + behind > 0 ? ` (${ahead} ahead, ${behind} behind)` : '';
    const head = `${name}: on ${branch ?? 'no branch'}${distance}`;
    const lines = files
      .filter(isWanted)
      .map(({ place, group, status }) => `${group} ${status}: ${policy.show(place)}`);
    return [head, ...(lines.length === 0 ? ['no changes'] : lines)].join('\n');
  }

  async function showDiffs(
    files: readonly ChangedFile[],
    isStagedOnly: boolean,
    signal: AbortSignal,
  ): Promise<string> {
    const places = new Map(files.map((file) => [`${file.place.folder.root}/${file.place.path}`, file]));
    const parts: string[] = [];
    let size = 0;
    for (const { place, group } of places.values()) {
      const shown = policy.show(place);
      if (size > resultLimit) parts.push(`[${shown}: no room for its diff; ask for it with path.]`);
      else if (group === 'untracked') parts.push(`[${shown} is new and untracked: use read_file.]`);
      else if (policy.isSecret(place))
        parts.push(`[${shown} looks like it holds secrets: its diff is left out.]`);
      else {
        const diff = await workspace.diff(place, isStagedOnly ? 'staged' : 'all', signal);
        const room = Math.max(2_000, resultLimit - size);
        parts.push(
          diff.length > room
            ? `${diff.slice(0, room)}\n[The diff of ${shown} goes on: use read_file.]`
            : diff,
        );
        size += diff.length;
      }
    }
    return parts.join('\n');
  }
}

function isWithin(scope: Place | undefined, place: Place): boolean {
  if (scope === undefined) return true;
  if (scope.folder.root !== place.folder.root) return false;
  return scope.path === '' || place.path === scope.path || place.path.startsWith(`${scope.path}/`);
}
