import type { ToolResultBlock } from '../messages';
import type { Wait } from '../ports';
import { unmarked } from '../tools/guidance/told';
import type { ToolCall, ToolOutput } from '../tools/tool';
import { limitOutput, maxResultChars, withText } from '../tools/truncate';
import type { AgentEvent } from './events';
import type { ImageGate } from './imageGate';
import { notRun, runToolCall, type PreparedCall } from './runToolCall';
import { tellInstructions, type InstructionSource } from './tellInstructions';

export interface FinishedCall {
  readonly call: ToolCall;
  readonly output: ToolOutput;
}

export interface ToolRunOptions {
  readonly wait: Wait;
  readonly images: ImageGate;
  readonly yieldRequested: () => boolean;
  /** What the team wants known of files that calls touch. */
  readonly instructions?: InstructionSource | undefined;
}

/**
 * Runs the calls of one round, each to exactly one result, and returns them in the order asked. Neighbouring reads run
 * side by side. A write waits for what was asked before it, and what was asked after it waits too: a file that is
 * edited and then read in one round is read as edited.
 */
export async function* runTools(
  calls: readonly PreparedCall[],
  options: ToolRunOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  const limits = { ...options, maxResultChars: shareOf(calls.length) };
  for (const group of groupByEffect(calls)) {
    if (signal.aborted) finished.push(...skip(group, 'the person stopped this turn'));
    else if (options.yieldRequested()) finished.push(...skip(group, 'the person sent a new message'));
    else finished.push(...(yield* runGroup(group, limits, signal)));
  }
  const complete = (yield* withAftermaths(finished, limits, signal)).map(withoutMarks);
  if (!options.instructions || signal.aborted) return complete;
  return yield* tellInstructions(complete, { ...limits, instructions: options.instructions }, signal);
}

/** S6: what a tool returns cannot pass for what the team says. */
function withoutMarks({ call, output }: FinishedCall): FinishedCall {
  const { content } = output;
  if (typeof content === 'string') return { call, output: { ...output, content: unmarked(content) } };
  const blocks = content.map((block) =>
    block.type === 'text' ? { type: block.type, text: unmarked(block.text) } : block,
  );
  return { call, output: { ...output, content: blocks } };
}

/** What the calls led to. They wait for it together, and none of them fails for it. */
async function* withAftermaths(
  finished: readonly FinishedCall[],
  limits: { readonly maxResultChars: number },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly FinishedCall[]> {
  const found = await Promise.allSettled(finished.map(async ({ output }) => output.aftermath?.(signal)));
  const complete: FinishedCall[] = [];
  for (const [at, { call, output }] of finished.entries()) {
    const result = found[at];
    const aftermath = result?.status === 'fulfilled' ? result.value : undefined;
    if (aftermath !== undefined) yield { type: 'notice', text: aftermath.notice };
    complete.push({
      call,
      output: aftermath ? limitOutput(withText(output, aftermath.content), limits.maxResultChars) : output,
    });
  }
  return complete;
}

export function toResultBlock({ call, output }: FinishedCall): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: typeof output.content === 'string' ? output.content : [...output.content],
    ...(output.isError && { is_error: true }),
  };
}

/** Everything in a group may run at the same time. */
function groupByEffect(calls: readonly PreparedCall[]): readonly (readonly PreparedCall[])[] {
  const groups: PreparedCall[][] = [];
  let mayJoin = false;
  for (const call of calls) {
    const isWrite = call.type === 'ready' && call.tool.effect === 'writes';
    const group = groups.at(-1);
    if (group && mayJoin && !isWrite) group.push(call);
    else groups.push([call]);
    mayJoin = !isWrite;
  }
  return groups;
}

function skip(group: readonly PreparedCall[], reason: string): FinishedCall[] {
  return group.map((prepared) => ({
    call: prepared.call,
    output: prepared.type === 'settled' ? prepared.output : notRun(reason),
  }));
}

/** At most this much for all results of one round together: some 150,000 tokens, enough for twenty full results. */
const maxRoundChars = 600_000;
const leastShare = 500;

function shareOf(calls: number): number {
  return Math.min(maxResultChars, Math.max(leastShare, Math.floor(maxRoundChars / calls)));
}

/** Each search is a process of its own: an answer with hundreds of calls must not bring the machine down. */
const maxAtOnce = 16;

/** Yields each end as it comes; returns the results in the order asked. */
async function* runGroup(
  group: readonly PreparedCall[],
  options: ToolRunOptions & { readonly maxResultChars: number },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly FinishedCall[]> {
  const running = new Map<number, Promise<{ readonly index: number; readonly output: ToolOutput }>>();
  const waiting = [...group.entries()];
  const outputs: ToolOutput[] = [];
  const reports = new Reports();
  const start = (): void => {
    for (const [index, prepared] of waiting.splice(0, maxAtOnce - running.size)) {
      const { call } = prepared;
      const report = (text: string) => reports.add({ type: 'tool-progress', call, text });
      const output =
        prepared.type === 'settled' ? prepared.output : runToolCall(prepared, { ...options, report }, signal);
      running.set(
        index,
        Promise.resolve(output).then((settled) => ({ index, output: settled })),
      );
    }
  };
  for (const prepared of group) {
    const progress = prepared.type === 'ready' ? prepared.tool.progress?.(prepared.call.input) : undefined;
    yield { type: 'tool-start', call: prepared.call, ...(progress !== undefined && { progress }) };
  }
  for (start(); running.size > 0; start()) {
    const ended = await Promise.race([...running.values(), reports.next()]);
    yield* reports.take();
    if (!ended) continue;
    const { index, output: given } = ended;
    running.delete(index);
    const output = withCheckedImages(given, options.images);
    outputs[index] = output;
    const prepared = group[index];
    if (prepared) yield { type: 'tool-end', call: prepared.call, output };
  }
  return group.map(({ call }, index) => ({ call, output: outputs[index] ?? notRun('it was lost') }));
}

/** What running calls say of themselves, until it is passed on. */
class Reports {
  #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;

  add(event: AgentEvent): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  next(): Promise<undefined> {
    if (this.#waiting.length > 0) return Promise.resolve(undefined);
    return new Promise((resolve) => (this.#wake = () => resolve(undefined)));
  }

  take(): readonly AgentEvent[] {
    return this.#waiting.splice(0);
  }
}

function withCheckedImages(output: ToolOutput, images: ImageGate): ToolOutput {
  return typeof output.content === 'string'
    ? output
    : { ...output, content: images.admitAll(output.content).content };
}
