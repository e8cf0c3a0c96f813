import { createHash } from 'node:crypto';
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Journal, JournalFile } from '../../core/ports';
import { syncFolder, unlessMissing } from './diskFolder';

export interface WriteAheadOptions {
  /** Below `storageUri`; shared by all windows on the workspace, created when first needed. */
  readonly folder: string;
  /** New for each activation. */
  readonly activationId: string;
  readonly pid?: number;
  readonly host?: string;
  readonly isProcessAlive?: (pid: number) => boolean;
}

/** A process on another machine cannot be asked; after this long without a line it is taken for gone. */
const foreignHostMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The journal as files `wal-<activation>-<pid>-<host>-<generation>.jsonl`. The name says whose it is, so that another
 * window can tell without a heartbeat whether the owner lives. A file is only ever appended to: when it is rewritten,
 * the next generation is complete and synced before the one before goes. In between both are there, which is harmless,
 * because what they say can be read twice.
 */
export function createWriteAheadFiles(options: WriteAheadOptions): Journal {
  const { folder, pid = process.pid, isProcessAlive = isRunning } = options;
  // Only what the name of a file can carry between its dashes.
  const activationId = options.activationId.replaceAll(/[^a-zA-Z0-9]/g, '');
  const host = hostTag(options.host ?? hostname());
  const nameOf = (generation: number) => `wal-${activationId}-${pid}-${host}-${generation}.jsonl`;
  let generation = 1;
  let isCreated = false;
  let isTorn = false;
  let outdated: readonly string[] = [];

  async function write(name: string, lines: readonly string[]): Promise<void> {
    if (!isCreated) await mkdir(folder, { recursive: true });
    // Opened anew each time: if somebody removed the file, the lines go into a new one and not nowhere.
    const file = await open(join(folder, name), 'a', 0o600);
    try {
      const text = lines.map((line) => `${line}\n`).join('');
      // After half a line, a line break keeps the next one whole.
      await file.appendFile(isTorn && name === nameOf(generation) ? `\n${text}` : text);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async function removeOutdated(): Promise<void> {
    const left = await Promise.all(
      outdated.map(async (name) => ((await removed(join(folder, name))) ? [] : [name])),
    );
    outdated = left.flat();
  }

  async function isOwnerAlive(name: string, owner: Owner): Promise<boolean> {
    if (owner.host === host) return owner.pid !== pid && isProcessAlive(owner.pid);
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs < foreignHostMs;
  }

  return {
    async append(lines) {
      try {
        await write(nameOf(generation), lines);
        if (!isCreated) await syncFolder(folder);
        isCreated = true;
        isTorn = false;
      } catch (cause) {
        isTorn = true;
        throw cause;
      }
      if (outdated.length > 0) await removeOutdated();
    },

    async replace(lines) {
      const next = nameOf(generation + 1);
      // What a failed attempt left behind is half of this and goes first.
      await removed(join(folder, next));
      await write(next, lines);
      await syncFolder(folder);
      outdated = [...outdated, nameOf(generation)];
      generation += 1;
      isCreated = true;
      isTorn = false;
      await removeOutdated();
    },

    async others() {
      const names = await readdir(folder).catch(unlessMissing([]));
      const files = names.map(async (name): Promise<JournalFile[]> => {
        const owner = ownerOf(name);
        if (!owner || owner.activation === activationId) return [];
        return [{ name, isOwnerAlive: await isOwnerAlive(name, owner) }];
      });
      return (await Promise.all(files)).flat();
    },

    async read(name, from) {
      const file = await open(join(folder, name), 'r').catch(unlessMissing(undefined));
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        const buffer = Buffer.alloc(Math.max(0, size - from));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
        // The last line may still be on its way, or torn for ever: it was never acknowledged.
        const whole = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
        return { text: buffer.toString('utf8', 0, whole), end: from + whole };
      } finally {
        await file.close();
      }
    },

    async remove(name) {
      const owner = ownerOf(name);
      if (!owner || owner.activation === activationId)
        throw new Error(`not the file of another window: ${name}`);
      await unlink(join(folder, name)).catch(unlessMissing(undefined));
    },
  };
}

interface Owner {
  readonly activation: string;
  readonly pid: number;
  readonly host: string;
}

function ownerOf(name: string): Owner | undefined {
  const [, activation, pid, host] = /^wal-([a-zA-Z0-9]+)-(\d+)-([0-9a-f]{8})-\d+\.jsonl$/.exec(name) ?? [];
  return activation && pid && host ? { activation, pid: Number(pid), host } : undefined;
}

function hostTag(host: string): string {
  return createHash('sha256').update(host).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other answer, such as EPERM, comes from a process that is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

async function removed(path: string): Promise<boolean> {
  try {
    await unlink(path).catch(unlessMissing(undefined));
    return true;
  } catch {
    // Windows does not remove a file that another window is just reading: the next write tries again.
    return false;
  }
}
