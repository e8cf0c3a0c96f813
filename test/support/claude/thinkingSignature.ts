import { createHash, createHmac } from 'node:crypto';
import type { ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';
import { withoutMark } from './prompt';
import { blocksOf, loadedTools, systemBlocksOf, type Block, type ClaudeRequest } from './request';
import { isServerBlock } from './serverBlocks';

type ThinkingBlock = Extract<Block, { type: 'thinking' }>;

/** What a signature vouches for: who thought it, what stood before it, and the text itself. */
interface Seal {
  readonly model: string;
  readonly system: string;
  readonly tools: string;
  readonly prefix: string;
  /** The signature of the thinking before it, as a hash; empty for the first. */
  readonly previous: string;
  readonly text: string;
}

/** Signs the text that is shown for a thought, empty when omitted; `before` are the blocks ahead of it in its answer. */
export function signThinking(
  thinking: string,
  request: ClaudeRequest,
  model: ModelFacts,
  before: readonly Block[] = [],
): string {
  const walk = startWalk(request);
  for (const { role, content } of request.messages) walk.pass(role, blocksOf(content), model);
  walk.pass('assistant', before, model);
  return seal({ ...walk.binding(), model: model.id, text: digest(thinking) });
}

/** Thinking must come back as it was, after exactly what it came after. Another model's is dropped in silence. */
export function checkThinkingBlocks(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  if (!request.messages.some(({ content }) => blocksOf(content).some(({ type }) => type === 'thinking'))) {
    return undefined;
  }
  const walk = startWalk(request);
  const latest = request.messages.findLastIndex(({ role }) => role === 'assistant');
  for (const [index, { role, content }] of request.messages.entries()) {
    const blocks = blocksOf(content);
    for (const [position, block] of blocks.entries()) {
      const path = `messages.${index}.content.${position}`;
      const problem =
        block.type === 'thinking'
          ? checkThinking(block, walk.binding(), model, { path, isLatest: index === latest })
          : undefined;
      if (problem) return problem;
      walk.pass(role, [block], model);
    }
  }
  return undefined;
}

function checkThinking(
  block: ThinkingBlock,
  now: Omit<Seal, 'model' | 'text'>,
  model: ModelFacts,
  place: { readonly path: string; readonly isLatest: boolean },
): ApiProblem | undefined {
  const origin = open(block.signature);
  if (!origin) return invalid(place.path, 'Invalid `signature` in `thinking` block');
  if (origin.model !== model.id) return undefined;
  if (origin.text !== digest(block.thinking)) {
    return place.isLatest
      ? invalid(
          place.path,
          '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
            'These blocks must remain as they were in the original response.',
        )
      : invalid(place.path, 'Invalid `signature` in `thinking` block');
  }
  if (!model.bindsThinking) return undefined;
  const difference = differenceBetween(origin, now);
  return difference === undefined
    ? undefined
    : invalid(
        place.path,
        'Invalid `signature` in `thinking` block. The block is bound to a different conversation. ' +
          'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". ' +
          'That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header. ' +
          difference,
      );
}

function differenceBetween(then: Seal, now: Omit<Seal, 'model' | 'text'>): string | undefined {
  if (then.system !== now.system) {
    return 'The `system` prompt differs from the one this block was created with.';
  }
  if (then.tools !== now.tools) return 'The `tools` differ from the ones this block was created with.';
  if (then.prefix !== now.prefix)
    return 'The messages before it differ from the ones this block was created with.';
  // Leaving out all thinking up to a point is allowed; leaving out one between others is not.
  return now.previous !== '' && now.previous !== then.previous
    ? 'The thinking before it differs from the one this block was created with.'
    : undefined;
}

function startWalk(request: ClaudeRequest): {
  pass(role: string, blocks: readonly Block[], model: ModelFacts): void;
  binding(): Omit<Seal, 'model' | 'text'>;
} {
  const system = digest(JSON.stringify(systemBlocksOf(request).map(withoutMark)));
  const tools = digest(JSON.stringify(loadedTools(request).map(withoutMark)));
  let prefix = '';
  let previous = '';
  return {
    pass(role, blocks, model) {
      for (const block of blocks) {
        if (block.type === 'thinking') {
          if (open(block.signature)?.model === model.id) previous = digest(block.signature);
        } else if (block.type !== 'redacted_thinking') {
          prefix = digest(`${prefix}${role}${essenceOf(block)}`);
        }
      }
    },
    binding: () => ({ system, tools, prefix, previous }),
  };
}

/** What counts of a block: an answer comes back with fields that the client never sends, or leaves out. */
function essenceOf(block: Block): string {
  if (block.type === 'text') return JSON.stringify(['text', block.text]);
  if (block.type === 'tool_use') return JSON.stringify(['tool_use', block.id, block.name, block.input]);
  if (block.type === 'server_tool_use')
    return JSON.stringify([block.type, block.id, block.name, block.input]);
  if (isServerBlock(block)) return JSON.stringify([block.type, block.content]);
  return JSON.stringify(withoutMark(block));
}

// Known to everybody who reads this: it keeps tests honest, it protects nothing.
const key = 'the stand-in signs its thoughts';

function seal(value: Seal): string {
  const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
}

function open(signature: string): Seal | undefined {
  const [payload = '', mac] = signature.split('.');
  if (mac !== createHmac('sha256', key).update(payload).digest('base64url')) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sealed by nobody but this file.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Seal;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
