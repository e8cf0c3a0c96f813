import { createHmac } from 'node:crypto';
import { invalid, type ApiProblem } from './problem';
import { blocksOf, toolsOf, type Block, type ClaudeRequest } from './request';
import { first } from './shape';

type ServerBlock = Extract<
  Block,
  {
    type: 'server_tool_use' | 'web_search_tool_result' | 'web_fetch_tool_result' | 'tool_search_tool_result';
  }
>;

const resultTypes: Readonly<Record<string, string>> = {
  web_search: 'web_search_tool_result',
  web_fetch: 'web_fetch_tool_result',
  tool_search_tool_bm25: 'tool_search_tool_result',
  tool_search_tool_regex: 'tool_search_tool_result',
};

export function isServerBlock(block: Block): block is ServerBlock {
  return block.type === 'server_tool_use' || Object.values(resultTypes).includes(block.type);
}

/** What the server did comes back as it was: each use with its result right there, and nothing made up. */
export function checkServerBlocks(request: ClaudeRequest): ApiProblem | undefined {
  const tools = new Set(toolsOf(request).map(({ name }) => name));
  return first(request.messages, ({ content }, index) => {
    const blocks = blocksOf(content);
    const isLast = index === request.messages.length - 1;
    return first(blocks, (block, position) => {
      const path = `messages.${index}.content.${position}`;
      return (
        checkUse(block, blocks.slice(position + 1), isLast, path) ??
        checkResult(block, blocks.slice(0, position), path) ??
        checkSeals(block, path) ??
        checkReferences(block, tools, path)
      );
    });
  });
}

/** The names of the tools that a block brings into sight. */
export function referencesIn(block: Block): readonly string[] {
  const found =
    block.type === 'tool_search_tool_result' && 'tool_references' in block.content
      ? block.content.tool_references
      : block.type === 'tool_result' && typeof block.content === 'object'
        ? block.content.filter((inner) => inner.type === 'tool_reference')
        : [];
  return found.map(({ tool_name: name }) => name);
}

// Known to everybody who reads this: it keeps tests honest, it protects nothing.
const key = 'the stand-in seals what it found';

/** What only the server can read. */
export function encrypt(url: string): string {
  return `${Buffer.from(url).toString('base64url')}.${createHmac('sha256', key).update(url).digest('base64url')}`;
}

function isSealed(value: string, url: string): boolean {
  return value === encrypt(url);
}

function checkUse(
  block: Block,
  after: readonly Block[],
  isLast: boolean,
  path: string,
): ApiProblem | undefined {
  if (block.type !== 'server_tool_use') return undefined;
  // Claude paused here: the server goes on with it.
  if (isLast && after.length === 0) return undefined;
  const wanted = resultTypes[block.name];
  const isAnswered = after.some(
    (other) => other.type === wanted && 'tool_use_id' in other && other.tool_use_id === block.id,
  );
  return isAnswered
    ? undefined
    : invalid(
        path,
        `\`${block.name}\` tool use with id \`${block.id}\` was found without a corresponding \`${wanted}\` block`,
      );
}

function checkResult(block: Block, before: readonly Block[], path: string): ApiProblem | undefined {
  if (!isServerBlock(block) || block.type === 'server_tool_use') return undefined;
  const isAsked = before.some(
    (other) =>
      other.type === 'server_tool_use' &&
      other.id === block.tool_use_id &&
      resultTypes[other.name] === block.type,
  );
  return isAsked
    ? undefined
    : invalid(
        path,
        `unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${block.tool_use_id}. ` +
          `Each \`${block.type}\` block must have a corresponding \`server_tool_use\` block before it.`,
      );
}

function checkSeals(block: Block, path: string): ApiProblem | undefined {
  if (block.type === 'web_search_tool_result' && Array.isArray(block.content)) {
    return block.content.every(({ encrypted_content: sealed, url }) => isSealed(sealed, url))
      ? undefined
      : invalid(path, 'Invalid `encrypted_content` in `search_result` block');
  }
  if (block.type !== 'text') return undefined;
  const isWhole = (block.citations ?? []).every(
    (citation) =>
      citation.type !== 'web_search_result_location' || isSealed(citation.encrypted_index, citation.url),
  );
  return isWhole ? undefined : invalid(path, 'Invalid `encrypted_index` in `web_search_result_location`');
}

function checkReferences(block: Block, tools: ReadonlySet<string>, path: string): ApiProblem | undefined {
  const unknown = referencesIn(block).find((name) => !tools.has(name));
  return unknown === undefined
    ? undefined
    : invalid(path, `Tool reference '${unknown}' not found in available tools`);
}
