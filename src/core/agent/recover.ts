import * as l10n from '@vscode/l10n';
import type { ModelError } from '../errors';
import { blocksOf, turnStarts, withContent, type ContentBlock, type Message } from '../messages';
import { inSendingOrder, sentMessages, type Prompt } from './prompt';
import { shortenResults } from './shortenResults';
import { withoutThinking } from './turnMessages';

/** A prompt that Claude may take where it refused the one before. Each remedy is tried a bounded number of times. */
export interface Recovery {
  readonly remedy: keyof typeof maxTries;
  readonly prompt: Prompt;
  readonly notice: string | undefined;
  readonly droppedTurns?: number;
}

const maxTries = {
  shrink: 3,
  shorten: 2,
  'brief-cache': 1,
  // Of a server with one bad tool the others are seldom better.
  'drop-tool': 5,
  'drop-image': 1,
  'drop-images': 1,
  'drop-thinking': 1,
  flatten: 1,
} as const;

export function recover(
  prompt: Prompt,
  error: ModelError,
  tried: readonly Recovery['remedy'][],
): Recovery | undefined {
  const isLeft = (recovery: Recovery | undefined): recovery is Recovery =>
    recovery !== undefined &&
    tried.filter((remedy) => remedy === recovery.remedy).length < maxTries[recovery.remedy];
  return remediesFor(prompt, error, tried).find(isLeft);
}

function remediesFor(
  prompt: Prompt,
  error: ModelError,
  tried: readonly Recovery['remedy'][],
): readonly (Recovery | undefined)[] {
  switch (error.kind) {
    case 'too-long':
      return [shrink(prompt), shorten(prompt, tried)];
    case 'too-large':
      // Remembered turns are small; what weighs is what this turn has read and seen.
      return [shorten(prompt, tried)];
    case 'bad-request':
      return [
        briefCache(prompt, error) ??
          dropThinking(prompt, error) ??
          dropTool(prompt, error) ??
          dropImage(prompt, error, tried.includes('drop-image')),
      ];
    default:
      return [];
  }
}

/** The older half of the turns leaves at once: turn by turn would take too many tries. */
function shrink(prompt: Prompt): Recovery | undefined {
  const starts = turnStarts(prompt.history);
  const droppable = Math.ceil(starts.length / 2);
  if (droppable === 0) return undefined;
  const notice =
    droppable === 1
      ? l10n.t('This no longer fits the model, so the oldest remembered turn was left out.')
      : l10n.t('This no longer fits the model, so the {0} oldest remembered turns were left out.', droppable);
  return {
    remedy: 'shrink',
    prompt: {
      ...prompt,
      history: prompt.history.slice(starts[droppable] ?? prompt.history.length),
      turn: withoutThinking(prompt.turn),
    },
    notice,
    droppedTurns: droppable,
  };
}

/** Next, what tools returned in this turn: first all but the newest round, then that one too. */
function shorten(prompt: Prompt, tried: readonly Recovery['remedy'][]): Recovery | undefined {
  const turn =
    (tried.includes('shorten') ? undefined : shortenResults(prompt.turn, 'older')) ??
    shortenResults(prompt.turn, 'all');
  return (
    turn && {
      remedy: 'shorten',
      prompt: { ...prompt, turn: withoutThinking(turn) },
      notice: l10n.t('This no longer fits the model, so long results of tools in this turn were shortened.'),
    }
  );
}

/** Gateways to other hosts of Claude may not know marks with a life: `system.1.cache_control.ephemeral.ttl: …`. */
function briefCache(prompt: Prompt, { message }: ModelError): Recovery | undefined {
  return /\bcache_control\b.*\bttl\b/.test(message)
    ? { remedy: 'brief-cache', prompt, notice: undefined }
    : undefined;
}

/** The API names the part it refuses by its place: `tools.3.custom.name: …`. A gateway may put words of its own before it. */
function dropTool(prompt: Prompt, error: ModelError): Recovery | undefined {
  const index = /(?:^|: )tools\.(\d+)\./.exec(error.message)?.[1];
  const name = index === undefined ? undefined : inSendingOrder(prompt.tools)[Number(index)]?.name;
  if (name === undefined) return undefined;
  return {
    remedy: 'drop-tool',
    prompt: {
      ...prompt,
      tools: prompt.tools.filter((tool) => tool.name !== name),
      turn: withoutThinking(prompt.turn),
    },
    notice: l10n.t('Claude cannot use the tool {0}, so it was left out.', name),
  };
}

/** Bound to something that has changed, or missing where the model wants it: then the rounds are told in words. */
function dropThinking(prompt: Prompt, { message }: ModelError): Recovery | undefined {
  if (!/(?:^|: )messages\.\d+\b.*`(redacted_)?thinking`/.test(message)) return undefined;
  const turn = withoutThinking(prompt.turn);
  const hadThinking = turn.some((entry, index) => entry.message !== prompt.turn[index]?.message);
  return hadThinking
    ? { remedy: 'drop-thinking', prompt: { ...prompt, turn }, notice: undefined }
    : { remedy: 'flatten', prompt: { ...prompt, flattened: turn.length }, notice: undefined };
}

/**
 * `messages.4.content.1.image.source…: …`, or a sentence about an image without its place: then all of them leave, as
 * they do when one has left already.
 */
function dropImage(prompt: Prompt, error: ModelError, isSecond: boolean): Recovery | undefined {
  const named = /(?:^|: )messages\.(\d+)\.content\.(\d+)/.exec(error.message);
  if (!(named && !isSecond) && !/\b(image|document)\b/i.test(error.message)) return undefined;
  const place = isSecond ? undefined : named;
  const message = place ? sentMessages(prompt)[Number(place[1])] : undefined;
  const refused = message && blocksOf(message)[Number(place?.[2])];
  let left = 0;
  // By the block itself: what goes out has more in it than the turn, and so other places.
  const isRefused = (part: ContentBlock): boolean =>
    place === null || place === undefined || part === refused || holds(part, refused);
  const clean = (given: Message): Message =>
    withContent(
      given,
      blocksOf(given).map((part) => {
        const cleaned = isRefused(part) ? withoutMedia(part) : part;
        if (cleaned !== part) left++;
        return cleaned;
      }),
    );
  const history = prompt.history.map(clean);
  const turn = prompt.turn.map((entry) => ({ ...entry, message: clean(entry.message) }));
  if (left === 0) return undefined;
  return {
    remedy: isSecond ? 'drop-images' : 'drop-image',
    prompt: { ...prompt, history, turn: withoutThinking(turn) },
    notice: l10n.t('Claude could not use an image or document, so it was left out.'),
  };
}

/** A result that is told in words has its images beside it. */
function holds(part: ContentBlock, inner: ContentBlock | undefined): boolean {
  return (
    part.type === 'tool_result' &&
    typeof part.content === 'object' &&
    part.content.some((block) => block === inner)
  );
}

function withoutMedia(block: ContentBlock): ContentBlock {
  if (block.type === 'image') return { type: 'text', text: '[Image left out: it could not be processed]' };
  if (block.type === 'document')
    return { type: 'text', text: '[Document left out: it could not be processed]' };
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return block;
  if (!block.content.some(({ type }) => type === 'image' || type === 'document')) return block;
  return {
    ...block,
    content: block.content.map((part) =>
      part.type === 'image' || part.type === 'document'
        ? { type: 'text' as const, text: '[Image left out: it could not be processed]' }
        : part,
    ),
  };
}
