import * as l10n from '@vscode/l10n';
import type { ModelError } from '../errors';
import {
  blocksOf,
  hasResults,
  resultText,
  turnStarts,
  withContent,
  type ContentBlock,
  type Message,
  type TextBlock,
  type ToolResultBlock,
} from '../messages';
import { truncate } from '../tools/truncate';
import type { Recovery } from './askModel';
import { inSendingOrder, sentMessages, withoutDeferral, type Prompt } from './prompt';
import { withoutThinking, withoutToolSearch, type TurnMessage } from './turnMessages';

/** A prompt that Claude may accept where it refused the one before. */
export interface PromptRecovery extends Recovery<Prompt> {
  readonly remedy: Remedy;
}

/** How often each remedy is tried for one answer. */
const maxTries = {
  shrink: 3,
  shorten: 2,
  'five-minute-ttl': 1,
  'load-tools': 1,
  'forget-search': 1,
  // Where one tool of a server is bad, the others often are too.
  'drop-tool': 5,
  'drop-image': 1,
  'drop-images': 1,
  'drop-thinking': 1,
  flatten: 1,
} as const;

type Remedy = keyof typeof maxTries;

/** The remedies for one answer: each is tried a bounded number of times. */
export function createRecovery(): (prompt: Prompt, error: ModelError) => PromptRecovery | undefined {
  const tries = new Map<Remedy, number>();
  const triesOf = (remedy: Remedy) => tries.get(remedy) ?? 0;

  function remediesFor(prompt: Prompt, error: ModelError): readonly (PromptRecovery | undefined)[] {
    switch (error.kind) {
      case 'too-long':
        return [shrink(prompt), shorten(prompt, triesOf('shorten') === 0)];
      case 'too-large':
        // Remembered turns are small; what this turn has read is large.
        return [shorten(prompt, triesOf('shorten') === 0)];
      case 'bad-request':
        return [
          useFiveMinutes(prompt, error) ??
            loadTools(prompt, error) ??
            forgetSearch(prompt, error) ??
            dropThinking(prompt, error) ??
            dropTool(prompt, error) ??
            dropImage(prompt, error, triesOf('drop-image') > 0),
        ];
      default:
        return [];
    }
  }

  return (prompt, error) => {
    const found = remediesFor(prompt, error).find(
      (recovery) => recovery && triesOf(recovery.remedy) < maxTries[recovery.remedy],
    );
    if (found) tries.set(found.remedy, triesOf(found.remedy) + 1);
    return found;
  };
}

/** The older half of the turns goes at once: turn by turn would take too many tries. */
function shrink(prompt: Prompt): PromptRecovery | undefined {
  const starts = turnStarts(prompt.history);
  const droppedTurns = Math.ceil(starts.length / 2);
  if (droppedTurns === 0) return undefined;
  const history = prompt.history.slice(starts[droppedTurns] ?? prompt.history.length);
  return {
    remedy: 'shrink',
    state: { ...prompt, history, turn: withoutThinking(prompt.turn) },
    notice:
      droppedTurns === 1
        ? l10n.t('This no longer fits the model, so the oldest remembered turn was left out.')
        : l10n.t(
            'This no longer fits the model, so the {0} oldest remembered turns were left out.',
            droppedTurns,
          ),
    droppedTurns,
  };
}

/** Next, what tools returned in this turn: first all but the newest round, then that one too. */
function shorten(prompt: Prompt, isFirst: boolean): PromptRecovery | undefined {
  const turn =
    (isFirst ? shortenResults(prompt.turn, 'older') : undefined) ?? shortenResults(prompt.turn, 'all');
  return (
    turn && {
      remedy: 'shorten',
      state: { ...prompt, turn: withoutThinking(turn) },
      notice: l10n.t('This no longer fits the model, so long results of tools in this turn were shortened.'),
    }
  );
}

/** What is left of each result: enough to see what it was. */
const keptChars = { older: 500, all: 2_000 } as const;
const hint = 'It was left out to make room: call the tool again for what is still needed, in smaller parts.';

/** Undefined when no result is long enough to be worth it. */
function shortenResults(
  turn: readonly TurnMessage[],
  which: 'older' | 'all',
): readonly TurnMessage[] | undefined {
  const newest = turn.findLastIndex(({ message }) => message.role === 'user' && hasResults(message));
  let isShorter = false;
  const shortened = turn.map((entry, index) => {
    if (which === 'older' && index >= newest) return entry;
    const content = blocksOf(entry.message).map((block) => {
      const shorter = block.type === 'tool_result' ? shortenResult(block, keptChars[which]) : block;
      if (shorter !== block) isShorter = true;
      return shorter;
    });
    return { ...entry, message: withContent(entry.message, content) };
  });
  return isShorter ? shortened : undefined;
}

function shortenResult(result: ToolResultBlock, maxChars: number): ToolResultBlock {
  const text = resultText(result);
  const hasMedia = typeof result.content === 'object' && result.content.some(({ type }) => type !== 'text');
  const isLong = text.length > maxChars + hint.length * 2 || hasMedia;
  return isLong ? { ...result, content: truncate(text, maxChars, hint) } : result;
}

