import { repairedMessages } from '../conversation/transcript';
import { inputTokens, type Message } from '../messages';
import { jsonBytes } from '../text/json';
import type { AgentEvent } from './events';

type RequestEnd = Extract<AgentEvent, { readonly type: 'request-end' }>;

/** Finds out from the usage of a turn's own requests what the turn takes of a later one (M18). */
export class TurnMeter {
  #first: RequestEnd | undefined;
  #last: RequestEnd | undefined;

  follow(event: AgentEvent): void {
    if (event.type !== 'request-end' || inputTokens(event.usage) === 0) return;
    this.#first ??= event;
    this.#last = event;
  }

  /** For a turn that ends with these messages. Undefined when nothing was reported. */
  tokensOf(messages: readonly Message[]): number | undefined {
    const [first, last] = [this.#first, this.#last];
    if (!first || !last) return undefined;
    const sentBytes = last.sizes.message + last.sizes.rounds + last.answerSize;
    // Thinking is sent and not stored, and images are stored as a few words.
    const kept = sentBytes === 0 ? 1 : Math.min(1, jsonBytes(repairedMessages(messages)) / sentBytes);
    return Math.max(1, Math.round(sentTokens(first, last) * kept));
  }
}

/** What the turn took in the end, its last answer included. */
function sentTokens(first: RequestEnd, last: RequestEnd): number {
  const grown = inputTokens(last.usage) - inputTokens(first.usage);
  const message = share(first, first.sizes.message);
  // When turns were left out on the way, the difference says nothing.
  const isComparable = before(first) === before(last) && grown >= 0;
  const input = isComparable ? message + grown : share(last, last.sizes.message + last.sizes.rounds);
  return input + last.usage.output;
}

function share(request: RequestEnd, bytes: number): number {
  const { rounds, message, context } = request.sizes;
  const all = before(request) + rounds + message + context;
  return all === 0 ? 0 : (inputTokens(request.usage) * bytes) / all;
}

/** All that stands before the turn. */
function before({ sizes }: RequestEnd): number {
  return sizes.system + sizes.tools + sizes.earlier + sizes.history.reduce((sum, size) => sum + size, 0);
}
