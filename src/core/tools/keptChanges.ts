import type { Clock, Log, TextFiles } from '../ports';
import { isObject, parseJson } from '../text/json';
import { datedName, datedNames, idIn, keepNewest } from './datedTexts';
import type { Place, WorkspaceChange } from './workspace';
import type { FileChange } from './workspaceTool';

/** At most: the newest calls are kept, each up to this many characters. */
const maxFiles = 100;
const maxCharacters = 1_000_000;

/** What Claude changed, with what was there before, beyond the life of a window. Never fails: losing one is a pity, no more. */
export interface KeptChanges {
  /** The changes of one call. */
  keep(changes: readonly FileChange[]): Promise<void>;
  /** Oldest first. */
  of(callIds: readonly string[]): Promise<readonly FileChange[]>;
  forget(callIds: readonly string[]): Promise<void>;
}

export function createKeptChanges(options: {
  readonly files: TextFiles;
  /** Whether a file looks like it holds secrets: no copy of it is made. */
  readonly isSecret: (path: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}): KeptChanges {
  const { files, isSecret, clock, log } = options;

  const namesOf = async (callIds: readonly string[]) =>
    (await datedNames(files)).filter((name) => callIds.includes(idIn(name)));

  async function write(changes: readonly FileChange[], callId: string): Promise<void> {
    const text = JSON.stringify({ version: 1, changes: changes.map(encode) });
    if (text.length > maxCharacters) return;
    await files.write(datedName(clock(), callId), text);
    await keepNewest(files, maxFiles);
  }

  async function orElse<T>(fallback: T, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      log.error('kept changes: the files cannot be used', cause);
      return fallback;
    }
  }

  return {
    async keep(changes) {
      const [first] = changes;
      // The id becomes a part of a file name.
      if (!first || !/^[\w-]{1,100}$/.test(first.callId)) return;
      if (changes.some((change) => placesOf(change).some(({ path }) => isSecret(path)))) return;
      await orElse(undefined, () => write(changes, first.callId));
    },

    async of(callIds) {
      if (callIds.length === 0) return [];
      return orElse<readonly FileChange[]>([], async () => {
        const texts = await Promise.all((await namesOf(callIds)).map((name) => files.read(name)));
        return texts.flatMap((text) => (text === undefined ? [] : decode(text)));
      });
    },

    forget: (callIds) =>
      orElse(undefined, async () => {
        for (const name of await namesOf(callIds)) await files.remove(name);
      }),
  };
}

export function placesOf({ change }: FileChange): readonly Place[] {
  return change.kind === 'rename' ? [change.from, change.to] : [change.place];
}

/** Without the texts that the change itself repeats. */
function encode(change: FileChange): unknown {
  const { callId, before, after, encoding } = change;
  return { callId, kind: change.change.kind, places: placesOf(change), before, after, encoding };
}

/** Files are data from outside: what does not fit is left out. */
function decode(text: string): readonly FileChange[] {
  // Half a file is as good as none: the person is told that what was there before is not known.
  const file = parseJson(text);
  if (!isObject(file) || file['version'] !== 1 || !Array.isArray(file['changes'])) return [];
  return file['changes'].flatMap((raw) => decodeChange(raw) ?? []);
}

function decodeChange(raw: unknown): FileChange | undefined {
  if (!isObject(raw) || typeof raw['callId'] !== 'string' || !Array.isArray(raw['places'])) return undefined;
  const { callId } = raw;
  const before = typeof raw['before'] === 'string' ? raw['before'] : undefined;
  const after = typeof raw['after'] === 'string' ? raw['after'] : undefined;
  const encoding = typeof raw['encoding'] === 'string' ? raw['encoding'] : undefined;
  const [place, to] = raw['places'].map(decodePlace);
  const change = place && toChange(raw['kind'], { place, to, before, after, encoding });
  return change && { callId, change, before, after, encoding };
}

function toChange(
  kind: unknown,
  of: {
    readonly place: Place;
    readonly to: Place | undefined;
    readonly before: string | undefined;
    readonly after: string | undefined;
    readonly encoding: string | undefined;
  },
): WorkspaceChange | undefined {
  const { place, to, before, after, encoding } = of;
  switch (kind) {
    case 'edit':
      return before === undefined || after === undefined
        ? undefined
        : { kind, place, before, after, encoding };
    case 'create':
      return after === undefined ? undefined : { kind, place, text: after };
    case 'rename':
      return to && { kind, from: place, to };
    case 'delete':
      return { kind, place };
    default:
      return undefined;
  }
}

function decodePlace(raw: unknown): Place | undefined {
  if (!isObject(raw) || !isObject(raw['folder']) || typeof raw['path'] !== 'string') return undefined;
  const { name, root } = raw['folder'];
  const { path } = raw;
  const isInside = !/^[/\\]|\\/.test(path) && !path.split('/').includes('..');
  return typeof name === 'string' && typeof root === 'string' && isInside
    ? { folder: { name, root }, path }
    : undefined;
}
