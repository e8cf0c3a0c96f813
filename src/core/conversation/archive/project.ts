import { isObject, parseJson } from '../../text/json';

/** What tells a project from others, wherever on the disk it stands. */
export interface ProjectMarks {
  /** Where its folder was when this was noted. */
  readonly path: string;
  /** The folder itself, as the file system knows it: the same after a rename. */
  readonly folderId?: string;
  /** Where its repositories come from, in one form and without any sign-in. */
  readonly origins: readonly string[];
  readonly rootCommits: readonly string[];
}

/** Whether these are one project. Forks share their first commit and templates do too: then the origin decides. */
export function isSameProject(one: ProjectMarks, other: ProjectMarks): boolean {
  if (one.folderId !== undefined && one.folderId === other.folderId) return true;
  const bothKnow = (marks: 'origins' | 'rootCommits') => one[marks].length > 0 && other[marks].length > 0;
  const share = (marks: 'origins' | 'rootCommits') => one[marks].some((mark) => other[marks].includes(mark));
  if (bothKnow('rootCommits') && !share('rootCommits')) return false;
  if (bothKnow('origins')) return share('origins');
  return share('rootCommits');
}

/** One form for the many in which the same remote is written: `host/owner/name`. Credentials are left out. */
export function originOf(remote: string): string | undefined {
  const [, scpHost, scpPath] = /^(?:[^@/]+@)?([^:/]{2,}):(?!\/\/)(.+)$/.exec(remote.trim()) ?? [];
  if (scpHost !== undefined && scpPath !== undefined) return joined(scpHost, scpPath);
  if (!URL.canParse(remote)) return undefined;
  const { hostname, pathname } = new URL(remote);
  return hostname === '' ? undefined : joined(hostname, pathname);
}

/** What was written down of a project; nothing when it cannot be read. */
export function decodeMarks(text: string): ProjectMarks | undefined {
  const raw = parseJson(text);
  if (!isObject(raw)) return undefined;
  const { path, folderId, origins, rootCommits } = raw;
  if (typeof path !== 'string' || !isTexts(origins) || !isTexts(rootCommits)) return undefined;
  return { path, origins, rootCommits, ...(typeof folderId === 'string' ? { folderId } : {}) };
}

function joined(host: string, path: string): string {
  const name = path.replace(/^\/+/, '').replace(/\/*(\.git)?\/*$/, '');
  return `${host.toLowerCase()}/${name}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
