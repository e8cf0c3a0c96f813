import type { ConversationHandle } from '../conversation/memory/handle';
import type { ConversationMemory } from '../conversation/memory/memory';
import { createRecall } from '../conversation/recall/recall';
import type { StoredTurn, TurnId } from '../conversation/turn';
import { createMemoryTools } from '../tools/memoryTools';
import { createRecallTool } from '../tools/recall';
import type { Tool } from '../tools/tool';
import { createExplore, type ScoutOptions } from './explore';
import type { TakenUp } from './takeUp';

/** What decides which tools a turn has, beside its conversation. */
export interface ToolChoice {
  /** Of the workspace, of other extensions and of MCP servers. */
  readonly tools: readonly Tool[];
  /** Names of tools that are switched off. */
  readonly disabledTools?: readonly string[];
  /** Claude may look into all that was said in this workspace (M27). */
  readonly canRecall?: boolean;
  /** What the user has taken out of the chat that asks: it is not looked into (M13). */
  readonly isRemoved?: (turn: StoredTurn) => boolean;
  readonly isUnattended?: boolean;
  /** A tool of the conversation, run as the user's rules want it (R2). Those of the workspace see to that by themselves. */
  readonly permit?: (tool: Tool) => Tool;
}

/** The tools of one turn: those given, and those that work on its own conversation. */
export function offerTools(
  choice: ToolChoice,
  turn: {
    readonly id: TurnId;
    readonly memory: ConversationMemory;
    /** Absent where memory is neither read nor written. */
    readonly handle: ConversationHandle | undefined;
    readonly taken: Pick<TakenUp, 'parts' | 'answered'>;
    readonly planTools: readonly Tool[];
    readonly scouts: ScoutOptions | undefined;
  },
) {
  const { handle, taken } = turn;
  const { answered } = taken;
  const ofMemory =
    handle && createMemoryTools({ handle, turnId: turn.id, answered, canAsk: !choice.isUnattended });
  const inSight = new Set(taken.parts.flatMap((part) => part.turn?.id ?? []));
  const recall =
    handle && choice.canRecall
      ? [createRecallTool(createRecall(turn.memory, { inSight, isRemoved: choice.isRemoved }))]
      : [];
  const explore = turn.scouts ? [createExplore(turn.scouts)] : [];
  const isOn = ({ name }: Tool) => !choice.disabledTools?.includes(name);
  const permit = choice.permit ?? ((tool: Tool) => tool);
  const own = [...(ofMemory?.tools ?? []), ...turn.planTools, ...recall, ...explore].filter(isOn).map(permit);
  // Tools of other extensions may have the same names.
  const isOther = ({ name }: Tool) => !own.some((tool) => tool.name === name);
  // What has come since the question was asked is offered from the next turn on.
  const isKnown = ({ name }: Tool) => answered?.tools?.includes(name) ?? true;
  const given = choice.tools.filter((tool) => isOther(tool) && isKnown(tool));
  return {
    given,
    all: [...given, ...own],
    triesOf: (param: string) => ofMemory?.triesOf(param) ?? 1,
  };
}
