import * as vscode from 'vscode';
import { ToolError } from '../../core/errors';
import { fromBase64 } from '../../core/media';
import { createApprovals, refused, type AskEachTime } from '../../core/tools/approvals';
import type { Tool, ToolOutput } from '../../core/tools/tool';
import type { Confirmation, WorkspaceTool } from '../../core/tools/workspaceTool';
import { toAbortSignal } from '../cancellation';
import { askOnce } from './askPerson';
import { invokeTool, textsIn, type ToolToken } from './invokeTool';
import type { WholeTexts } from './wholeTexts';

export interface RegisteredTools extends vscode.Disposable {
  /** Our tools for one request: they run through VS Code, which shows their progress and asks where it must. */
  forRequest(token: ToolToken): readonly Tool[];
}

/** Registers our tools with VS Code, for our own loop and for every other chat. */
export function registerTools(options: {
  readonly tools: readonly WorkspaceTool[];
  readonly nextId: () => string;
  readonly whole: WholeTexts;
  /** VS Code answers its own cards, because the workspace wants that: then they are no answer of the person. */
  readonly isVsCodeLoosened: () => boolean;
  /** Tells under which id the tool ran for which call of Claude. */
  readonly onRun?: (ids: { readonly runId: string; readonly callId: string }) => void;
}): RegisteredTools {
  const approvals = createApprovals();
  /** What our own `invoke` really did, until the call that caused it takes it. */
  const runs: Run[] = [];

  const registrations = options.tools.map((tool) =>
    vscode.lm.registerTool<object>(tool.name, {
      async prepareInvocation({ input }, token) {
        try {
          const { progress, confirmation } = await tool.prepare(input, toAbortSignal(token));
          // VS Code's card offers to remember the answer. What may not be remembered is asked by `invoke`, each time.
          const isAskedHere = confirmation?.canBeAutoApproved === true && !options.isVsCodeLoosened();
          if (isAskedHere) approvals.showing(tool.name, input, confirmation);
          return {
            invocationMessage: new vscode.MarkdownString(progress),
            ...(isAskedHere && {
              confirmationMessages: {
                title: confirmation.title,
                message: options.whole.message(confirmation.message, confirmation.whole),
              },
            }),
          };
        } catch (error) {
          // Nobody is asked about a call that cannot succeed; `invoke` meets the same error and tells the model.
          if (error instanceof ToolError) return { invocationMessage: tool.title };
          throw error;
        }
      },
      async invoke({ input, toolInvocationToken }, token) {
        const id = options.nextId();
        const ask = (confirmation: Confirmation, signal: AbortSignal) =>
          askOnce(confirmation, { token: toolInvocationToken, whole: options.whole }, signal);
        const output = await outcomeOf({ tool, id, input, ask }, toAbortSignal(token));
        const run: Run = { id, tool: tool.name, input, output };
        remember(run);
        if (run.output.isError === true) throw new Error(textOf(run.output));
        return new vscode.LanguageModelToolResult(toParts(run.output));
      },
    }),
  );

  async function outcomeOf({ tool, id, input, ask }: Invocation, signal: AbortSignal): Promise<ToolOutput> {
    try {
      return await approvals.run({ tool, call: { id, name: tool.name, input }, ask }, signal);
    } catch (error) {
      if (error instanceof ToolError) return { content: error.message, isError: true };
      throw error;
    }
  }

  /** Calls of other chats are never taken, so that old entries must leave. */
  function remember(run: Run): void {
    runs.push(run);
    if (runs.length > 50) runs.shift();
  }

  function take(isIt: (run: Run) => boolean): Run | undefined {
    const at = runs.findIndex(isIt);
    return at === -1 ? undefined : runs.splice(at, 1)[0];
  }

  return {
    forRequest: (token) =>
      options.tools.map(({ name, description, inputSchema, effect, timeoutMs }) => ({
        name,
        description,
        inputSchema,
        effect,
        checksInput: true,
        ...(timeoutMs !== undefined && { timeoutMs }),
        async run(call, signal) {
          let said: string;
          let failure: unknown;
          try {
            const parts = await invokeTool(name, call.input, token, signal);
            if (parts === undefined) return refused;
            said = textsIn(parts).join('');
          } catch (error) {
            signal.throwIfAborted();
            failure = error;
            said = error instanceof Error ? error.message : String(error);
          }
          // What VS Code says is no proof: a skipped call gives a text as well. Only what `invoke` noted has run.
          const isIt = ({ tool, output }: Run) =>
            tool === name &&
            (failure === undefined ? textOf(output) === said : said.includes(textOf(output)));
          const run = take((one) => isIt(one) && isDeepEqual(one.input, call.input)) ?? take(isIt);
          if (run === undefined && failure === undefined) return refused;
          if (run === undefined)
            throw new ToolError(`VS Code could not run ${name}: ${said}`, { cause: failure });
          options.onRun?.({ runId: run.id, callId: call.id });
          return isDeepEqual(run.input, call.input) ? run.output : withChangedInput(run);
        },
      })),
    dispose: () => void vscode.Disposable.from(...registrations).dispose(),
  };
}

interface Invocation {
  readonly tool: WorkspaceTool;
  readonly id: string;
  readonly input: object;
  readonly ask: AskEachTime;
}

interface Run {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
  readonly output: ToolOutput;
}

function withChangedInput({ input, output }: Run): ToolOutput {
  const note = `[The person changed the call before allowing it. What ran: ${JSON.stringify(input)}]`;
  const { content } = output;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  return { ...output, content: [{ type: 'text', text: note }, ...blocks] };
}

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelDataPart;

function toParts({ content }: ToolOutput): Part[] {
  if (typeof content === 'string') return [new vscode.LanguageModelTextPart(content)];
  return content.flatMap((block): Part[] => {
    if (block.type === 'text') return [new vscode.LanguageModelTextPart(block.text)];
    const bytes = block.source.type === 'base64' ? fromBase64(block.source.data) : undefined;
    if (block.source.type !== 'base64' || bytes === undefined) return [];
    return [
      new vscode.LanguageModelTextPart(imageLabel),
      vscode.LanguageModelDataPart.image(bytes, block.source.media_type),
    ];
  });
}

const imageLabel = '[Image]';

/** The same text that `toParts` hands to VS Code. */
function textOf({ content }: ToolOutput): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : imageLabel)).join('');
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
