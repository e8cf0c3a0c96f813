import type Anthropic from '@anthropic-ai/sdk';
import { randomId } from './randomId';
import {
  blocksOf,
  isDeferred,
  serverToolsOf,
  textOf,
  toolsOf,
  type Block,
  type ClaudeRequest,
} from './request';
import { encrypt, referencesIn } from './serverBlocks';

/** A page of the web, as scripts know it. */
export interface WebPage {
  readonly url: string;
  readonly title: string;
  readonly text?: string;
}

/** One use of a tool that the server runs. `found` as a string is the code of an error. */
export type ServerToolUse = { readonly isPaused?: boolean } & (
  | { readonly tool: 'web_search'; readonly input: object; readonly found: readonly WebPage[] | string }
  | { readonly tool: 'web_fetch'; readonly input: { readonly url: string }; readonly found: WebPage | string }
  | {
      readonly tool: 'tool_search_tool_bm25';
      readonly input: { readonly query: string };
      readonly found: string | undefined;
    }
);

type ServerResult = Extract<
  Block,
  { type: 'web_search_tool_result' | 'web_fetch_tool_result' | 'tool_search_tool_result' }
>;

/** Runs a tool as the server would: within the bounds that the request sets for it. */
export function runServerTool(
  use: ServerToolUse,
  request: ClaudeRequest,
  before: readonly Block[],
): readonly [Anthropic.ServerToolUseBlockParam, ServerResult] {
  const offered = serverToolsOf(request).find(({ name }) => name === use.tool);
  if (!offered) throw new Error(`The script uses ${use.tool}, which the request does not offer.`);
  const id = `srvtoolu_${randomId()}`;
  const uses = before.filter((block) => block.type === 'server_tool_use' && block.name === use.tool).length;
  const mostUses = 'max_uses' in offered ? (offered.max_uses ?? Infinity) : Infinity;
  const content = uses >= mostUses ? failed(use.tool, 'max_uses_exceeded') : resultOf(use, request, offered);
  const type = use.tool === 'tool_search_tool_bm25' ? 'tool_search_tool_result' : `${use.tool}_tool_result`;
  return [
    { type: 'server_tool_use', id, name: use.tool, input: use.input },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scripts name the codes of errors.
    { type, tool_use_id: id, content } as ServerResult,
  ];
}

function resultOf(use: ServerToolUse, request: ClaudeRequest, offered: object): object {
  if (use.tool === 'tool_search_tool_bm25') {
    if (use.found !== undefined) return { ...failed('tool_search', use.found), error_message: null };
    return { type: 'tool_search_tool_search_result', tool_references: findTools(use.input.query, request) };
  }
  if (typeof use.found === 'string') return failed(use.tool, use.found);
  if (use.tool === 'web_search') return use.found.filter(({ url }) => isAllowed(url, offered)).map(hitOf);
  const problem = fetchProblem(use.input.url, request, offered);
  return problem === undefined ? pageOf(use.found) : failed(use.tool, problem);
}

function failed(tool: string, code: string) {
  return { type: `${tool}_tool_result_error`, error_code: code };
}

export function citationOf({ url, title, text = title }: WebPage) {
  return {
    type: 'web_search_result_location',
    url,
    title,
    cited_text: text.slice(0, 150),
    encrypted_index: encrypt(url),
  } as const;
}

/** Claude knows nothing of a deferred tool before a search has found it, in this answer or earlier in what was sent. */
export function assertFound(name: string, request: ClaudeRequest, before: readonly Block[]): void {
  const tool = toolsOf(request).find((one) => one.name === name);
  if (!tool || !isDeferred(tool)) return;
  const blocks = [...request.messages.flatMap(({ content }) => blocksOf(content)), ...before];
  if (!blocks.some((block) => referencesIn(block).includes(name)))
    throw new Error(`The script calls ${name}, which is deferred, and no search has found it.`);
}

function hitOf({ url, title }: WebPage) {
  return {
    type: 'web_search_result',
    url,
    title,
    encrypted_content: encrypt(url),
    page_age: null,
  } as const;
}

function pageOf({ url, title, text = '' }: WebPage) {
  return {
    type: 'web_fetch_result',
    url,
    retrieved_at: '2026-11-18T00:00:00Z',
    content: {
      type: 'document',
      title,
      source: { type: 'text', media_type: 'text/plain', data: text },
      citations: { enabled: true },
    },
  };
}

/** The server fetches only what the user or a search has named, within its domains. */
function fetchProblem(url: string, request: ClaudeRequest, tool: object): string | undefined {
  if (url.length > 250) return 'url_too_long';
  const isNamed = request.messages.some(
    ({ role, content }) => role === 'user' && textOf(content).includes(url),
  );
  if (!isNamed) return 'url_not_in_prior_context';
  return isAllowed(url, tool) ? undefined : 'url_not_allowed';
}

function isAllowed(url: string, tool: object): boolean {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape has been checked.
  const { allowed_domains: allowed, blocked_domains: blocked } = tool as Anthropic.WebSearchTool20260318;
  const { hostname } = new URL(url);
  const isIn = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  return allowed ? allowed.some(isIn) : !(blocked ?? []).some(isIn);
}

const mostFound = 5;

function findTools(query: string, request: ClaudeRequest) {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean);
  const scored = toolsOf(request)
    .filter(isDeferred)
    .map(({ name, description = '' }) => {
      const text = `${name} ${description}`.toLowerCase();
      return { name, score: words.filter((word) => text.includes(word)).length };
    });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ name }) => ({ type: 'tool_reference', tool_name: name }) as const);
}
