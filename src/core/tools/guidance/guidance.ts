import type { Log, Wait } from '../../ports';
import type { PathPolicy } from '../paths/pathPolicy';
import { createPathPolicy } from '../paths/pathPolicy';
import type { SecretFiles } from '../paths/secretFiles';
import type { Shelves } from './imports';
import { readInstructions, type Instructions } from './instructions';
import { readRunnables, type Runnable } from './prompts';
import { createShelf, type GuidanceFolder } from './shelf';
import { readSkills, type Skill } from './skills';

/** What counted for an answer and where it came from, without its words (T5). */
export interface CountedFile {
  readonly kind: 'instructions' | 'skill' | 'prompt';
  readonly path: string;
  readonly chars: number;
  /** It was told in an earlier turn, which is in sight. */
  readonly isEarlier?: true;
}

/** The team's own words and the person's: read anew for each turn, so that a changed file counts from the next one on. */
export interface Guidance {
  instructions(signal: AbortSignal): Promise<Instructions>;
  skills(signal: AbortSignal): Promise<readonly Skill[]>;
  runnables(signal: AbortSignal): Promise<readonly Runnable[]>;
}

export function createGuidance(options: {
  readonly workspace: GuidanceFolder;
  readonly policy: PathPolicy;
  /** The person's `.claude` folder. Nothing else outside of the workspace is ever read. */
  readonly person: GuidanceFolder;
  readonly secretFiles: () => SecretFiles;
  readonly wait: Wait;
  readonly log: Log;
}): Guidance {
  const { workspace, policy, person, secretFiles } = options;
  const personPolicy = createPathPolicy({ workspace: person, secretFiles });
  const shelves: Shelves = {
    workspace: createShelf({ ...options, of: 'workspace', files: workspace, policy, prefix: '' }),
    person: createShelf({
      ...options,
      of: 'person',
      files: person,
      policy: personPolicy,
      prefix: '~/.claude/',
    }),
  };
  const skills = (signal: AbortSignal) => readSkills(shelves, signal);
  return {
    instructions: (signal) => readInstructions(shelves, signal),
    skills,
    runnables: async (signal) => readRunnables(shelves, await skills(signal), signal),
  };
}
