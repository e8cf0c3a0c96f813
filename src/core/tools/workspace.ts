/** One folder of the workspace. `root` is absolute and written with `/`; `name` is unique. */
export interface Folder {
  readonly name: string;
  readonly root: string;
}

/** A spot in the workspace, `/`-separated and without `..`; '' is the folder itself. Made by the path policy. */
export interface Place {
  readonly folder: Folder;
  readonly path: string;
}

/** The same for the same place, and different for all others. */
export function placeKey({ folder, path }: Place): string {
  return `${folder.root}/${path}`;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.folder.root === b.folder.root && a.path === b.path;
}

/** Whether a place is the scope itself or lies below it. */
export function isWithin(scope: Place | undefined, place: Place): boolean {
  if (scope === undefined) return true;
  if (scope.folder.root !== place.folder.root) return false;
  return scope.path === '' || place.path === scope.path || place.path.startsWith(`${scope.path}/`);
}

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  readonly name: string;
  /** Links are not followed: `link` says that there is one. */
  readonly kind: EntryKind;
}

export interface FileStatus {
  /** Links are followed. `other` is a pipe, socket or device: opening it could block for ever. */
  readonly kind: Exclude<EntryKind, 'link'>;
  readonly size: number;
}

/** A file as text. Encodings have the names that `files.encoding` takes: `utf8`, `windows1252`, `shiftjis` … */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  /** False when the text, written back, would not give the same bytes. */
  readonly isExact: boolean;
}

/** A character that an encoding does not have. */
export interface UnwritableCharacter {
  readonly encoding: string;
  readonly character: string;
}

/** An editor with changes that are not on disk. */
export interface UnsavedEditor {
  /** Where its file really is, all links followed. */
  readonly place: Place;
  /** The path that it was opened by, when that is inside the workspace. */
  readonly named: Place | undefined;
  /** Undefined where the editor is not one for text: a notebook, or one that an extension brings. */
  readonly text: string | undefined;
  /** What it would be saved in. */
  readonly encoding: string | undefined;
}

export interface ScopedQuery {
  /** Where to look: folders or single files. */
  readonly within: readonly Place[];
  /** Globs relative to the place looked in; none means all files. */
  readonly include: readonly string[];
  /** Globs relative to the workspace folder; left out whatever `include` says, in any case of letters. */
  readonly exclude: readonly string[];
  /** Look also into what ignore files and the exclude settings leave out. */
  readonly isIgnoredIncluded: boolean;
  readonly limit: number;
}

export interface TextQuery extends ScopedQuery {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly isCaseSensitive: boolean;
  readonly contextLines: number;
}

export interface TextLine {
  readonly place: Place;
  readonly line: number;
  /** A very long line is cut around its first match. */
  readonly text: string;
  /** False for a line of context. */
  readonly isMatch: boolean;
}

/** Why a search ended: all was seen, the limit was reached, or time ran out. */
export type SearchEnd = 'complete' | 'limit' | 'time';

export interface FoundText {
  readonly lines: readonly TextLine[];
  readonly end: SearchEnd;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface Problem {
  readonly place: Place;
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string;
}

export interface CodeSymbol {
  readonly name: string;
  readonly kind: string;
  readonly place: Place;
  readonly line: number;
  readonly endLine: number;
  /** How deep it stands in the outline; 0 at the top. */
  readonly depth: number;
  readonly container?: string;
}

export type ChangeGroup = 'staged' | 'unstaged' | 'untracked' | 'conflict';

export interface ChangedFile {
  readonly place: Place;
  readonly group: ChangeGroup;
  /** In git's words: `modified`, `added`, `deleted`, `renamed` … */
  readonly status: string;
}

export interface RepositoryChanges {
  readonly name: string;
  readonly branch: string | undefined;
  readonly ahead: number;
  readonly behind: number;
  readonly files: readonly ChangedFile[];
}

/** One change to the workspace; each is one step for Undo. */
export type WorkspaceChange =
  /** Fails when the text there is no longer `before`. Without an encoding, the one that the editor reads it in. */
  | {
      readonly kind: 'edit';
      readonly place: Place;
      readonly before: string;
      readonly after: string;
      readonly encoding?: string | undefined;
      /** What formatters and settings would make of it on saving is not wanted: it is to be exactly this text. */
      readonly isExact?: boolean;
    }
  /** Fails when something is there already. Without an encoding, the one for new files. */
  | {
      readonly kind: 'create';
      readonly place: Place;
      readonly text: string;
      readonly encoding?: string | undefined;
    }
  | { readonly kind: 'rename'; readonly from: Place; readonly to: Place }
  | { readonly kind: 'delete'; readonly place: Place };

/** `refused`: nothing was changed, because what was there is no longer what the change was made for. */
export type ChangeOutcome =
  | { readonly kind: 'saved' }
  /** The editor had unsaved work before, so that it was not saved on the person's behalf. */
  | { readonly kind: 'left-unsaved' }
  | { readonly kind: 'refused'; readonly why: string };

/** All that tools need of the workspace. Places come from the path policy, never from the model as they are. */
export interface Workspace {
  folders(): readonly Folder[];
  isTrusted(): boolean;
  /** Where opening this place would end, all links followed; also for what does not exist (yet). */
  realPath(place: Place, signal: AbortSignal): Promise<string>;
  stat(place: Place, signal: AbortSignal): Promise<FileStatus | undefined>;
  /** What is directly in a folder, in no order. */
  list(place: Place, signal: AbortSignal): Promise<readonly Entry[]>;
  /** Bytes from disk; fewer than `length` at the end of the file. */
  readBytes(place: Place, start: number, length: number, signal: AbortSignal): Promise<Uint8Array>;
  /** What the person sees wins over what is on disk. */
  unsavedEditors(signal: AbortSignal): Promise<readonly UnsavedEditor[]>;
  /** The whole of a file, as the editor reads it. */
  decode(place: Place, bytes: Uint8Array): Promise<DecodedText>;
  /** The first character of a text that could not be written; without an encoding, to a new file. */
  findUnwritable(place: Place, text: string, encoding?: string): Promise<UnwritableCharacter | undefined>;
  /** The text of a new file with the line ends, and the last one, that the settings want. */
  newFileText(place: Place, text: string): string;
  /** What a file is called that opens as a notebook of an extension; undefined for all others. */
  notebookType(place: Place): string | undefined;
  /** Hands over each file as it is found: a large tree is never held as a whole. */
  findFiles(query: ScopedQuery, onFile: (file: Place) => void, signal: AbortSignal): Promise<SearchEnd>;
  searchText(query: TextQuery, signal: AbortSignal): Promise<FoundText>;
  /** As the editor reports them, also for files that a link leads to. */
  problems(): readonly Problem[];
  /**
   * Resolves when language services have reported on a file as it is now: at once where none has ever reported on it,
   * `limitMs` after its last change at the latest, and when the signal aborts.
   */
  problemsSettled(place: Place, limitMs: number, signal: AbortSignal): Promise<void>;
  outline(place: Place, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  findSymbols(query: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Undefined when there is no git here. */
  changes(signal: AbortSignal): Promise<readonly RepositoryChanges[] | undefined>;
  /** What git would show: against the last commit what is staged, or all that changed since. */
  diff(place: Place, what: 'staged' | 'all', signal: AbortSignal): Promise<string>;
  apply(change: WorkspaceChange, signal: AbortSignal): Promise<ChangeOutcome>;
}
