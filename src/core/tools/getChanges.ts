import * as l10n from '@vscode/l10n';
import { fitLines, resultLimit } from './fitLines';
import { codeSpan } from './literalText';
import { cutAtCharacter } from './truncate';
import { isWithin, type ChangedFile, type RepositoryChanges } from './workspace';
import { defineTool, type ToolContext, type WorkspaceTool } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly staged_only?: boolean;
  readonly diff?: boolean;
}

/** Git waits for a lock as long as somebody holds it. */
const gitTimeoutMs = 60_000;
/** Of a long list the rest is room for the diffs. */
const listLimit = 10_000;

export function createGetChanges({ workspace, policy }: ToolContext): WorkspaceTool {
  return defineTool<Input>({
    name: 'get_changes',
    title: l10n.t('Get Git Changes'),
    description:
      'Get what git reports as changed: the branch, the changed files with their state (staged, unstaged, untracked, ' +
      'conflict) and the diff against the last commit. Use it to review work, to write a commit message, or to see what ' +
      'the person is doing. With a path, only that file or folder.',
    effect: 'reads',
    timeoutMs: gitTimeoutMs,
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
        path === undefined
          ? l10n.t('Looking at the git changes')
          : l10n.t('Looking at the git changes of {0}', codeSpan(path)),
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
      const list = capList(repositories.map((repository) => describeRepository(repository, isWanted)));
      if (!isDiffShown) return { content: list };
      const files = repositories.flatMap((repository) => repository.files.filter(isWanted));
      const diffs = await showDiffs(files, resultLimit - list.length, isStagedOnly, signal);
      return { content: `${list}\n\n${diffs}`.trimEnd() };
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
    room: number,
    isStagedOnly: boolean,
    signal: AbortSignal,
  ): Promise<string> {
    const tracked = new Map(
      files
        .filter(({ group }) => group !== 'untracked')
        .map(({ place }) => [`${place.folder.root}/${place.path}`, place]),
    );
    const parts: string[] = [];
    let left = room;
    let crowdedOut = 0;
    for (const place of tracked.values()) {
      const shown = policy.show(place);
      if (policy.isSecret(place)) {
        parts.push(`[${shown} looks like it holds secrets: its diff is left out.]`);
      } else if (left <= 0) crowdedOut++;
      else {
        const diff = await workspace.diff(place, isStagedOnly ? 'staged' : 'all', signal);
        parts.push(diff.length > left ? cutDiff(diff, left, shown) : diff);
        left -= diff.length;
      }
    }
    if (crowdedOut > 0) {
      parts.push(`[No room for the diffs of ${filesOf(crowdedOut)}: ask for them with path.]`);
    }
    if (files.some(({ group }) => group === 'untracked')) {
      parts.push('[What is untracked has no diff: use read_file.]');
    }
    return parts.join('\n');
  }
}

function capList(repositories: readonly string[]): string {
  const lines = repositories.join('\n\n').split('\n');
  const shown = fitLines(lines, listLimit);
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`[and ${filesOf(rest)}: ask for a path to see them]`] : [])].join('\n');
}

function filesOf(count: number): string {
  return count === 1 ? '1 more file' : `${count} more files`;
}

function cutDiff(diff: string, length: number, shown: string): string {
  const kept = cutAtCharacter(diff, Math.max(2_000, length));
  return `${kept}\n[The diff of ${shown} goes on: use read_file.]`;
}
