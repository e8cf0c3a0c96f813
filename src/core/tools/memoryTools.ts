import { ToolError } from '../errors';
import { createAskUser, paramName } from './askUser';
import { objectOf } from './inputSchema';
import type { Tool } from './tool';

/** The remembered params of one conversation, as the tools change them. */
export interface ParamMemory {
  params(): Readonly<Record<string, string>>;
  remember(name: string, value: string): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface MemoryTools {
  readonly tools: readonly Tool[];
  /** How often a value has been asked for, up to now. */
  triesOf(param: string): number;
}

/** The tools of one turn that work on its own conversation: `remember`, `forget` and, where somebody is there, `ask_user`. */
export function createMemoryTools(options: {
  readonly handle: {
    params(): Readonly<Record<string, string>>;
    merge(params: Readonly<Record<string, string>>, turnId: string): Promise<void>;
    forgetValues(names: readonly string[], turnId: string): Promise<void>;
  };
  readonly turnId: string;
  /** The question that this turn answers. */
  readonly answered?: { readonly param: string; readonly tries: number } | undefined;
  readonly canAsk: boolean;
}): MemoryTools {
  const { handle, turnId, answered } = options;
  const tries = new Map<string, number>(answered ? [[answered.param, answered.tries]] : []);
  const triesOf = (param: string) => tries.get(param) ?? 0;
  const memory: ParamMemory = {
    params: () => handle.params(),
    remember: (name, value) => handle.merge({ [name]: value }, turnId),
    forget: (name) => handle.forgetValues([name], turnId),
  };
  const askUser = createAskUser({
    triesOf,
    async onAsk(param, count) {
      tries.set(param, count);
      // Asked once more: what was answered before was not it.
      if (count > 1) await memory.forget(param);
    },
  });
  return {
    tools: [...(options.canAsk ? [askUser] : []), createRemember(memory), createForget(memory)],
    triesOf,
  };
}

export function createRemember(memory: ParamMemory): Tool {
  return {
    name: 'remember',
    description:
      'Keep a fact that later turns will need, under a name: an id, a chosen branch, a decision. It comes back to you with ' +
      'every later message of the person, also after the turn it came from has left the conversation. The same name again ' +
      'replaces the value. Only short facts, never passwords or keys, and nothing that stands in a file anyway.',
    effect: 'writes',
    staysInChat: true,
    inputSchema: objectOf({ name: paramName, value: { type: 'string', minLength: 1, maxLength: 2000 } }),
    async run({ input }) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has been checked, see Tool.run
      const { name, value } = input as { readonly name: string; readonly value: string };
      if (value.trim() === '')
        throw new ToolError('There is no value to remember. Use forget to remove one.');
      await memory.remember(name, value.trim());
      return { content: `Remembered ${name}.` };
    },
  };
}

function createForget(memory: ParamMemory): Tool {
  return {
    name: 'forget',
    description:
      'Remove a fact that was kept with remember or came as an answer to ask_user: it is wrong, it is over, or the person ' +
      'wants it gone.',
    effect: 'writes',
    staysInChat: true,
    inputSchema: objectOf({ name: paramName }),
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
