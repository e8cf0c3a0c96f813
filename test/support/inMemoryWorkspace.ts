import { ToolError } from '../../src/core/errors';
import { excerpt } from '../../src/core/tools/lines';
import { compileGlob } from '../../src/core/tools/paths/glob';
import type {
  ChangeOutcome,
  CodeSymbol,
  Entry,
  FileStatus,
  Folder,
  Place,
  Problem,
  RepositoryChanges,
  ScopedQuery,
  TextLine,
  Workspace,
  WorkspaceChange,
} from '../../src/core/tools/workspace';
import { decodeAs, encodeAs, markedEncoding } from './encodings';

/** What can stand at a path: text, bytes, a link to another path, or something that is no regular file. */
export type Content = string | Uint8Array | { readonly link: string } | { readonly device: true };

export interface InMemoryWorkspace extends Workspace {
  /** Everything that exists, by absolute path; folders are implied. */
  readonly files: Map<string, Content>;
  /** Unsaved editors, by absolute path. */
  readonly unsaved: Map<string, string>;
  /** Paths that were opened for reading, in order. */
  readonly opened: string[];
  text(path: string): string | undefined;
  trusted: boolean;
}

export interface InMemoryOptions {
  readonly folders?: readonly Folder[];
  /** By absolute path, or relative to the first folder. */
  readonly files?: Readonly<Record<string, Content>>;
  /** Globs that ignore files and settings leave out. */
  readonly ignored?: readonly string[];
  /** What is reported, or what a language service finds in the texts of files each time that it looks at one. */
  readonly problems?: readonly Problem[] | ((text: InMemoryWorkspace['text']) => readonly Problem[]);
  /** Names of notebooks by the end of their files' names. */
  readonly notebooks?: Readonly<Record<string, string>>;
  readonly symbols?: readonly CodeSymbol[];
  readonly changes?: readonly RepositoryChanges[];
  readonly diffs?: Readonly<Record<string, string>>;
  /** What files of bytes are read in unless a byte order mark says otherwise, and new files written in. */
  readonly encoding?: string;
}

