import * as vscode from 'vscode';
import { chooseHostTools, type ChosenTool, type ExternalTools } from '../core/tools/chooseHostTools';
import { checkImage, toImageBlock } from '../core/images';
import type { ImageBlock, TextBlock } from '../core/messages';
import type { Log } from '../core/ports';
import { codeBlock, codeSpan, visible } from '../core/tools/literalText';
import type { Tool, ToolOutput } from '../core/tools/tool';
import { toCancellationToken } from './cancellation';
import type { ToolToken } from './languageModelTools';
import { readFolders } from './places';

/** The contributed tool that asks before it runs one of another extension. */
export const askingTool = 'use_external_tool';

export interface HostTools extends vscode.Disposable {
  /** The tools of VS Code, of other extensions and of MCP servers for one request. */
  forRequest(request: {
    readonly token: ToolToken;
    readonly ownNames: readonly string[];
    readonly external: ExternalTools;
    readonly disabled: readonly string[];
    /** Names of tools that the person attached with `#`. */
    readonly attached: readonly string[];
  }): readonly Tool[];
}

export function createHostTools({ log }: { readonly log: Log }): HostTools {
  const reported = new Set<string>();
  const runs = new Map<string, number>();
  /** Tools that were offered to Claude: no other chat reaches more through the asking tool. */
  const offered = new Set<string>();
  const registration = registerAskingTool({
    mayUse: (tool) => offered.has(tool),
    onRun: (tool) => void runs.set(tool, (runs.get(tool) ?? 0) + 1),
  });

  function reportOnce(name: string, reason: string): void {
    if (reported.has(name)) return;
    reported.add(name);
    log.warn(`The tool ${name} is not offered: ${reason}.`);
  }

  function toTool(chosen: ChosenTool, token: ToolToken): Tool {
    const { hostName, name, description, inputSchema, effect } = chosen;
    if (chosen.mustAsk) offered.add(hostName);
    return {
      name,
      description,
      inputSchema,
      effect,
      async run({ input }, signal) {
        if (!chosen.mustAsk) return invoke(hostName, toObject(input), token, signal);
        const before = runs.get(hostName);
        const output = await invoke(askingTool, { tool: hostName, input: toObject(input) }, token, signal);
        // A skipped call gives a text as well; only what the asking tool counted has run.
        return runs.get(hostName) === before ? refusal : output;
      },
    };
  }

  return {
    forRequest: ({ token, ...request }) =>
      chooseHostTools({
        ...request,
        available: vscode.lm.tools
          .filter(({ name }) => name !== askingTool)
          .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        isTrusted: vscode.workspace.isTrusted,
        roots: readFolders().map(({ root }) => root),
        onLeftOut: reportOnce,
      }).map((chosen) => toTool(chosen, token)),
    dispose: () => void registration.dispose(),
  };
}

interface AskingInput {
  readonly tool: string;
  readonly input: object;
}

/** VS Code runs tools of other extensions without a question unless they ask for one: this asks for them. */
function registerAskingTool(options: {
  readonly mayUse: (tool: string) => boolean;
  readonly onRun: (tool: string) => void;
}): vscode.Disposable {
  return vscode.lm.registerTool<AskingInput>(askingTool, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: new vscode.MarkdownString(`Using ${codeSpan(input.tool)}`),
      confirmationMessages: {
        title: vscode.l10n.t('Let Claude use the tool {0}?', visible(input.tool)),
        message: new vscode.MarkdownString(
          `${vscode.l10n.t('It belongs to another extension. It gets:')}\n\n${codeBlock('json', JSON.stringify(input.input, undefined, 2))}`,
        ),
      },
    }),
    async invoke({ input, toolInvocationToken }, token) {
      if (!options.mayUse(input.tool)) throw new Error(`${input.tool} cannot be used this way.`);
      options.onRun(input.tool);
      return vscode.lm.invokeTool(input.tool, { input: input.input, toolInvocationToken }, token);
    },
  });
}

async function invoke(
  tool: string,
  input: object,
  token: ToolToken,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const cancellation = toCancellationToken(signal);
  try {
    const result = await vscode.lm.invokeTool(
      tool,
      { input, toolInvocationToken: token },
      cancellation.token,
    );
    return { content: result.content.flatMap(toBlocks) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === 'Canceled') return refusal;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

const refusal: ToolOutput = {
  content:
    'The person did not allow this call, so nothing was done. Do not repeat it; go on without it or ask what they want.',
  isError: true,
};

/** Texts and images; what only other models understand is left out. */
function toBlocks(part: unknown): readonly (TextBlock | ImageBlock)[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (part instanceof vscode.LanguageModelDataPart) {
    if (!part.mimeType.startsWith('image/'))
      return [{ type: 'text', text: new TextDecoder().decode(part.data) }];
    const check = checkImage(part.data);
    if (check.type === 'refused') return [{ type: 'text', text: `[Image left out: ${check.reason}]` }];
    return [toImageBlock(part.data, check.facts.type)];
  }
  if (part instanceof vscode.LanguageModelPromptTsxPart) {
    const text = textsIn(part.value).join('');
    return text === '' ? [] : [{ type: 'text', text }];
  }
  return [];
}

/** The rendered prompt pieces that tools of Copilot's kind return are a tree with texts at its leaves. */
function textsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('text' in node && typeof node.text === 'string') return [node.text];
  return Object.values(node).flatMap(textsIn);
}

function toObject(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : {};
}
