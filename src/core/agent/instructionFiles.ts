import { ToolError } from '../errors';
import type { Log, Wait } from '../ports';
import type { PathPolicy } from '../tools/paths/pathPolicy';
import type { Workspace } from '../tools/workspace';

export const instructionFileNames: readonly string[] = ['CLAUDE.md', 'AGENTS.md'];

/** More than the system prompt holds of one. */
const maxBytes = 256 * 1024;
/** A file system that does not answer must not hold up the message for longer. */
const maxWaitMs = 3_000;

export interface InstructionFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The instruction files at the root of each folder, as they are on disk. They are sent without asking, so the path
 * policy decides: none that leads out of the workspace or to a secret, and each file once, whatever names lead to it.
 */
export async function readInstructionFiles(
  options: {
    readonly workspace: Pick<Workspace, 'folders' | 'isTrusted' | 'stat' | 'readBytes' | 'decode'>;
    readonly policy: Pick<PathPolicy, 'forReading' | 'show'>;
    readonly wait: Wait;
    readonly log: Log;
  },
  signal: AbortSignal,
): Promise<readonly InstructionFile[]> {
  const { workspace, policy, wait, log } = options;
  if (!workspace.isTrusted()) return [];
  const named = workspace
    .folders()
    .flatMap((folder) => instructionFileNames.map((path) => policy.show({ folder, path })));
  const files = new Map<string, InstructionFile>();
  for (const file of await Promise.all(named.map(readOrSkip))) {
    if (file && !files.has(file.place)) files.set(file.place, { name: file.name, text: file.text });
  }
  return [...files.values()];

  /** A file that cannot or may not be read is skipped: nobody asked for it. */
  async function readOrSkip(name: string) {
    const done = new AbortController();
    const tooLong = wait(maxWaitMs, AbortSignal.any([signal, done.signal])).then(() => {
      throw new Error('It took too long.');
    });
    try {
      return await Promise.race([read(name), tooLong]);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ToolError)) log.error('an instruction file could not be read', error);
      return undefined;
    } finally {
      done.abort();
      tooLong.catch(() => undefined);
    }
  }

  async function read(name: string) {
    const { place, shown, isSecret } = await policy.forReading(name, signal);
    const status = isSecret ? undefined : await workspace.stat(place, signal);
    if (status?.kind !== 'file') return undefined;
    const bytes = await workspace.readBytes(place, 0, Math.min(status.size, maxBytes), signal);
    const { text } = await workspace.decode(place, bytes);
    return { place: shown, name, text };
  }
}