/** Gateways to other hosts of Claude may not know cache marks with a TTL: `system.1.cache_control.ephemeral.ttl: …`. */
function useFiveMinutes(prompt: Prompt, { message }: ModelError): PromptRecovery | undefined {
  return /\bcache_control\b.*\bttl\b/.test(message)
    ? { remedy: 'five-minute-ttl', state: prompt }
    : undefined;
}

/** An older model, or another host of Claude, may know neither deferred tools nor the search for them (L15). */
function loadTools(prompt: Prompt, { message }: ModelError): PromptRecovery | undefined {
  const isDeferring = prompt.tools.some(({ deferral }) => deferral);
  if (!isDeferring || !/defer_loading|tool_search|tool_reference/.test(message)) return undefined;
  const turn = withoutThinking(withoutToolSearch(prompt.turn));
  return { remedy: 'load-tools', state: { ...prompt, tools: withoutDeferral(prompt.tools), turn } };
}

/** `Tool reference 'x' not found in available tools`: what was found is gone, as while a question waited. */
function forgetSearch(prompt: Prompt, { message }: ModelError): PromptRecovery | undefined {
  if (!/\btool reference\b.*\bnot found\b/i.test(message)) return undefined;
  return {
    remedy: 'forget-search',
    state: { ...prompt, turn: withoutThinking(withoutToolSearch(prompt.turn)) },
  };
}

/** The API names the part it refuses by its place: `tools.3.custom.name: …`. A gateway may put words of its own before it. */
function dropTool(prompt: Prompt, error: ModelError): PromptRecovery | undefined {
  const index = /(?:^|: )tools\.(\d+)\./.exec(error.message)?.[1];
  const name = index === undefined ? undefined : inSendingOrder(prompt.tools)[Number(index)]?.name;
  if (name === undefined) return undefined;
  const tools = prompt.tools.filter((tool) => tool.name !== name);
  return {
    remedy: 'drop-tool',
    state: { ...prompt, tools, turn: withoutThinking(prompt.turn) },
    notice: l10n.t('Claude cannot use the tool {0}, so it was left out.', name),
  };
}

/** The API rejected our thinking blocks: drop them; if none are left, resend the tool rounds as plain text. */
function dropThinking(prompt: Prompt, { message }: ModelError): PromptRecovery | undefined {
  if (!/(?:^|: )messages\.\d+\b.*`(redacted_)?thinking`/.test(message)) return undefined;
  const turn = withoutThinking(prompt.turn);
  const hadThinking = turn.some((entry, index) => entry.message !== prompt.turn[index]?.message);
  return hadThinking
    ? { remedy: 'drop-thinking', state: { ...prompt, turn } }
    : { remedy: 'flatten', state: { ...prompt, flattened: turn.length } };
}

/**
 * `messages.4.content.1.image.source…: …`, or a sentence about an image without its place: then all of them go, as
 * they do when one has gone already.
 */
function dropImage(prompt: Prompt, error: ModelError, isSecond: boolean): PromptRecovery | undefined {
  const named = /(?:^|: )messages\.(\d+)\.content\.(\d+)/.exec(error.message);
  if (!(named && !isSecond) && !/\b(image|document|pdf)\b/i.test(error.message)) return undefined;
  const place = isSecond ? undefined : named;
  const message = place ? sentMessages(prompt)[Number(place[1])] : undefined;
  const refused = message && blocksOf(message)[Number(place?.[2])];
  let replaced = 0;
  // By the block itself: what is sent has more in it than the turn, and so other places.
  const isRefused = (part: ContentBlock): boolean => !place || part === refused || holds(part, refused);
  const clean = (given: Message): Message =>
    withContent(
      given,
      blocksOf(given).map((part) => {
        const cleaned = isRefused(part) ? withoutMedia(part) : part;
        if (cleaned !== part) replaced++;
        return cleaned;
      }),
    );
  const history = prompt.history.map(clean);
  const turn = prompt.turn.map((entry) => ({ ...entry, message: clean(entry.message) }));
  if (replaced === 0) return undefined;
  return {
    remedy: isSecond ? 'drop-images' : 'drop-image',
    state: { ...prompt, history, turn: withoutThinking(turn) },
    notice: l10n.t('Claude could not use an image or document, so it was left out.'),
  };
}

/** Where rounds are sent as plain text, images stand beside the result that they belong to. */
function holds(part: ContentBlock, inner: ContentBlock | undefined): boolean {
  return (
    part.type === 'tool_result' &&
    typeof part.content === 'object' &&
    part.content.some((block) => block === inner)
  );
}

function withoutMedia(block: ContentBlock): ContentBlock {
  if (block.type === 'image' || block.type === 'document') return replacementFor(block.type);
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return block;
  if (!block.content.some(({ type }) => type === 'image' || type === 'document')) return block;
  return {
    ...block,
    content: block.content.map((part) =>
      part.type === 'image' || part.type === 'document' ? replacementFor(part.type) : part,
    ),
  };
}

function replacementFor(type: 'image' | 'document'): TextBlock {
  const kind = type === 'image' ? 'Image' : 'Document';
  return { type: 'text', text: `[${kind} left out: it could not be processed]` };
}
