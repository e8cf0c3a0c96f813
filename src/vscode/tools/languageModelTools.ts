import * as vscode from 'vscode';
import { ToolError } from '../../core/errors';
import { fromBase64 } from '../../core/media';
import { withRemark } from '../../core/text/joined';
import { isObject } from '../../core/text/json';
import { createApprovals, refused, type ApprovedRun, type AskEachTime } from '../../core/tools/approvals';
import {
  describeAllowed,
  describeDenied,
  type Decision,
  type Permissions,
} from '../../core/tools/permissions';
import type { Tool, ToolCall, ToolOutput } from '../../core/tools/tool';
import { withText } from '../../core/tools/truncate';
import type { CallingTurn, WorkspaceTool } from '../../core/tools/workspaceTool';
import { toAbortSignal } from '../cancellation';
import { allowOnce, askPerson, skip } from './askPerson';
import { invokeTool, type ToolToken } from './invokeTool';
import { allowAlways, type RuleOffers } from './ruleOffers';
import type { WholeTexts } from './wholeTexts';

export interface RegisteredTools extends vscode.Disposable {
  /** Our tools for one turn: they run through VS Code, which shows their progress and asks where it must. */
  forRequest(request: { readonly token: ToolToken; readonly turn: CallingTurn }): readonly Tool[];
}

