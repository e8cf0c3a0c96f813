import * as vscode from 'vscode';
import { originOf, type ProjectMarks } from '../../core/conversation/archive/project';
import { ToolError } from '../../core/errors';
import type { ChangedFile, ChangeGroup, Place, RepositoryChanges } from '../../core/tools/workspace';
import { placeOf, uriOf } from './places';

/** The parts that we use of the API of VS Code's own git extension, version 1. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    readonly repositories: readonly Repository[];
    getRepository(uri: vscode.Uri): Repository | null;
    readonly state: 'uninitialized' | 'initialized';
    readonly onDidChangeState: vscode.Event<unknown>;
  };
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD:
      | {
          readonly name?: string;
          /** None before the first commit. */
          readonly commit?: string;
          readonly ahead?: number;
          readonly behind?: number;
        }
      | undefined;
    readonly mergeChanges: readonly Change[];
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
    readonly remotes: readonly { readonly fetchUrl?: string }[];
  };
  log(options: {
    readonly maxParents: number;
    readonly maxEntries: number;
  }): Promise<readonly { readonly hash: string }[]>;
  status(): Promise<void>;
  diffWith(commit: string, path: string): Promise<string>;
  diffIndexWithHEAD(path: string): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** Undefined when there is no git here, or the workspace is not trusted with it. */
export async function readChanges(): Promise<readonly RepositoryChanges[] | undefined> {
  const repositories = await readRepositories();
  if (repositories === undefined || repositories.length === 0) return undefined;
  return Promise.all(
    repositories.map(async (repository) => {
      // What the extension holds can lag behind the disk by seconds.
      await repository.status();
      const { state } = repository;
      const head = state.HEAD;
      return {
        name: repository.rootUri.path.split('/').at(-1) ?? '',
        branch: head?.name,
        ahead: head?.ahead ?? 0,
        behind: head?.behind ?? 0,
        files: [
          ...toFiles('conflict', state.mergeChanges),
          ...toFiles('staged', state.indexChanges),
          ...toFiles('unstaged', state.workingTreeChanges),
          ...toFiles('untracked', state.untrackedChanges ?? []),
        ],
      };
    }),
  );
}

/**
 * What tells these repositories from others. Asking for a first commit makes git walk the whole history, so those that
 * are known are handed in: they never change.
 */
export async function readOrigins(
  known: readonly string[],
): Promise<Pick<ProjectMarks, 'origins' | 'rootCommits'>> {
  const repositories = (await readRepositories()) ?? [];
  const rootCommits = known.length > 0 ? known : await readRootCommits(repositories);
  const remotes = repositories.flatMap(({ state }) => state.remotes.map(({ fetchUrl = '' }) => fetchUrl));
  return {
    origins: remotes.flatMap((remote) => originOf(remote) ?? []),
    rootCommits,
  };
}

async function readRootCommits(repositories: readonly Repository[]): Promise<readonly string[]> {
  const commits = await Promise.all(
    repositories.map((repository) =>
      // A repository without any commit has nothing to say.
      repository.log({ maxParents: 0, maxEntries: 1 }).catch(() => []),
    ),
  );
  return commits.flat().map(({ hash }) => hash);
}

export async function readDiff(place: Place, what: 'staged' | 'all'): Promise<string> {
  const uri = uriOf(place);
  // Git may spell a folder in other letters than VS Code: on Windows already the drive is `C:` there and `c:` here.
  const repository = (await gitApi())?.getRepository(uri);
  if (!repository) throw new ToolError(`${place.path} is in no git repository.`);
  const { fsPath } = uri;
  const commit = repository.state.HEAD?.commit;
  // Not `diffWithHEAD`, which compares with what is staged, whatever its name says.
  const diff = await (what === 'staged' || commit === undefined
    ? repository.diffIndexWithHEAD(fsPath)
    : repository.diffWith(commit, fsPath));
  return partOf(diff, uri.path.slice(repository.rootUri.path.replace(/\/$/, '').length + 1));
}

/** Git takes a name with such characters for a pattern: with `*` come the diffs of all files, those of secrets too. */
function partOf(diff: string, path: string): string {
  if (!/[*?[\]:\\]/.test(path)) return diff;
  const names = ['a/', 'b/', 'c/', 'i/', 'w/', ''].map((side) => `${side}${path}`);
  const heads = new Set(names.flatMap((from) => names.map((to) => `diff --git ${from} ${to}`)));
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => heads.has(part.split('\n', 1)[0] ?? ''));
  return parts.length > 0 ? parts.join('') : `[No diff of ${path} alone: use read_file.]`;
}

async function readRepositories(): Promise<readonly Repository[] | undefined> {
  return (await gitApi())?.repositories;
}

/** Git shows what it found in Source Control. Also when there is no git, or when it takes longer than this. */
export async function gitShown(mostMs = 5_000): Promise<void> {
  const tooLong = new Promise<void>((resolve) => {
    setTimeout(resolve, mostMs);
  });
  await Promise.race([gitInitialized(), tooLong]);
}

async function gitInitialized(): Promise<void> {
  const git = await gitApi();
  if (git?.state !== 'uninitialized') return;
  await new Promise<void>((resolve) => {
    const subscription = git.onDidChangeState(() => {
      subscription.dispose();
      resolve();
    });
  });
}

async function gitApi(): Promise<ReturnType<GitExtension['getAPI']> | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  const git = extension.isActive ? extension.exports : await activate(extension);
  return git?.enabled === true ? git.getAPI(1) : undefined;
}

/** VS Code has told the person already when its own extension does not start. */
async function activate(extension: vscode.Extension<GitExtension>): Promise<GitExtension | undefined> {
  try {
    return await extension.activate();
  } catch {
    return undefined;
  }
}

/** The numbers of the git extension's `Status`; what is not listed is a conflict. */
const statuses: readonly string[] =
  'modified,added,deleted,renamed,copied,modified,deleted,untracked,ignored,added,renamed,type changed'.split(
    ',',
  );

function toFiles(group: ChangeGroup, changes: readonly Change[]): ChangedFile[] {
  return changes.flatMap(({ uri, status }) => {
    const place = placeOf(uri);
    if (place === undefined) return [];
    const word = statuses[status] ?? 'conflict';
    return [{ place, group: word === 'untracked' ? 'untracked' : group, status: word }];
  });
}
