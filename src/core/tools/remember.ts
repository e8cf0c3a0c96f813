import type { Params } from '../conversation/turn';
import { ToolError } from '../errors';
import type { Tool } from './tool';

/** The remembered params of one conversation, as the tools change them. */
export interface ParamMemory {
  params(): Params;
  remember(name: string, value: string): Promise<void>;
  forget(name: string): Promise<void>;
}

/** What a param may be called: it stands in log lines and in tables. */
export const paramName = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,49}$',
  description: 'A short name in snake_case, such as order_id.',
} as const;

interface Input {
  readonly name: string;
  readonly value: string;
}

export function createRemember(memory: ParamMemory): Tool {
  return {
    name: 'remember',
    description:
      'Keep a fact that later turns will need, under a name: an id, a chosen branch, a decision. It comes back to you with ' +
      'every later message of the person, also after the turn it came from has left the conversation. The same name again ' +
      'replaces the value. Only short facts, never passwords or keys, and nothing that stands in a file anyway.',
    effect: 'writes',
    inputSchema: {
      type: 'object',
      properties: {
        name: paramName,
        value: { type: 'string', minLength: 1, maxLength: 2000 },
      },
      required: ['name', 'value'],
      additionalProperties: false,
    },
    async run({ input }) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has been checked, see Tool.run
      const { name, value } = input as Input;
      if (value.trim() === '')
        throw new ToolError('There is no value to remember. Use forget to remove one.');
      await memory.remember(name, value.trim());
      return { content: `Remembered ${name}.` };
    },
  };
}
