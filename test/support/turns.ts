import type { AgentEvent } from '../../src/core/agent/events';
import { runTurn, type TurnOptions } from '../../src/core/agent/runTurn';
import type { Model } from '../../src/core/ports';
import type { Tool, ToolCall, ToolOutput } from '../../src/core/tools/tool';

type TurnEndEvent = Extract<AgentEvent, { type: 'turn-end' }>;

export interface RanTurn {
  readonly events: readonly AgentEvent[];
  readonly end: TurnEndEvent;
  /** All text that was shown, notices in brackets. */
  readonly shown: string;
}

/** Runs a turn to its end. `onEvent` can act in the middle, for example stop it. */
export async function ranTurn(
  options: Partial<TurnOptions> & { readonly model: Model },
  { signal = new AbortController().signal, onEvent = (_event: AgentEvent): void => undefined } = {},
): Promise<RanTurn> {
  const events: AgentEvent[] = [];
  for await (const event of runTurn(turnOptions(options), signal)) {
    events.push(event);
    onEvent(event);
  }
  const end = events.at(-1);
  if (end?.type !== 'turn-end') throw new Error('The turn did not end with a turn-end event');
  return { events, end, shown: events.map(show).join('') };
}

/** What a turn needs, with all that was not given. */
export function turnOptions(options: Partial<TurnOptions> & { readonly model: Model }): TurnOptions {
  return {
    modelId: 'scripted',
    system: [{ type: 'text', text: 'Be kind.' }],
    tools: [],
    history: [],
    userContent: 'hello',
    maxRounds: 25,
    yieldRequested: () => false,
    cachePace: { nextTtl: () => '5m', disableHourTtl: () => undefined },
    wait: () => Promise.resolve(),
    random: () => 0,
    ...options,
  };
}

export function tool(
  name: string,
  run: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutput> | ToolOutput,
  rest: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    effect: 'reads',
    run: async (call, signal) => run(call, signal),
    ...rest,
  };
}

function show(event: AgentEvent): string {
  if (event.type === 'text-delta') return event.text;
  return event.type === 'notice' ? `[${event.text}]` : '';
}
