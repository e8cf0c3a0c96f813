import { createToolset } from '../../src/core/tools/toolset';
import { createInMemoryWorkspace } from './inMemoryWorkspace';

/** Not for Claude nor for other chats: it asks before a tool of another extension runs for Claude. */
const askingTool = {
  name: 'use_external_tool',
  displayName: '%tool.use_external_tool%',
  modelDescription:
    'Asks the person, then runs a tool of another extension for Claude Assistant. Not for general use.',
  canBeReferencedInPrompt: false,
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string' }, input: { type: 'object' } },
    required: ['tool', 'input'],
  },
};

/** What `package.json` must say of our tools, and `package.nls.json` of their names. */
export function toolContributions() {
  const tools = createToolset({
    workspace: createInMemoryWorkspace(),
    secretFiles: () => [],
    onChange: () => undefined,
  });
  return {
    contributions: [
      ...tools.map(({ name, description, inputSchema }) => ({
        name,
        toolReferenceName: name,
        displayName: `%tool.${name}%`,
        modelDescription: description,
        canBeReferencedInPrompt: true,
        inputSchema,
      })),
      askingTool,
    ],
    names: {
      ...Object.fromEntries(tools.map(({ name, title }) => [`tool.${name}`, title])),
      'tool.use_external_tool': 'Use External Tool',
    },
  };
}
