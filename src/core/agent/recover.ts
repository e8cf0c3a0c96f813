import type { ModelError } from '../errors';
import { blocksOf, turnStarts, withContent, type ContentBlock, type Message } from '../messages';
import type { Translate } from '../translate';
import { inSendingOrder, type Prompt } from './prompt';
import { withoutThinking } from './turnMessages';

/** A prompt that Claude may take where it refused the one before. Each remedy is tried a bounded number of times. */
export interface Recovery {
  readonly remedy:
    | 'shrink'
    | 'brief-cache'
    | 'drop-tool'
    | 'drop-image'
    | 'drop-images'
    | 'drop-thinking'
    | 'flatten';
  readonly prompt: Prompt;
  readonly notice: string | undefined;
  readonly droppedTurns?: number;
}

const maxShrinks = 3;

export function recover(
  prompt: Prompt,
  error: ModelError,
  tried: readonly Recovery['remedy'][],
  translate: Translate,
): Recovery | undefined {
  if (error.kind === 'too-long') {
    return tried.filter((remedy) => remedy === 'shrink').length < maxShrinks
      ? shrink(prompt, translate)
      : undefined;
  }
  if (error.kind !== 'bad-request') return undefined;
  const recovery =
    briefCache(prompt, error) ??
    dropThinking(prompt, error) ??
    dropTool(prompt, error, translate) ??
    dropImage(prompt, error, tried.includes('drop-image'), translate);
  return recovery && !tried.includes(recovery.remedy) ? recovery : undefined;
}

/** The older half of the turns leaves at once: turn by turn would take too many tries. */
function shrink(prompt: Prompt, translate: Translate): Recovery | undefined {
  const starts = turnStarts(prompt.history);
  const droppable = Math.ceil(starts.length / 2);
  if (droppable === 0) return undefined;
  const notice =
    droppable === 1
      ? translate('This no longer fits the model, so the oldest remembered turn was left out.')
      : translate(
          'This no longer fits the model, so the {0} oldest remembered turns were left out.',
          String(droppable),
        );
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

/** Gateways to other hosts of Claude may not know marks with a life: `system.1.cache_control.ephemeral.ttl: …`. */
function briefCache(prompt: Prompt, { message }: ModelError): Recovery | undefined {
  return /\bcache_control\b.*\bttl\b/.test(message)
    ? { remedy: 'brief-cache', prompt, notice: undefined }
    : undefined;
}

/** The API names the part it refuses by its place: `tools.3.custom.name: …`. */
function dropTool(prompt: Prompt, error: ModelError, translate: Translate): Recovery | undefined {
  const index = /^tools\.(\d+)\./.exec(error.message)?.[1];
  const name = index === undefined ? undefined : inSendingOrder(prompt.tools)[Number(index)]?.name;
  if (name === undefined) return undefined;
  return {
    remedy: 'drop-tool',
    prompt: {
      ...prompt,
      tools: prompt.tools.filter((tool) => tool.name !== name),
      turn: withoutThinking(prompt.turn),
    },
    notice: translate('Claude cannot use the tool {0}, so it was left out.', name),
  };
}

/** Bound to something that has changed, or missing where the model wants it: then the rounds are told in words. */
function dropThinking(prompt: Prompt, { message }: ModelError): Recovery | undefined {
  if (!/^messages\.\d+\b.*`(redacted_)?thinking`/.test(message)) return undefined;
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
function dropImage(
  prompt: Prompt,
  error: ModelError,
  isSecond: boolean,
  translate: Translate,
): Recovery | undefined {
  const named = /^messages\.(\d+)\.content\.(\d+)/.exec(error.message);
  if (!(named && !isSecond) && !/\b(image|document)\b/i.test(error.message)) return undefined;
  const place = isSecond ? undefined : named;
  const [at, block] = place ? [Number(place[1]), Number(place[2])] : [undefined, undefined];
  let left = 0;
  const clean = (message: Message, index: number): Message => {
    if (at !== undefined && at !== index) return message;
    return withContent(
      message,
      blocksOf(message).map((part, position) => {
        const cleaned = block === undefined || block === position ? withoutMedia(part) : part;
        if (cleaned !== part) left++;
        return cleaned;
      }),
    );
  };
  const history = prompt.history.map(clean);
  const turn = prompt.turn.map((entry, index) => ({
    ...entry,
    message: clean(entry.message, prompt.history.length + index),
  }));
  if (left === 0) return undefined;
  return {
    remedy: isSecond ? 'drop-images' : 'drop-image',
    prompt: { ...prompt, history, turn: withoutThinking(turn) },
    notice: translate('Claude could not use an image or document, so it was left out.'),
  };
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
