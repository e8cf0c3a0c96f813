import { blocksOf, withContent, type ContentBlock, type Message, type ToolResultBlock } from '../messages';
import { unansweredResult } from './interrupt';
import { sanitizeMessage, type ToMedia } from './sanitizeMessage';

const answerMissing = '[This answer was interrupted and is not remembered.]';

/** The summary as a turn of its own: it keeps its bytes while the turns after it come and go. */
export function summaryMessages(text: string): readonly Message[] {
  return [
    {
      role: 'user',
      content: `<summary>\n${text}\n</summary>\nThis is what we said and did before, in short.`,
    },
    { role: 'assistant', content: 'I know what was said and done before.' },
  ];
}

/**
 * Whatever is stored, the API accepts what comes out (M9): it begins with the user, ends with Claude, roles
 * alternate, every tool use has a name of its own and is answered in the next message, results first, and nothing is
 * empty or unknown. Dropping, pruning, forgetting, importing and damaged state all pass through here. Repairing twice
 * changes nothing.
 */
export function repairedMessages(raw: readonly unknown[], usedIds = new Set<string>()): Message[] {
  const repaired = pairedMessages(raw, usedIds);
  if (repaired.at(-1)?.role === 'user') repaired.push({ role: 'assistant', content: answerMissing });
  return repaired;
}

/** The same for what is yet to be answered: it may end with the user. */
export function pairedMessages(raw: readonly unknown[], usedIds: Set<string>, toMedia?: ToMedia): Message[] {
  const repaired: Message[] = [];
  let open: OpenUse[] = [];

  for (const message of mergedByRole(raw, toMedia)) {
    if (message.role === 'assistant') {
      if (repaired.length === 0) continue;
      const [content, uses] = withUniqueIds(message.content, usedIds);
      open = uses;
      push(repaired, { role: 'assistant', content });
      continue;
    }
    const isPlain = open.length === 0 && typeof message.content === 'string';
    const content = isPlain ? message.content : answered(blocksOf(message), open);
    open = [];
    if (content.length > 0) push(repaired, { role: 'user', content });
  }

  if (open.length > 0) repaired.push({ role: 'user', content: open.map(({ id }) => unansweredResult(id)) });
  return repaired;
}

/** A tool use that the next message has to answer; `storedId` is what its result calls it. */
interface OpenUse {
  readonly id: string;
  readonly storedId: string;
}

/** Results of one round that were stored as several messages belong together again before anything is paired. */
function mergedByRole(raw: readonly unknown[], toMedia: ToMedia | undefined): Message[] {
  const merged: Message[] = [];
  for (const item of raw) {
    const message = sanitizeMessage(item, toMedia);
    if (message) push(merged, message);
  }
  return merged;
}

function push(messages: Message[], message: Message): void {
  const last = messages.at(-1);
  if (last?.role !== message.role) messages.push(message);
  else messages[messages.length - 1] = withContent(message, [...blocksOf(last), ...blocksOf(message)]);
}

function withUniqueIds(content: Message['content'], usedIds: Set<string>): [Message['content'], OpenUse[]] {
  if (typeof content === 'string') return [content, []];
  const uses: OpenUse[] = [];
  const blocks = content.map((block) => {
    if (block.type !== 'tool_use') return block;
    const id = uniqueId(block.id, usedIds);
    usedIds.add(id);
    uses.push({ id, storedId: block.id });
    return id === block.id ? block : { ...block, id };
  });
  return [blocks, uses];
}

function uniqueId(id: string, usedIds: ReadonlySet<string>): string {
  if (!usedIds.has(id)) return id;
  for (let copy = 2; ; copy++) {
    if (!usedIds.has(`${id}_${copy}`)) return `${id}_${copy}`;
  }
}

/** Exactly one result for each open use, in the order asked, then what else was said. */
function answered(blocks: readonly ContentBlock[], open: readonly OpenUse[]): ContentBlock[] {
  const stored = blocks.filter((block) => block.type === 'tool_result');
  const results = open.map(({ id, storedId }): ToolResultBlock => {
    const index = stored.findIndex((result) => result.tool_use_id === storedId);
    const [result] = index < 0 ? [] : stored.splice(index, 1);
    if (!result) return unansweredResult(id);
    return id === storedId ? result : { ...result, tool_use_id: id };
  });
  return [...results, ...blocks.filter((block) => block.type !== 'tool_result')];
}
