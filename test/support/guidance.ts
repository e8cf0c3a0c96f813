import type { Log, Wait } from '../../src/core/ports';
import { createGuidance, type Guidance } from '../../src/core/tools/guidance/guidance';
import type { GuidanceFolder } from '../../src/core/tools/guidance/shelf';
import { createPathPolicy } from '../../src/core/tools/paths/pathPolicy';
import { createSecretFiles, defaultSecretFiles } from '../../src/core/tools/paths/secretFiles';
import { createInMemoryWorkspace, type Content, type InMemoryWorkspace } from './inMemoryWorkspace';

const secretFiles = createSecretFiles(defaultSecretFiles);
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Nothing takes too long. */
const patientWait: Wait = () => new Promise(() => undefined);

/** The words in a workspace, and in the `.claude` folder of a person whose home is `/home/me`. */
export function guidanceOver(
  workspace: GuidanceFolder,
  person: GuidanceFolder = personalFolder({}),
  { wait = patientWait, log = silent }: { readonly wait?: Wait; readonly log?: Log } = {},
): Guidance {
  const policy = createPathPolicy({ workspace, secretFiles: () => secretFiles });
  return createGuidance({ workspace, policy, person, secretFiles: () => secretFiles, wait, log });
}

export function personalFolder(files: Readonly<Record<string, Content>>): InMemoryWorkspace {
  return createInMemoryWorkspace({ folders: [{ name: '.claude', root: '/home/me/.claude' }], files });
}

/** Where a test is about something else. */
export const noSkills: Pick<Guidance, 'skills'> = { skills: async () => [] };
