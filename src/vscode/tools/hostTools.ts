import * as vscode from 'vscode';
import { checkImage, toImageBlock } from '../../core/images';
import type { ImageBlock, TextBlock } from '../../core/messages';
import type { Log } from '../../core/ports';
import { refused } from '../../core/tools/approvals';
import { chooseHostTools, type ChosenTool, type ExternalTools } from '../../core/tools/chooseHostTools';
import { codeBlock, codeSpan, visible } from '../../core/tools/literalText';
import type { Tool, ToolOutput } from '../../core/tools/tool';
import { toCancellationToken } from '../cancellation';
import { promptTexts } from '../promptTexts';
import { askOnce, type Question } from './askOnce';
import type { ToolToken } from './languageModelTools';
import { readFolders } from './places';

export interface HostTools {
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

  function reportOnce(name: string, reason: string): void {
    if (reported.has(name)) return;
    reported.add(name);
    log.warn(`The tool ${name} is not offered: ${reason}.`);
  }

  return {
    forRequest: ({ token, ...request }) =>
      chooseHostTools({
        ...request,
        available: vscode.lm.tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema,
        })),
        isTrusted: vscode.workspace.isTrusted,
        roots: readFolders().map(({ root }) => root),
        onLeftOut: reportOnce,
      }).map((chosen) => toTool(chosen, token)),
  };
}

function toTool(chosen: ChosenTool, token: ToolToken): Tool {
  const { hostName, name, description, inputSchema, effect } = chosen;
  return {
    name,
    description,
    inputSchema,
    effect,
    async run({ input }, signal) {
      // VS Code runs tools of other extensions without a question unless they ask for one.
      const isAllowed = !chosen.mustAsk || (await askOnce(questionFor(hostName, input), token, signal));
      return isAllowed ? invoke(hostName, toObject(input), token, signal) : refused;
    },
  };
}

/** The title leaves the name out: VS Code drops underscores and the like from titles. */
function questionFor(tool: string, input: unknown): Question {
  const json = JSON.stringify(input, undefined, 2);
  return {
    title: vscode.l10n.t('Let Claude use a tool of another extension?'),
    message: `${belongsToAnother(codeSpan(tool))}\n\n${codeBlock('json', json)}`,
    summary: `${belongsToAnother(visible(tool))}\n\n${visible(json).slice(0, 2000)}`,
  };
}

function belongsToAnother(tool: string): string {
  return vscode.l10n.t('{0} belongs to another extension. It gets:', tool);
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
    if (error instanceof Error && error.name === 'Canceled') return refused;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

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
    const text = promptTexts(part.value).join('');
    return text === '' ? [] : [{ type: 'text', text }];
  }
  return [];
}

function toObject(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : {};
}
