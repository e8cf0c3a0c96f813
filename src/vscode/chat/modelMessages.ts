import * as vscode from 'vscode';
import { checkImage, toImageBlock } from '../../core/images';
import type { ContentBlock, ImageBlock, Message, TextBlock } from '../../core/messages';
import type { ModelRequest } from '../../core/ports';
import { sanitizeTool } from '../../core/tools/sanitize';

/** The stable types know User and Assistant; VS Code's own agent also sends this one. */
const systemRole = 3;

export interface ProviderRequest {
  readonly request: ModelRequest;
  /** The name under which VS Code knows a tool that Claude calls. */
  readonly hostNameOf: (apiName: string) => string;
}

/** What VS Code's own agent, or another extension, asks of our model provider, as a request to Claude. */
export function toProviderRequest(
  model: Pick<vscode.LanguageModelChatInformation, 'id' | 'maxOutputTokens'>,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  offered: readonly vscode.LanguageModelChatTool[] = [],
): ProviderRequest {
  const tools = nameTools(offered);
  const apiNameOf = (hostName: string): string => tools.apiNames.get(hostName) ?? hostName;
  const system = messages
    .filter(isSystem)
    .flatMap(({ content }) => content.map(toTextOrImage).filter(isText));
  const request: ModelRequest = {
    model: model.id,
    maxOutputTokens: model.maxOutputTokens,
    system,
    tools: tools.definitions,
    messages: mergeRoles(
      messages
        .filter((message) => !isSystem(message))
        .map(({ role, content }) => ({
          role: role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user',
          content: content.flatMap((part) => toBlock(part, apiNameOf) ?? []),
        })),
    ),
  };
  return { request, hostNameOf: (apiName) => tools.hostNames.get(apiName) ?? apiName };
}

interface NamedTools {
  readonly definitions: ModelRequest['tools'];
  readonly apiNames: ReadonlyMap<string, string>;
  readonly hostNames: ReadonlyMap<string, string>;
}

/** Names of tools in VS Code may hold what the API refuses; one bad tool would fail the whole request. */
function nameTools(offered: readonly vscode.LanguageModelChatTool[]): NamedTools {
  const hostNames = new Map<string, string>();
  const definitions = offered.flatMap((tool) => {
    const clean = sanitizeTool({ ...tool, inputSchema: tool.inputSchema ?? {} }, new Set(hostNames.keys()));
    if (clean.type === 'left-out') return [];
    hostNames.set(clean.name, tool.name);
    const { name, description, inputSchema } = clean;
    const schema = { ...inputSchema, required: [...(inputSchema.required ?? [])] };
    return [{ name, description, input_schema: schema }];
  });
  const apiNames = new Map([...hostNames].map(([apiName, hostName]) => [hostName, apiName]));
  return { definitions, apiNames, hostNames };
}

function isSystem({ role }: vscode.LanguageModelChatRequestMessage): boolean {
  return (role as number) === systemRole;
}

function toBlock(part: unknown, apiNameOf: (hostName: string) => string): ContentBlock | undefined {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: 'tool_use', id: part.callId, name: apiNameOf(part.name), input: part.input };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const content = part.content.flatMap((inner) => toTextOrImage(inner) ?? []);
    return { type: 'tool_result', tool_use_id: part.callId, ...(content.length > 0 && { content }) };
  }
  return toTextOrImage(part);
}

function toTextOrImage(part: unknown): TextBlock | ImageBlock | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return toText(part.value);
  if (part instanceof vscode.LanguageModelPromptTsxPart) return toText(JSON.stringify(part.value));
  if (!(part instanceof vscode.LanguageModelDataPart)) return undefined;
  if (part.mimeType.startsWith('image/')) {
    const check = checkImage(part.data);
    return check.type === 'accepted'
      ? toImageBlock(part.data, check.facts.type)
      : toText(`[Image left out: ${check.reason}]`);
  }
  const isReadable = /^text\/|json/.test(part.mimeType);
  return isReadable ? toText(new TextDecoder().decode(part.data)) : undefined;
}

function toText(text: string): TextBlock | undefined {
  return text.trim() === '' ? undefined : { type: 'text', text };
}

function isText(block: TextBlock | ImageBlock | undefined): block is TextBlock {
  return block?.type === 'text';
}

/** Neighbours of one role become one message, and results stand first in it, as the API wants them. */
function mergeRoles(messages: readonly { role: 'user' | 'assistant'; content: ContentBlock[] }[]): Message[] {
  const merged: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  for (const { role, content } of messages) {
    if (content.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else merged.push({ role, content: [...content] });
  }
  return merged.map(({ role, content }) => ({
    role,
    content: [
      ...content.filter((block) => block.type === 'tool_result'),
      ...content.filter((block) => block.type !== 'tool_result'),
    ],
  }));
}
