import { ToolError } from '../errors';
import type { ToolCall, ToolOutput } from './tool';
import type { Confirmation, WorkspaceTool } from './workspaceTool';

/** More questions than are ever open at once; those that were refused are never asked for again. */
const rememberedQuestions = 100;

/** Asks in a way that no earlier "always allow" can answer. */
export type AskEachTime = (confirmation: Confirmation, signal: AbortSignal) => Promise<boolean>;

/** Sees to it that what runs is what the person was shown (A14) and that some places are asked about each time (S5). */
export interface Approvals {
  /** Remembers what the person is shown for a call. */
  showing(tool: string, input: unknown, confirmation: Confirmation): void;
  /** Runs a call that VS Code let through, if it would still do what the person saw. */
  run(request: ApprovedRun, signal: AbortSignal): Promise<ToolOutput>;
}

export interface ApprovedRun {
  readonly tool: WorkspaceTool;
  readonly call: ToolCall;
  /** Undefined for calls of other chats. */
  readonly turnId: string | undefined;
  readonly ask: AskEachTime;
}

export function createApprovals(): Approvals {
  const shown = new Map<string, string>();
  return {
    showing(tool, input, confirmation) {
      shown.set(keyOf(tool, input), confirmation.fingerprint);
      for (const key of shown.keys()) {
        if (shown.size <= rememberedQuestions) break;
        shown.delete(key);
      }
    },
    async run({ tool, call, turnId, ask }, signal) {
      const caller = { callId: call.id, turnId };
      const key = keyOf(tool.name, call.input);
      const seen = shown.get(key);
      shown.delete(key);
      const prepared = await tool.prepare(call.input, signal);
      const { confirmation } = prepared;
      if (confirmation === undefined) return prepared.run(caller, signal);
      if (seen !== undefined && seen !== confirmation.fingerprint) throw changed();
      // An input that was never shown is one that the person wrote into the question, or one to ask about here.
      if (seen !== undefined && confirmation.canBeAutoApproved) return prepared.run(caller, signal);
      if (!(await ask(confirmation, signal))) return refused;
      const now = await tool.prepare(call.input, signal);
      if (now.confirmation?.fingerprint !== confirmation.fingerprint) throw changed();
      return now.run(caller, signal);
    },
  };
}

export const refused: ToolOutput = {
  content:
    'The person did not allow this call, so nothing was done. Do not repeat it; go on without it or ask what they want.',
  isError: true,
};

function changed(): ToolError {
  return new ToolError(
    'What this call would do has changed since the person was asked, so nothing was done. Look at the file again.',
  );
}

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input)}`;
}
