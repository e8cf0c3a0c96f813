import { ToolError } from '../errors';
import { confirmUse } from './confirmation';
import { decide, denied, type CallInQuestion, type Decision, type Permissions } from './permissions';
import type { ToolCall, ToolOutput } from './tool';
import type { CallingTurn, Confirmation, Preparation, WorkspaceTool } from './workspaceTool';

/** More questions than are ever open at once; those that were refused are never asked for again. */
const rememberedQuestions = 100;

/** Asks in a way that no earlier "always allow" can answer. */
export type AskEachTime = (
  confirmation: Confirmation,
  call: CallInQuestion,
  signal: AbortSignal,
) => Promise<boolean>;

/** Sees to it that what runs is what the person was shown (A14) and that some places are asked about each time (S5). */
export interface Approvals {
  /** Remembers what the person is shown for a call: a card to answer or, for one that is allowed, a line. */
  showing(tool: string, input: unknown, shown: Shown): void;
  judge(call: JudgedCall, prepared: Preparation): Verdict;
  /** Runs a call that VS Code let through, if it would still do what the person saw. */
  run(request: ApprovedRun, signal: AbortSignal): Promise<ToolOutput>;
}

interface Shown {
  readonly in: 'card' | 'line';
  readonly confirmation: Confirmation;
}

interface JudgedCall {
  readonly tool: WorkspaceTool;
  readonly input: unknown;
  /** For `@assistant`. In other chats VS Code's cards ask about what would be allowed here. */
  readonly isOurs: boolean;
  readonly permissions: Permissions;
}

export interface ApprovedRun extends Pick<JudgedCall, 'tool' | 'permissions'> {
  readonly call: ToolCall;
  /** Undefined for calls of other chats. */
  readonly turn: CallingTurn | undefined;
  readonly ask: AskEachTime;
}

/** What permissions say of a call of one of our tools, and the question that there is about it, if any. */
export interface Verdict {
  readonly call: CallInQuestion;
  readonly decision: Decision;
  readonly confirmation: Confirmation | undefined;
}

/** `ownNames`: those of all our tools. */
export function createApprovals({ ownNames }: { readonly ownNames: readonly string[] }): Approvals {
  const shown = new Map<string, Pick<Shown, 'in'> & Pick<Confirmation, 'fingerprint'>>();
  return {
    showing(tool, input, { in: where, confirmation: { fingerprint } }) {
      shown.set(keyOf(tool, input), { in: where, fingerprint });
      for (const key of shown.keys()) {
        if (shown.size <= rememberedQuestions) break;
        shown.delete(key);
      }
    },
    judge,
    async run({ tool, call, turn, permissions, ask }, signal) {
      const caller = { callId: call.id, turnId: turn?.id };
      const key = keyOf(tool.name, call.input);
      const seen = shown.get(key);
      shown.delete(key);
      const look = async () => {
        const prepared = await tool.prepare(call.input, signal, turn);
        return {
          prepared,
          ...judge({ tool, input: call.input, isOurs: turn !== undefined, permissions }, prepared),
        };
      };
      const { prepared, call: inQuestion, decision, confirmation } = await look();
      if (decision.type === 'deny') return denied(decision.because);
      if (confirmation === undefined) return prepared.run(caller, signal);
      const isAsShown = seen?.fingerprint === confirmation.fingerprint;
      if (seen?.in === 'card' && !isAsShown) throw changed();
      // An input that was never shown is one that the person wrote into the question, or one to ask about here.
      if (seen?.in === 'card' && confirmation.canBeAutoApproved) return prepared.run(caller, signal);
      // What its line says is no longer what it does: then nobody has seen it.
      if (decision.type === 'allow' && (seen === undefined || isAsShown)) {
        const output = await prepared.run(caller, signal);
        return { ...output, unasked: { because: decision.because, isShown: seen !== undefined } };
      }
      if (!(await ask(confirmation, inQuestion, signal))) return refused;
      const now = await look();
      if (now.decision.type === 'deny') return denied(now.decision.because);
      if (now.confirmation?.fingerprint !== confirmation.fingerprint) throw changed();
      return now.prepared.run(caller, signal);
    },
  };

  function judge(
    { tool, input, isOurs, permissions }: JudgedCall,
    { confirmation, touches }: Preparation,
  ): Verdict {
    const call: CallInQuestion = {
      names: [tool.name],
      origin: 'ours',
      ownNames,
      hasSideEffects: tool.effect === 'writes',
      isEdit: tool.files?.use === 'changes',
      touches,
      question: confirmation === undefined ? 'none' : confirmation.canBeAutoApproved ? 'sparable' : 'always',
    };
    const decided = decide(call, permissions);
    const decision: Decision = decided.type === 'allow' && !isOurs ? { type: 'ask' } : decided;
    // A rule may want a question about what is otherwise done unasked.
    const asked = decision.type === 'ask' ? confirmUse({ title: tool.title, input }) : undefined;
    return { call, decision, confirmation: confirmation ?? asked };
  }
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
