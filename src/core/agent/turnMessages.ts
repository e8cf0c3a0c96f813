import type Anthropic from '@anthropic-ai/sdk';
import { blocksOf, type ContentBlock, type Message, type ToolResultBlock, withContent } from '../messages';
import { wellFormed } from '../text/json';

/** One message of the running turn as it is sent: with thinking, and with our own nudges for Claude to go on. */
export interface TurnMessage {
  readonly message: Message;
  /** Ours, not the user's: asks Claude to go on after the output limit. Not worth remembering. */
  readonly isNudge?: true;
  /** From an earlier turn that this one continues: remembered there already. */
  readonly isEarlier?: true;
  /** What is remembered in its place. */
  readonly remembered?: Message;
}

/** Adds what Claude answered. After a pause Claude goes on with the same message, so it grows instead. */
export function appendAnswer(
  turn: readonly TurnMessage[],
  content: readonly ContentBlock[],
): readonly TurnMessage[] {
  const last = turn.at(-1)?.message;
  if (content.length === 0) return turn;
  if (last?.role !== 'assistant') return [...turn, { message: { role: 'assistant', content: [...content] } }];
  return [...turn.slice(0, -1), { message: { role: 'assistant', content: [...blocksOf(last), ...content] } }];
}

export function appendResults(
  turn: readonly TurnMessage[],
  results: readonly ToolResultBlock[],
): readonly TurnMessage[] {
  return [...turn, { message: { role: 'user', content: [...results] } }];
}

export function appendNudge(turn: readonly TurnMessage[], text: string): readonly TurnMessage[] {
  return [...turn, { message: { role: 'user', content: [{ type: 'text', text }] }, isNudge: true }];
}

/**
 * The turn as it is remembered: no thinking, whose signatures would not survive a trimmed history, and no nudges: an
 * answer that took several requests is one text again.
 */
export function toRemembered(turn: readonly TurnMessage[]): Message[] {
  const remembered: Message[] = [];
  let isContinued = false;
  for (const { message: sent, remembered: kept, isNudge, isEarlier } of turn) {
    const message = kept ?? sent;
    if (isEarlier) continue;
    if (isNudge) {
      isContinued = true;
      continue;
    }
    const content = blocksOf(message).filter((block) => !isThinking(block) && !isToolSearch(block));
    const last = remembered.at(-1);
    if (content.length === 0) continue;
    if (last?.role === 'assistant' && message.role === 'assistant') {
      const blocks = isContinued ? joinText(blocksOf(last), content) : [...blocksOf(last), ...content];
      remembered[remembered.length - 1] = { role: 'assistant', content: blocks };
    } else {
      remembered.push(message.role === 'user' ? message : withContent(message, content));
    }
    isContinued = false;
  }
  return remembered;
}

/** The blocks of an answer that the API accepts as input, without unknown kinds, empty texts and unsigned thinking. */
export function toInput(
  content: readonly Anthropic.ContentBlock[],
  { isPaused = false }: { readonly isPaused?: boolean } = {},
): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const block of content) {
    switch (block.type) {
      case 'text':
        if (block.text.trim() !== '') blocks.push({ type: 'text', text: block.text });
        break;
      case 'thinking':
        // A thinking block without its signature, or cut within a character, would be refused.
        if (block.signature && isWellFormed(block.thinking + block.signature)) {
          blocks.push({ type: 'thinking', thinking: block.thinking, signature: block.signature });
        }
        break;
      case 'redacted_thinking':
        if (block.data && isWellFormed(block.data))
          blocks.push({ type: 'redacted_thinking', data: block.data });
        break;
      case 'tool_use':
        blocks.push({ type: 'tool_use', id: block.id, name: block.name, input: block.input });
        break;
      case 'server_tool_use':
      case 'tool_search_tool_result':
        // Claude knows a tool that it found from here on, as long as these are sent back within the turn.
        if (isToolSearch(block) && (isPaused || isComplete(block, content)))
          blocks.push(toolSearchInput(block));
        break;
      default:
        // We offer no other tools of the server, so nothing else means anything here; newer kinds are ignored.
        break;
    }
  }
  return blocks;
}

type ToolSearchBlock = Extract<ContentBlock, { type: 'server_tool_use' | 'tool_search_tool_result' }>;

/** A search among the deferred tools, or what it found. It is good for the turn that it stands in. */
export function isToolSearch(block: { readonly type: string; readonly name?: string }): boolean {
  if (block.type === 'tool_search_tool_result') return true;
  return block.type === 'server_tool_use' && block.name?.startsWith('tool_search_') === true;
}

/** A search that was cut off has no result, and the API takes none without. */
function isComplete(
  block: Anthropic.ServerToolUseBlock | Anthropic.ToolSearchToolResultBlock,
  content: readonly Anthropic.ContentBlock[],
): boolean {
  if (block.type === 'tool_search_tool_result') return true;
  return content.some((other) => other.type === 'tool_search_tool_result' && other.tool_use_id === block.id);
}

function toolSearchInput(
  block: Anthropic.ServerToolUseBlock | Anthropic.ToolSearchToolResultBlock,
): ToolSearchBlock {
  if (block.type === 'tool_search_tool_result') return block;
  const { type, id, name, input } = block;
  return { type, id, name, input };
}

/** For an endpoint that wants nothing of it. */
export function withoutToolSearch(turn: readonly TurnMessage[]): readonly TurnMessage[] {
  return without(turn, isToolSearch);
}

/** Thinking is signed as it is, so it cannot be repaired. */
function isWellFormed(text: string): boolean {
  return wellFormed(text) === text;
}

/** For when something before it changed: the signatures are bound to all that precedes them. */
export function withoutThinking(turn: readonly TurnMessage[]): readonly TurnMessage[] {
  return without(turn, isThinking);
}

function without(
  turn: readonly TurnMessage[],
  isLeftOut: (block: ContentBlock) => boolean,
): readonly TurnMessage[] {
  return turn.flatMap((entry) => {
    const blocks = blocksOf(entry.message);
    const content = blocks.filter((block) => !isLeftOut(block));
    if (content.length === blocks.length) return [entry];
    return content.length === 0 ? [] : [{ ...entry, message: withContent(entry.message, content) }];
  });
}

export function isThinking(block: ContentBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function joinText(before: readonly ContentBlock[], after: readonly ContentBlock[]): ContentBlock[] {
  const [last, first] = [before.at(-1), after[0]];
  if (last?.type !== 'text' || first?.type !== 'text') return [...before, ...after];
  return [...before.slice(0, -1), { type: 'text', text: last.text + first.text }, ...after.slice(1)];
}
