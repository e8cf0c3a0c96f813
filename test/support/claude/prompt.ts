import { createHash } from 'node:crypto';
import type { ModelFacts } from './models';
import { blocksOf, loadedTools, systemBlocksOf, toolsOf, type Block, type ClaudeRequest } from './request';
import { blockTokens, textTokens } from './tokens';

/** One block of tools, system and messages in a row, with what the prompt up to and including it amounts to. */
export interface PromptBlock {
  /** Equal for two requests exactly when they agree up to here, in bytes, settings and model. */
  readonly prefixHash: string;
  readonly prefixTokens: number;
}

/** The prompt as the cache sees it. Linear in its size: each block is serialized and hashed once. */
export function readPrompt(request: ClaudeRequest, model: ModelFacts): readonly PromptBlock[] {
  const blocks: PromptBlock[] = [];
  let hash = '';
  let tokens = 0;
  const mix = (value: string): void => {
    hash = createHash('sha256').update(hash).update(value).digest('base64');
  };
  const add = (value: string, cost: number): void => {
    mix(value);
    tokens += cost;
    blocks.push({ prefixHash: hash, prefixTokens: tokens });
  };

  mix(`model ${model.id}`);
  for (const tool of loadedTools(request)) {
    const text = JSON.stringify(withoutMark(tool));
    add(`tool ${text}`, textTokens(text, model));
  }
  mix(`system ${request.speed ?? 'standard'}`);
  for (const block of systemBlocksOf(request)) {
    const text = JSON.stringify(withoutMark(block));
    add(`system ${text}`, blockTokens(block, text, model));
  }
  // These settings leave the cached tools and system alone, but nothing after them.
  const { thinking, tool_choice: toolChoice, output_config: outputConfig } = request;
  mix(`messages ${JSON.stringify([thinking, toolChoice, outputConfig?.effort, hasImages(request)])}`);
  for (const { role, content } of request.messages) {
    for (const block of blocksOf(content)) {
      const text = JSON.stringify(withoutMark(block));
      add(`${role} ${text}`, blockTokens(block, text, model) + textTokensOfFound(block, request, model));
    }
  }
  return blocks;
}

/** The definition of a deferred tool stands where a search has found it. */
function textTokensOfFound(block: Block, request: ClaudeRequest, model: ModelFacts): number {
  if (block.type !== 'tool_search_tool_result' || !('tool_references' in block.content)) return 0;
  const names = new Set(block.content.tool_references.map(({ tool_name: name }) => name));
  return toolsOf(request)
    .filter(({ name }) => names.has(name))
    .reduce((sum, tool) => sum + textTokens(JSON.stringify(tool), model), 0);
}

/** The block without cache marks, its own and those inside a tool result; all else in the order sent. */
export function withoutMark(block: object): object {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape has been checked.
  const { cache_control: _, ...rest } = block as Block & { cache_control?: unknown };
  if (rest.type !== 'tool_result' || typeof rest.content !== 'object') return rest;
  return { ...rest, content: rest.content.map(withoutMark) };
}

function hasImages({ messages }: ClaudeRequest): boolean {
  return messages.some(
    ({ content }) =>
      typeof content !== 'string' &&
      content.some(
        (block) =>
          block.type === 'image' ||
          (block.type === 'tool_result' &&
            typeof block.content === 'object' &&
            block.content.some(({ type }) => type === 'image')),
      ),
  );
}
