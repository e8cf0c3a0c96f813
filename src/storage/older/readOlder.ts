import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Damage } from '../../core/conversation/savedForm';
import type { Archiving, DepartureRow, OlderData } from '../../core/conversation/store';
import type { AnswerRecord } from '../../core/ledger/record';
import { parsedJson } from '../sqlite';
import { mergeOlder } from './mergeOlder';
import { decodeState, type OlderEntry } from './olderEntry';
import { decodeArchived, decodeWriteAhead } from './olderFiles';
import { decodeDepartures, decodeOlderAnswer } from './olderRecords';

/** Nothing when there is nothing to import: files that stay because they cannot be read do not count. */
export async function readOlder(options: {
  /** The storage folder that all windows on the workspace share. */
  readonly folder: string | undefined;
  /** What `workspaceState` has under `assistant.memory`. */
  readonly state: unknown;
  /** What it has under `assistant.memory.v2`, where older versions wrote beside a newer one. */
  readonly besides: unknown;
  readonly now: number;
}): Promise<OlderData | undefined> {
  const states = [decodeState(options.state), decodeState(options.besides)];
  const entries: OlderEntry[] = states.flatMap((state) => state.entries);
  const damaged: Damage[] = states.flatMap((state) => state.damaged);
  const archived: Archiving[] = [];
  const answers: AnswerRecord[] = [];
  const departures: DepartureRow[] = [];
  const files = new Set<string>();
  const unreadable: string[] = [];

  /** `take` says whether it could read the text. */
  async function each(
    place: string,
    pattern: RegExp,
    take: (text: string, name: string) => boolean,
  ): Promise<void> {
    if (options.folder === undefined) return;
    const folder = join(options.folder, place);
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      // What a crash left half-written: nobody else removes it any more.
      if (name.endsWith('.tmp')) files.add(path);
      if (!pattern.test(name)) continue;
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined && take(text, name)) files.add(path);
      else unreadable.push(path);
    }
  }

  await each('memory', /^wal-[a-zA-Z0-9]+-\d+-[0-9a-f]{8}-\d+\.jsonl$/, (text) => {
    const read = decodeWriteAhead(text);
    entries.push(...(read?.entries ?? []));
    damaged.push(...(read?.damaged ?? []));
    return read !== undefined;
  });
  await each('archive', /^\d{15}-(ended|left|branch)-[0-9a-f]{16}\.json$/, (text, name) => {
    const read = decodeArchived(name.replace(/\.json$/, ''), text);
    archived.push(...(read ? [read.archiving] : []));
    damaged.push(...(read?.damaged ?? []));
    return read !== undefined;
  });
  // Says of which turns no word may stay; here none does of any.
  await each('ledger', /^erasing\.json$/, () => true);
  const dated = /^\d{15}-[\w-]+\.json$/;
  await each('ledger', dated, (text) => {
    const raw = parsedJson(text);
    const [answer, evicted] = [decodeOlderAnswer(raw), decodeDepartures(raw)];
    if (answer) answers.push(answer);
    departures.push(...evicted);
    return answer !== undefined || evicted.length > 0;
  });
  // Texts before changes, in a form that nothing can be judged by: they go.
  await each('changes', dated, () => true);

  const conversations = mergeOlder(entries, options.now);
  if (conversations.length + damaged.length + files.size === 0) return undefined;
  return { conversations, archived, answers, departures, unreadable, damaged, files: [...files] };
}

/** Once all of it is in the database. */
export async function removeOlder({ files }: Pick<OlderData, 'files'>): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
