import { ToolError } from '../errors';
import type { ToolCall, ToolOutput } from './tool';
import type { Confirmation, WorkspaceTool } from './workspaceTool';

/** More questions than are ever open at once; those that were refused are never asked for again. */
const rememberedQuestions = 100;

/** Sees to it that what runs is what the person was shown (A14) and that some places are asked about each time (S5). */
export interface Approvals {
  /** Remembers what the person is shown for a call. */
  showing(tool: string, input: unknown, confirmation: Confirmation): void;
  /** Runs a call that VS Code let through, if it would still do what the person saw. */
  run(tool: WorkspaceTool, call: ToolCall, signal: AbortSignal): Promise<ToolOutput>;
}

export function createApprovals(options: {
  /** Asks in a way that no earlier "always allow" can answer. */
  readonly askEachTime: (confirmation: Confirmation, signal: AbortSignal) => Promise<boolean>;
}): Approvals {
  const shown = new Map<string, string>();
  return {
    showing(tool, input, confirmation) {
      shown.set(keyOf(tool, input), confirmation.fingerprint);
      for (const key of shown.keys()) {
        if (shown.size <= rememberedQuestions) break;
        shown.delete(key);
      }
    },
    async run(tool, call, signal) {
      const key = keyOf(tool.name, call.input);
      const seen = shown.get(key);
      shown.delete(key);
      const { confirmation } = await tool.prepare(call.input, signal);
      if (confirmation === undefined) return tool.run(call, signal);
      // An input that was never shown is one that the person wrote into the question: its effect is shown now.
      if (seen !== undefined && seen !== confirmation.fingerprint) {
        throw new ToolError(
          'What this call would do has changed since the person was asked, so nothing was done. Look at the file again.',
        );
      }
      const mustAsk = seen === undefined || !confirmation.mayBeRemembered;
      if (mustAsk && !(await options.askEachTime(confirmation, signal))) {
        return {
          content: 'The person did not allow this. Do not try it again; ask what they want instead.',
          isError: true,
        };
      }
      return tool.run(call, signal);
    },
  };
}

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input)}`;
}