/** Registers our tools with VS Code, for our own loop and for every other chat. */
export function registerTools(options: {
  readonly tools: readonly WorkspaceTool[];
  /** Our own turns have these by themselves: theirs know the conversation. */
  readonly forOthers: readonly WorkspaceTool[];
  readonly nextId: () => string;
  readonly whole: WholeTexts;
  /** As the settings say now. */
  readonly permissions: () => Permissions;
  readonly ruleOffers: RuleOffers;
  /** VS Code answers its own cards, because the workspace wants that: then they are no answer of the person. */
  readonly isVsCodeLoosened: () => boolean;
}): RegisteredTools {
  const all = [...options.tools, ...options.forOthers];
  const approvals = createApprovals({ ownNames: all.map(({ name }) => name) });
  const ownCalls = new OwnCalls();

  const registrations = all.map((tool) =>
    vscode.lm.registerTool<object>(tool.name, {
      async prepareInvocation({ input }, token) {
        try {
          const own = ownCalls.waiting(tool.name, input);
          const prepared = await tool.prepare(input, toAbortSignal(token), own?.turn);
          const judged = { tool, input, isOurs: own !== undefined, permissions: options.permissions() };
          const { call, decision, confirmation } = approvals.judge(judged, prepared);
          const invocationMessage = new vscode.MarkdownString(withReason(prepared.progress, decision));
          if (confirmation === undefined || decision.type === 'deny') return { invocationMessage };
          if (decision.type === 'allow') {
            approvals.showing(tool.name, input, { in: 'line', confirmation });
            return { invocationMessage };
          }
          // VS Code's card offers to remember the answer. What may not be remembered is asked by `invoke`, each time.
          const isOurs = !confirmation.canBeAutoApproved || confirmation.isAskedEachTime === true;
          if (isOurs || options.isVsCodeLoosened()) return { invocationMessage };
          approvals.showing(tool.name, input, { in: 'card', confirmation });
          const offer = own && options.ruleOffers.link(call);
          return {
            invocationMessage,
            confirmationMessages: {
              title: confirmation.title,
              message: options.whole.message(confirmation.message, confirmation.whole, offer),
            },
          };
        } catch (error) {
          // Nobody is asked about a call that cannot succeed; `invoke` meets the same error and tells the model.
          if (error instanceof ToolError) return { invocationMessage: tool.title };
          throw error;
        }
      },
      async invoke({ input, toolInvocationToken }, token) {
        const own = ownCalls.take(tool.name, input, toolInvocationToken);
        const call = { id: own?.call.id ?? options.nextId(), name: tool.name, input };
        const asking = { token: toolInvocationToken, whole: options.whole };
        const ask: AskEachTime = async (confirmation, inQuestion, signal) => {
          const [yes, no, always] = [allowOnce(), skip(), allowAlways()] as const;
          const isOffered = own !== undefined && options.ruleOffers.has(inQuestion);
          const buttons = { yes, no, ...(isOffered && { more: [always] }) };
          const answer = await askPerson(confirmation, buttons, asking, signal);
          return answer === always ? options.ruleOffers.choose(inQuestion) : answer === yes;
        };
        const permissions = options.permissions();
        const output = await outcomeOf(
          { tool, call, turn: own?.turn, permissions, ask },
          toAbortSignal(token),
        );
        if (own) own.ran = { input, output };
        if (output.isError === true) throw new Error(textOf(output));
        // Our own loop asks for it at the end of the round; other chats know only what comes back here.
        const aftermath = own ? undefined : await output.aftermath?.(toAbortSignal(token));
        const whole = aftermath ? withText(output, aftermath.content) : output;
        return new vscode.LanguageModelToolResult(toParts(whole));
      },
    }),
  );

  async function outcomeOf(run: ApprovedRun, signal: AbortSignal): Promise<ToolOutput> {
    try {
      return await approvals.run(run, signal);
    } catch (error) {
      if (error instanceof ToolError) return { content: error.message, isError: true };
      throw error;
    }
  }

  return {
    forRequest: ({ token, turn }) =>
      options.tools.map(({ name, description, inputSchema, effect, staysInChat, timeoutMs }) => ({
        name,
        description,
        inputSchema,
        effect,
        checksInput: true,
        ...(staysInChat && { staysInChat }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        async run(call, signal) {
          const own: OwnCall = { call, turn, token };
          let failure: Error | undefined;
          try {
            await ownCalls.during(own, () => invokeTool(name, call.input, token, signal));
          } catch (error) {
            signal.throwIfAborted();
            failure = error instanceof Error ? error : new Error(String(error));
          }
          // What VS Code says is no proof: a skipped call gives a text as well. Only what `invoke` noted has run.
          if (own.ran)
            return isDeepEqual(own.ran.input, call.input) ? own.ran.output : withChangedInput(own.ran);
          if (failure === undefined) return refused;
          throw new ToolError(`VS Code could not run ${name}: ${failure.message}`, { cause: failure });
        },
      })),
    dispose: () => void vscode.Disposable.from(...registrations).dispose(),
  };
}

/** R4: the line of a call says why it ran unasked, or why it did not run. */
function withReason(progress: string, decision: Decision): string {
  if (decision.type === 'allow') return withRemark(progress, describeAllowed(decision.because));
  return decision.type === 'deny' ? withRemark(progress, describeDenied(decision.because)) : progress;
}

/** A call of a turn of ours, on its way through VS Code. */
interface OwnCall {
  readonly call: ToolCall;
  readonly turn: CallingTurn;
  readonly token: ToolToken;
  /** What our `invoke` really did for it. */
  ran?: { readonly input: object; readonly output: ToolOutput };
}

/** VS Code does not say for whom it runs a tool: other chats use ours, too. */
class OwnCalls {
  readonly #underWay: OwnCall[] = [];
  readonly #taken = new Set<OwnCall>();

  async during<T>(own: OwnCall, invoke: () => Promise<T>): Promise<T> {
    this.#underWay.push(own);
    try {
      return await invoke();
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(own), 1);
      this.#taken.delete(own);
    }
  }

  /** One of ours that waits to be run. Who it is that prepares a call is not said, so that `take` counts. */
  waiting(tool: string, input: object): OwnCall | undefined {
    return this.#underWay.find(
      (own) => own.call.name === tool && !this.#taken.has(own) && isDeepEqual(own.call.input, input),
    );
  }

  /** For one run each. The person may have changed the input in the card. */
  take(tool: string, input: object, token: ToolToken): OwnCall | undefined {
    const free = this.#underWay.filter(
      (own) => own.call.name === tool && !this.#taken.has(own) && chatOf(own.token) === chatOf(token),
    );
    const found = free.find(({ call }) => isDeepEqual(call.input, input)) ?? free[0];
    if (found) this.#taken.add(found);
    return found;
  }
}

/** Not in the stable typings. */
function chatOf(token: unknown): string {
  if (!isObject(token)) return '';
  const { sessionResource, sessionId } = token;
  if (!isObject(sessionResource)) return String(sessionId);
  const { scheme, authority, path } = sessionResource;
  return [scheme, authority, path].join(' ');
}

function withChangedInput({ input, output }: NonNullable<OwnCall['ran']>): ToolOutput {
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
