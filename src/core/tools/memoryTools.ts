import type { ConversationHandle } from '../conversation/memory/conversationHandle';
import type { TurnId, Waiting } from '../conversation/turn';
import { createAskUser } from './askUser';
import { createForget } from './forget';
import { createRemember, type ParamMemory } from './remember';
import type { Tool } from './tool';

export interface MemoryTools {
  readonly tools: readonly Tool[];
  /** How often a value has been asked for, up to now. */
  triesOf(param: string): number;
}

/** The tools of one turn that work on its own conversation: `remember`, `forget` and, where somebody is there, `ask_user`. */
export function createMemoryTools(options: {
  readonly handle: Pick<ConversationHandle, 'params' | 'merge' | 'forget'>;
  readonly turnId: TurnId;
  /** The question that this turn answers. */
  readonly answered?: Waiting | undefined;
  readonly canAsk: boolean;
}): MemoryTools {
  const { handle, turnId, answered } = options;
  const tries = new Map<string, number>(answered ? [[answered.param, answered.tries]] : []);
  const triesOf = (param: string) => tries.get(param) ?? 0;
  const memory: ParamMemory = {
    params: () => handle.params(),
    remember: (name, value) => handle.merge({ [name]: value }, turnId),
    forget: (name) => handle.forget({ params: [name] }, turnId),
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
