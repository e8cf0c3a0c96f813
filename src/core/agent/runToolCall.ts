import { ToolError } from '../errors';
import type { ModelAnswer, Wait } from '../ports';
import { inputProblem } from '../tools/checkInput';
import { notWhilePlanning } from '../tools/plans/planContext';
import type { ReportProgress, Tool, ToolCall, ToolOutput } from '../tools/tool';
import { limitOutput, maxResultChars } from '../tools/truncate';

/** A call is either ready to run or already has its result: unknown tool and bad input share one path with refusals. */
export type PreparedCall =
  | { readonly type: 'ready'; readonly call: ToolCall; readonly tool: Tool }
  | { readonly type: 'settled'; readonly call: ToolCall; readonly output: ToolOutput };

/**
 * The calls of an answer in the order asked. Only a complete answer that stopped for its calls gets them run, and while a
 * plan is made only those without side effects (N1).
 */
export function prepareToolCalls(
  answer: ModelAnswer,
  tools: readonly Tool[],
  isPlanning = false,
): readonly PreparedCall[] {
  return answer.content.flatMap((block) => {
    if (block.type !== 'tool_use') return [];
    const call = { id: block.id, name: block.name, input: block.input };
    if (answer.brokenToolUses?.includes(call.id)) return settle(call, inputCutOff);
    if (answer.stopReason !== 'tool_use') return settle(call, answerCutOff);
    return prepareToolCall(call, tools, isPlanning);
  });
}

const inputCutOff =
  'Not run: the input was cut off. Call it again with less input, in several calls if needed.';
const answerCutOff = 'Not run: the answer was cut off. Call it again.';

export function prepareToolCall(call: ToolCall, tools: readonly Tool[], isPlanning = false): PreparedCall {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return settle(call, unknownTool(call.name, tools));
  if (isPlanning && tool.effect === 'writes' && !tool.staysInChat) {
    return { type: 'settled', call, output: refusedInPlan };
  }
  const problem = inputProblem(call.input, tool);
  if (problem !== undefined) return settle(call, problem);
  return { type: 'ready', call, tool };
}

/** Nobody is asked about it, and it is not run. */
export const refusedInPlan: ToolOutput = failure(notWhilePlanning);

/** A call that gets its result without being run: the sentence says what to do instead. */
function settle(call: ToolCall, sentence: string): PreparedCall {
  return { type: 'settled', call, output: failure(sentence) };
}

/** Runs a prepared call to its one result. It settles at once when the signal aborts, whatever the tool does then. */
export async function runToolCall(
  { call, tool }: Extract<PreparedCall, { type: 'ready' }>,
  options: { readonly wait: Wait; readonly maxResultChars?: number; readonly report?: ReportProgress },
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (signal.aborted) return notRun('the person stopped this turn');
  const { maxResultChars: maxChars = maxResultChars } = options;
  const over = new AbortController();
  const running = AbortSignal.any([signal, over.signal]);
  let isTimedOut = false;
  const watch = async (timeoutMs: number): Promise<void> => {
    await options.wait(timeoutMs, over.signal);
    isTimedOut = !over.signal.aborted;
    over.abort();
  };
  if (tool.timeoutMs !== undefined) void watch(tool.timeoutMs);
  const stopped = new Promise<never>((_resolve, reject) => {
    running.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
  try {
    const output = await Promise.race([tool.run(call, running, options.report), stopped]);
    return limitOutput(output, maxChars);
  } catch (error) {
    if (signal.aborted) return cancelled;
    if (isTimedOut) return failure(timedOut(tool));
    return limitOutput(failure(describe(error, tool)), maxChars);
  } finally {
    // Ends the timeout's wait; the race is over, so nobody hears `stopped` any more.
    stopped.catch(() => undefined);
    over.abort();
  }
}

/** A call that never started, and why. */
export function notRun(reason: string): ToolOutput {
  return failure(`Not run: ${reason}. Call it again if it is still needed.`);
}

const cancelled = failure(
  'Cancelled by the person while it ran; it may have been done in part. Check before doing it again.',
);

function failure(content: string): ToolOutput {
  return { content, isError: true };
}

function timedOut(tool: Tool): string {
  const seconds = (tool.timeoutMs ?? 0) / 1000;
  return `${tool.name} took longer than ${seconds} seconds and was stopped. Try something smaller, or another way.`;
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name).toSorted();
  if (names.length === 0)
    return `There is no tool "${name}", and none is available now. Answer without tools.`;
  return `There is no tool "${name}". Use one of these: ${names.join(', ')}.`;
}

/** Tool errors are written for the model. Anything else is passed on as it is: often it says what is wrong. */
function describe(error: unknown, tool: Tool): string {
  if (error instanceof ToolError) return error.message;
  const reason = reasonOf(error).trim() || 'no reason given';
  return `${tool.name} failed: ${reason}. Try another way, or tell the person what went wrong.`;
}

/** Anything can be thrown, also what cannot be converted to a string. */
function reasonOf(error: unknown): string {
  try {
    if (typeof error !== 'object' || error === null) return String(error);
    return 'message' in error && typeof error.message === 'string' ? error.message : JSON.stringify(error);
  } catch {
    return '';
  }
}
