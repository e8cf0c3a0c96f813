import { ToolError } from '../errors';
import { paramName, type ParamMemory } from './remember';
import type { Tool } from './tool';

export function createForget(memory: ParamMemory): Tool {
  return {
    name: 'forget',
    description:
      'Remove a fact that was kept with remember or came as an answer to ask_user: it is wrong, it is over, or the person ' +
      'wants it gone.',
    effect: 'writes',
    inputSchema: {
      type: 'object',
      properties: { name: paramName },
      required: ['name'],
      additionalProperties: false,
    },
    async run({ input }) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has been checked, see Tool.run
      const { name } = input as { readonly name: string };
      const known = Object.keys(memory.params());
      if (!known.includes(name)) {
        const there = known.length === 0 ? 'Nothing is remembered.' : `There is: ${known.join(', ')}.`;
        throw new ToolError(`Nothing is remembered as ${name}. ${there}`);
      }
      await memory.forget(name);
      return { content: `Forgot ${name}.` };
    },
  };
}
