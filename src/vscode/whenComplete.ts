import type { Tool } from '../core/tools/tool';
import { wait } from './wait';

const checkMs = 100;
const maxChecks = 50;

/**
 * The tools of this moment, as soon as these are among them. VS Code registers its own late after a reload, tells nobody
 * when, and the plan of a question that waited is bound to the tools that it was made with.
 */
export async function whenComplete(
  read: () => Promise<readonly Tool[]>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  for (let check = 1; ; check++) {
    const tools = await read();
    const isComplete = names.every((name) => tools.some((tool) => tool.name === name));
    if (isComplete || check === maxChecks || signal.aborted) return tools;
    await wait(checkMs, signal);
  }
}