/** A workspace without a disk. It keeps the same contract as the real one: see workspaceContract. */
export function createInMemoryWorkspace(options: InMemoryOptions = {}): InMemoryWorkspace {
  const folders = options.folders ?? [{ name: 'app', root: '/work/app' }];
  const base = folders[0]?.root ?? '/work/app';
  const files = new Map(
    Object.entries(options.files ?? {}).map(([path, content]) => [
      path.startsWith('/') ? path : `${base}/${path}`,
      content,
    ]),
  );
  const unsaved = new Map<string, string>();
  const defaultEncoding = options.encoding ?? 'utf8';
  const opened: string[] = [];
  let reported = lookForProblems();
  const ignored = (options.ignored ?? []).map((glob) => compileGlob(glob, { isCaseSensitive: true }));

  function follow(path: string, hops = 0): string {
    if (hops > 40) throw new ToolError('The links on this path run in circles.');
    let real = '';
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    for (const [at, segment] of segments.entries()) {
      if (segment === '..') {
        real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
        continue;
      }
      const content = files.get(`${real}/${segment}`);
      if (typeof content === 'object' && 'link' in content) {
        const target = content.link.startsWith('/') ? content.link : `${real}/${content.link}`;
        return follow([target, ...segments.slice(at + 1)].join('/'), hops + 1);
      }
      real = `${real}/${segment}`;
    }
    return real;
  }

  function statOf(path: string): FileStatus | undefined {
    const real = follow(path);
    const content = files.get(real);
    if (content === undefined) {
      const isFolder = folders.some(({ root }) => root === real) || hasBelow(real);
      return isFolder ? { kind: 'folder', size: 0 } : undefined;
    }
    if (typeof content === 'string' || content instanceof Uint8Array) {
      return { kind: 'file', size: toBytes(content).length };
    }
    return { kind: 'other', size: 0 };
  }

  function hasBelow(path: string): boolean {
    return [...files.keys()].some((key) => key.startsWith(`${path}/`));
  }

  function placeAt(path: string): Place | undefined {
    const folder = folders.find(({ root }) => path.startsWith(`${root}/`));
    return folder && { folder, path: path.slice(folder.root.length + 1) };
  }

  function unsavedAt(path: string) {
    const found = [...unsaved].find(([key]) => follow(key) === follow(path));
    return found && { opened: found[0], text: found[1] };
  }

  function textOf(path: string): string | undefined {
    const content = files.get(follow(path));
    if (typeof content === 'string') return content;
    return content instanceof Uint8Array ? decodeAs(encodingAt(path), content) : undefined;
  }

  function encodingAt(path: string): string {
    const content = files.get(follow(path));
    return (content instanceof Uint8Array ? markedEncoding(content) : 'utf8') ?? defaultEncoding;
  }

  /** Plain UTF-8 stays a string, which tests compare more easily. */
  function write(path: string, text: string, encoding: string): void {
    files.set(path, encoding === 'utf8' ? text : encodeAs(encoding, text));
  }

  function lookForProblems(): readonly Problem[] {
    const { problems = [] } = options;
    const inEditor = (path: string) => unsaved.get(`${base}/${path}`) ?? textOf(`${base}/${path}`);
    return typeof problems === 'function' ? problems(inEditor) : problems;
  }

  /** Regular files in the scope; links are not followed. */
  function filesIn(query: ScopedQuery): Place[] {
    const excluded = query.exclude.map((glob) => compileGlob(glob, { isCaseSensitive: false }));
    const includes = query.include.map((glob) => compileGlob(glob, { isCaseSensitive: true }));
    return query.within.flatMap(({ folder, path: start }) => {
      const from = absolute({ folder, path: start });
      return [...files]
        .filter(([, content]) => typeof content === 'string' || content instanceof Uint8Array)
        .filter(([key]) => key === from || key.startsWith(`${from}/`))
        .map(([key]) => ({ folder, path: key.slice(folder.root.length + 1) }))
        .filter(({ path }) => query.isIgnoredIncluded || path === start || !isIgnored(path))
        .filter(({ path }) => !`/${path}`.includes('/.git/'))
        .filter(({ path }) => !excluded.some((matches) => matches(path)))
        .filter(({ path }) => {
          const relative =
            path === start
              ? path.slice(path.lastIndexOf('/') + 1)
              : path.slice(start === '' ? 0 : start.length + 1);
          return includes.length === 0 || includes.some((matches) => matches(relative));
        });
    });
  }

  function isIgnored(path: string): boolean {
    const segments = path.split('/');
    return segments.some((_, at) => ignored.some((matches) => matches(segments.slice(0, at + 1).join('/'))));
  }

  function edit({
    place,
    before,
    after,
    encoding,
  }: Extract<WorkspaceChange, { kind: 'edit' }>): ChangeOutcome {
    const path = absolute(place);
    if (follow(path) !== follow(place.folder.root) + path.slice(place.folder.root.length)) return linkRefusal;
    const editor = unsavedAt(path);
    if ((editor?.text ?? textOf(path)) !== before) return { kind: 'refused', why: 'it has changed' };
    if (editor === undefined) write(path, after, encoding ?? encodingAt(path));
    else unsaved.set(editor.opened, after);
    return { kind: editor === undefined ? 'saved' : 'left-unsaved' };
  }

  function changeFile(change: Exclude<WorkspaceChange, { kind: 'edit' }>): ChangeOutcome {
    const target = change.kind === 'rename' ? change.to : change.place;
    const path = absolute(target);
    if (change.kind !== 'delete') {
      if (follow(path) !== follow(target.folder.root) + path.slice(target.folder.root.length))
        return linkRefusal;
      if (statOf(path) !== undefined) return { kind: 'refused', why: 'something is there already' };
    }
    if (change.kind === 'create') write(path, change.text, change.encoding ?? defaultEncoding);
    const from =
      change.kind === 'create' ? undefined : absolute(change.kind === 'rename' ? change.from : target);
    for (const [key, content] of new Map(files)) {
      if (from === undefined || (key !== from && !key.startsWith(`${from}/`))) continue;
      files.delete(key);
      if (change.kind === 'rename') files.set(path + key.slice(from.length), content);
    }
    return { kind: 'saved' };
  }

  const workspace: InMemoryWorkspace = {
    files,
    unsaved,
    opened,
    text: (path) => textOf(path.startsWith('/') ? path : `${base}/${path}`),
    trusted: true,
    folders: () => folders,
    isTrusted: () => workspace.trusted,
    realPath: async (place) => follow(absolute(place)),
    stat: async (place) => statOf(absolute(place)),
    async list(place) {
      const path = follow(absolute(place));
      const names = new Map<string, Entry['kind']>();
      for (const [key, content] of files) {
        if (!key.startsWith(`${path}/`)) continue;
        const [name = '', ...deeper] = key.slice(path.length + 1).split('/');
        names.set(name, deeper.length > 0 ? 'folder' : kindOf(content));
      }
      return Array.from(names, ([name, kind]) => ({ name, kind }));
    },
    async readBytes(place, start, length) {
      opened.push(absolute(place));
      const content = files.get(follow(absolute(place)));
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
        throw new ToolError('This is not a regular file and cannot be read.');
      }
      return toBytes(content).subarray(start, start + length);
    },
    unsavedEditors: async () =>
      [...unsaved].flatMap(([path, text]) => {
        const place = placeAt(follow(path));
        return place === undefined
          ? []
          : [{ place, named: placeAt(path), text, encoding: encodingAt(follow(path)) }];
      }),
    async decode(place, bytes) {
      const encoding = encodingAt(absolute(place));
      const text = decodeAs(encoding, bytes);
      return { text, encoding, isExact: Buffer.compare(encodeAs(encoding, text), bytes) === 0 };
    },
    async findUnwritable(_, text, encoding = defaultEncoding) {
      const back = Array.from(decodeAs(encoding, encodeAs(encoding, text)));
      const character = Array.from(text).find((one, at) => one !== back[at]);
      return character === undefined ? undefined : { encoding, character };
    },
    newFileText: (_, text) => text,
    notebookType: ({ path }) =>
      Object.entries(options.notebooks ?? {}).find(([end]) => path.toLowerCase().endsWith(end))?.[1],
    async findFiles(query, onFile) {
      const found = filesIn(query);
      for (const place of found.slice(0, query.limit)) onFile(place);
      return found.length >= query.limit ? 'limit' : 'complete';
    },
    async searchText(query) {
      const source = query.isLiteral ? query.pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : query.pattern;
      const expression = new RegExp(source, query.isCaseSensitive ? 'u' : 'iu');
      const lines: TextLine[] = [];
      let found = 0;
      for (const place of filesIn(query).toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
        const text = unsavedAt(absolute(place))?.text ?? textOf(absolute(place)) ?? '';
        if (text.includes('\0')) continue;
        const all = text.replace(/\r?\n$/, '').split(/\r?\n/);
        const matching = all.flatMap((line, at) => (expression.test(line) ? [at] : []));
        const shown = matching.slice(0, query.limit - found);
        for (const [at, line] of all.entries()) {
          const isMatch = shown.includes(at);
          const isNear = shown.some((match) => Math.abs(match - at) <= query.contextLines);
          if (isNear) {
            lines.push({
              place,
              line: at + 1,
              text: excerpt(line, expression.exec(line)?.index ?? 0),
              isMatch,
            });
          }
        }
        found += shown.length;
        if (shown.length < matching.length) return { lines, end: 'limit' };
      }
      return { lines, end: 'complete' };
    },
    problems: () => reported,
    async problemsSettled(_place, _limitMs, signal) {
      if (!signal.aborted) reported = lookForProblems();
    },
    outline: async (place) => (options.symbols ?? []).filter((symbol) => symbol.place.path === place.path),
    findSymbols: async (query) =>
      (options.symbols ?? []).filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())),
    changes: async () => options.changes,
    diff: async (place) => options.diffs?.[place.path] ?? '',
    apply: async (change) => (change.kind === 'edit' ? edit(change) : changeFile(change)),
  };
  return workspace;
}

const linkRefusal: ChangeOutcome = { kind: 'refused', why: 'a link has taken its place' };

function absolute({ folder, path }: Place): string {
  return path === '' ? folder.root : `${folder.root}/${path}`;
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function kindOf(content: Content): Entry['kind'] {
  if (typeof content === 'string' || content instanceof Uint8Array) return 'file';
  return 'link' in content ? 'link' : 'other';
}
