import { ToolError } from './errors';
import type { PathPolicy } from './tools/paths/pathPolicy';
import type { Workspace } from './tools/workspace';

export const instructionFileNames: readonly string[] = ['CLAUDE.md', 'AGENTS.md'];

/** More than the system prompt takes of one. */
const maxBytes = 256 * 1024;

export interface InstructionFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The instruction files at the root of each folder, as they stand on disk. They go to Claude without a question, so the
 * path policy has its say: none that leads out of the workspace or to a secret, and one that two names lead to once.
 */
export async function readInstructionFiles(
  workspace: Pick<Workspace, 'folders' | 'isTrusted' | 'stat' | 'readBytes'>,
  policy: Pick<PathPolicy, 'forReading' | 'show'>,
  signal: AbortSignal,
): Promise<readonly InstructionFile[]> {
  if (!workspace.isTrusted()) return [];
  const named = workspace
    .folders()
    .flatMap((folder) => instructionFileNames.map((path) => policy.show({ folder, path })));
  const files = new Map<string, InstructionFile>();
  for (const file of await Promise.all(named.map(read))) {
    if (file && !files.has(file.place)) files.set(file.place, { name: file.name, text: file.text });
  }
  return [...files.values()];

  async function read(name: string) {
    try {
      const { place, shown, isSecret } = await policy.forReading(name, signal);
      const status = isSecret ? undefined : await workspace.stat(place, signal);
      if (status?.kind !== 'file') return undefined;
      const bytes = await workspace.readBytes(place, 0, Math.min(status.size, maxBytes), signal);
      return { place: shown, name, text: new TextDecoder().decode(bytes) };
    } catch (error) {
      // A file that may not be read is as good as none: nobody asked for it.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }
}
