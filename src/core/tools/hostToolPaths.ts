import { ToolError } from '../errors';
import { isObject } from '../text/json';
import type { PathPolicy } from './paths/pathPolicy';
import type { ForeignTool } from './sanitize';
import type { Folder, Place } from './workspace';

/**
 * VS Code's tools for symbols take the address of any file on the machine, or a path that may lead out of the workspace.
 * Ours to give them are paths that the path policy allows (S1, S4).
 */
export function withFilePathOnly(tool: ForeignTool): ForeignTool | undefined {
  const schema = tool.inputSchema;
  if (!isObject(schema) || !isObject(schema['properties'])) return undefined;
  const { uri: _, ...properties } = schema['properties'];
  if (!('filePath' in properties)) return undefined;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    ...tool,
    inputSchema: {
      ...schema,
      properties,
      required: [...new Set([...required.filter((name) => name !== 'uri'), 'filePath'])],
    },
  };
}

/** As VS Code takes it: a path counts in the first folder only. Throws ToolError for what is not allowed. */
export async function checkedFilePath(
  input: unknown,
  { policy, folders, effect, addressOf }: FilePathCheck,
  signal: AbortSignal,
): Promise<CheckedPath> {
  const { uri: _, filePath, ...rest } = isObject(input) ? input : {};
  if (typeof filePath !== 'string') throw new ToolError('filePath must be a path within the workspace.');
  const check = effect === 'reads' ? policy.forReading : policy.forWriting;
  const { place, spellings, isSecret, protectedBecause, shown } = await check(filePath, signal);
  if (isSecret)
    throw new ToolError(`${shown} looks like it holds secrets, so symbols are not looked up in it.`);
  const isInFirst = place.folder.root === folders[0]?.root;
  const address = isInFirst ? { filePath: place.path } : { uri: addressOf(place) };
  const isAlwaysAsked = effect === 'writes' && protectedBecause !== undefined;
  return { input: { ...rest, ...address }, spellings, isAlwaysAsked };
}

export interface CheckedPath {
  readonly input: object;
  readonly spellings: readonly Place[];
  /** A change in a place that runs code, which no rule and no earlier answer allows (R3, S5). */
  readonly isAlwaysAsked: boolean;
}

export interface FilePathCheck {
  readonly policy: Pick<PathPolicy, 'forReading' | 'forWriting'>;
  readonly folders: readonly Folder[];
  readonly effect: 'reads' | 'writes';
  readonly addressOf: (place: Place) => string;
}
