import { createSecretFilesReader } from '../../src/core/tools/paths/secretFiles';
import { createSharedRecall } from '../../src/core/tools/recall';
import { createToolset } from '../../src/core/tools/toolset';
import { unrecorded } from './changes';
import { noSkills } from './guidance';
import { createInMemoryWorkspace } from './inMemoryWorkspace';
import { unkept } from './notes';

/** What `package.json` must say of our tools, and `package.nls.json` of their names. */
export function toolContributions() {
  const nothing = { find: async () => [], whole: async () => '' };
  const tools = [
    ...createToolset({
      workspace: createInMemoryWorkspace(),
      secretFiles: createSecretFilesReader(() => []),
      changes: unrecorded,
      notes: unkept,
      guidance: noSkills,
    }),
    createSharedRecall(nothing, () => true),
  ];
  return {
    contributions: tools.map(({ name, description, inputSchema }) => ({
      name,
      toolReferenceName: name,
      displayName: `%tool.${name}%`,
      userDescription: `%tool.${name}.description%`,
      modelDescription: description,
      canBeReferencedInPrompt: true,
      inputSchema,
    })),
    names: Object.fromEntries(tools.map(({ name, title }) => [`tool.${name}`, title])),
  };
}
