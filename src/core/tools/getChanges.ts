import * as l10n from '@vscode/l10n';
import { cutText } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { boolean, objectOf, string } from './inputSchema';
import { capLines, resultLimit } from './lines';
import { firstFolder } from './paths/parsePath';
import type { PathPolicy } from './paths/pathPolicy';
import { type ChangedFile, isWithin, placeKey, type RepositoryChanges } from './workspace';
import { defineTool, touchingNamed, type ToolContext } from './workspaceTool';

interface Input {
  readonly path?: string;
  readonly staged_only?: boolean;
  readonly diff?: boolean;
}

/** Git waits for a lock as long as somebody holds it. */
const gitTimeoutMs = 60_000;
/** Of a long list the rest is room for the diffs. */
const listLimit = 10_000;

export const getChanges = defineTool<Input>({
  name: 'get_changes',
  title: () => l10n.t('Get Git Changes'),
  description:
    'Get what git reports as changed: the branch, the changed files with their state (staged, unstaged, untracked, ' +
    'conflict) and the diff against the last commit. Use it to review work, to write a commit message, or to see what ' +
    'the person is doing. With a path, only that file or folder.',
  effect: 'reads',
  timeoutMs: gitTimeoutMs,
  inputSchema: objectOf(
    {},
    {
      path: string('A file or folder; all repositories of the workspace if left out.'),
      staged_only: boolean('Only what is staged for the next commit. Default: false.'),
      diff: boolean('Show the diff, not only the list. Default: true.'),
    },
  ),
  prepare: async (
    { path, staged_only: isStagedOnly = false, diff: isDiffShown = true },
    context,
    preparing,
  ) => ({
    ...(await touchingNamed(path, context, preparing)),
    progress:
      path === undefined
        ? l10n.t('Looking at the git changes')
        : l10n.t('Looking at the git changes of {0}', codeSpan(path)),
    async run(_, signal) {
      const { workspace, policy } = context;
      firstFolder(workspace.folders());
      const scope = path === undefined ? undefined : (await policy.forReading(path, signal)).place;
      const repositories = await workspace.changes(signal);
      if (repositories === undefined) {
        const content = 'There is no git repository here, or git is not available in this window.';
        return { content, isError: true };
      }
      const isWanted = (file: ChangedFile) =>
        isWithin(scope, file.place) && (!isStagedOnly || file.group === 'staged');
      const described = repositories.map((one) =>
        describeRepository(one, one.files.filter(isWanted), policy),
      );
      const lines = described.join('\n\n').split('\n');
      const list = capLines(
        lines,
        (shown, all) => `[and ${moreFiles(all - shown)}: ask for a path to see them]`,
        listLimit,
      );
      if (!isDiffShown) return { content: list };
      const files = repositories.flatMap((one) => one.files.filter(isWanted));
      const options = { room: resultLimit - list.length, isStagedOnly };
      const diffs = await showDiffs(files, options, context, signal);
      return { content: `${list}\n\n${diffs}`.trimEnd() };
    },
  }),
});

function describeRepository(
  { name, branch, ahead, behind }: RepositoryChanges,
  files: readonly ChangedFile[],
  policy: PathPolicy,
): string {
  const distance = ahead + behind > 0 ? ` (${ahead} ahead, ${behind} behind)` : '';
  const head = `${name}: on ${branch ?? 'no branch'}${distance}`;
  const lines = files.map(({ place, group, status }) => `${group} ${status}: ${policy.show(place)}`);
  return [head, ...(lines.length === 0 ? ['no changes'] : lines)].join('\n');
}

async function showDiffs(
  files: readonly ChangedFile[],
  { room, isStagedOnly }: { readonly room: number; readonly isStagedOnly: boolean },
  { workspace, policy }: ToolContext,
  signal: AbortSignal,
): Promise<string> {
  const tracked = files.filter(({ group }) => group !== 'untracked').map(({ place }) => place);
  const places = new Map(tracked.map((place) => [placeKey(place), place]));
  const secrets = policy.secrets();
  const parts: string[] = [];
  let left = room;
  let crowdedOut = 0;
  for (const place of places.values()) {
    const shown = policy.show(place);
    if (secrets.has(place)) {
      parts.push(`[${shown} looks like it holds secrets: its diff is left out.]`);
    } else if (left <= 0) crowdedOut++;
    else {
      const diff = await workspace.diff(place, isStagedOnly ? 'staged' : 'all', signal);
      parts.push(diff.length > left ? cutDiff(diff, left, shown) : diff);
      left -= diff.length;
    }
  }
  if (crowdedOut > 0) {
    parts.push(`[No room for the diffs of ${moreFiles(crowdedOut)}: ask for them with path.]`);
  }
  if (files.some(({ group }) => group === 'untracked')) {
    parts.push('[What is untracked has no diff: use read_file.]');
  }
  return parts.join('\n');
}

function moreFiles(count: number): string {
  return count === 1 ? '1 more file' : `${count} more files`;
}

function cutDiff(diff: string, length: number, shown: string): string {
  const kept = cutText(diff, Math.max(2_000, length));
  return `${kept}\n[The diff of ${shown} goes on: use read_file.]`;
}
