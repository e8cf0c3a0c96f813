import * as vscode from 'vscode';
import type { ProviderRequest } from '../../core/agent/providerAnswer';
import { sanitizeId, sanitizeName } from '../../core/agent/sanitizeAnswer';
import { checkImage, toImageBlock, checkPdf, looksLikePdf, toPdfBlock } from '../../core/media';
import type { ContentBlock, DocumentBlock, ImageBlock, TextBlock } from '../../core/messages';
import { wellFormed } from '../../core/text/json';
import { sanitizeTool } from '../../core/tools/sanitize';
import type { Tool } from '../../core/tools/tool';
import { promptTexts } from '../promptTexts';

/** The stable types know User and Assistant; VS Code's own agent also sends this one. */
const systemRole = 3;

export interface NamedRequest {
  readonly request: ProviderRequest;
  /** The name under which VS Code knows a tool that Claude calls. */
  readonly hostNameOf: (apiName: string) => string;
}

/** What VS Code's own agent, or another extension, asks of our model provider, as an API request. */
export function toProviderRequest(
  model: Pick<vscode.LanguageModelChatInformation, 'id' | 'maxOutputTokens'>,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  options: Partial<vscode.ProvideLanguageModelChatResponseOptions> = {},
): NamedRequest {
  const tools = nameTools(options.tools ?? []);
  const apiNameOf = (hostName: string) => tools.apiNames.get(hostName) ?? sanitizeName(hostName);
  const mustCall = options.toolMode === vscode.LanguageModelChatToolMode.Required;
  const system = messages.filter(isSystem).flatMap(({ content }) => content.map(toMedia).filter(isText));
  const request: ProviderRequest = {
    modelId: model.id,
    maxOutputTokens: model.maxOutputTokens,
    system: mustCall ? [...system, { type: 'text', text: callATool }] : system,
    tools: tools.tools,
    messages: messages
      .filter((message) => !isSystem(message))
      .map(({ role, content }) => ({
        role: role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user',
        content: content.flatMap((part) => toBlock(part, apiNameOf) ?? []),
      })),
  };
  return { request, hostNameOf: (apiName) => tools.hostNames.get(apiName) ?? apiName };
}

/** The newest models refuse to be forced by a parameter. */
const callATool = 'Answer with a call of one of the tools, whatever else you say.';

interface NamedTools {
  readonly tools: readonly Tool[];
  readonly apiNames: ReadonlyMap<string, string>;
  readonly hostNames: ReadonlyMap<string, string>;
}

/** Names in VS Code may contain what the API refuses; one bad tool would fail the whole request. */
function nameTools(offered: readonly vscode.LanguageModelChatTool[]): NamedTools {
  const hostNames = new Map<string, string>();
  const tools = offered.flatMap((tool): readonly Tool[] => {
    const clean = sanitizeTool({ ...tool, inputSchema: tool.inputSchema ?? {} }, new Set(hostNames.keys()));
    if (clean.type === 'left-out') return [];
    const { name, description, inputSchema } = clean;
    hostNames.set(name, tool.name);
    return [{ name, description, inputSchema, effect: 'writes', run: notOurs }];
  });
  const apiNames = new Map([...hostNames].map(([apiName, hostName]) => [hostName, apiName]));
  return { tools, apiNames, hostNames };
}

function notOurs(): Promise<never> {
  return Promise.reject(new Error('Whoever asked runs the tools.'));
}

function isSystem({ role }: vscode.LanguageModelChatRequestMessage): boolean {
  return (role as number) === systemRole;
}

function toBlock(part: unknown, apiNameOf: (hostName: string) => string): ContentBlock | undefined {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return {
      type: 'tool_use',
      id: sanitizeId(part.callId),
      name: apiNameOf(part.name),
      input: part.input,
    };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const content = part.content.flatMap((inner) => toMedia(inner) ?? []);
    const result = { type: 'tool_result', tool_use_id: sanitizeId(part.callId) } as const;
    return content.length > 0 ? { ...result, content } : result;
  }
  return toMedia(part);
}

/** Undefined for what only other models understand, such as marks for their caches. */
function toMedia(part: unknown): TextBlock | ImageBlock | DocumentBlock | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return toText(part.value);
  if (part instanceof vscode.LanguageModelPromptTsxPart) return toText(promptTexts(part.value).join(''));
  if (!(part instanceof vscode.LanguageModelDataPart)) return undefined;
  if (part.mimeType.startsWith('image/')) {
    const check = checkImage(part.data);
    return check.type === 'accepted'
      ? toImageBlock(part.data, check.image.type)
      : toText(`[Image left out: ${check.reason}]`);
  }
  if (looksLikePdf(part.data)) {
    const problem = checkPdf(part.data);
    return problem === undefined ? toPdfBlock(part.data, 'PDF') : toText(`[PDF left out: ${problem.reason}]`);
  }
  const isReadable = /^text\/|json/.test(part.mimeType);
  return isReadable ? toText(new TextDecoder().decode(part.data)) : undefined;
}

function toText(text: string): TextBlock | undefined {
  return text.trim() === '' ? undefined : { type: 'text', text: wellFormed(text) };
}

function isText(block: TextBlock | ImageBlock | DocumentBlock | undefined): block is TextBlock {
  return block?.type === 'text';
}
