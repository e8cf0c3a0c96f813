import type { CacheTtl } from '../cacheTtl';
import type { LaterCost, NextMessage, NextParts } from '../conversation/reports/nextMessage';
import type { Message, TextBlock } from '../messages';
import type { Clock, ModelRequest } from '../ports';
import type { Price } from '../price';
import { jsonBytes } from '../text/json';
import type { Tool } from '../tools/tool';
import type { Forecast } from './forecast';
import { toRequest, type ModelSettings, type Prompt } from './prompt';
import { promptSizes } from './promptSizes';

/** What a turn was sent with, as the next one will be. */
export interface SentWith extends ModelSettings {
  readonly system: readonly TextBlock[];
  /** The last part of `system`. */
  readonly notes: string | undefined;
  readonly tools: readonly Tool[];
  readonly plan: string | undefined;
  readonly context: string | undefined;
}

export interface Meter {
  /** A turn begins. */
  note(sent: SentWith): void;
  /** After this history. Undefined until something was sent in this window. */
  next(history: readonly Message[]): NextMessage | undefined;
}

/** As long as most messages are. */
const shortMessage: Message = { role: 'user', content: 'x'.repeat(100) };

export function createMeter(options: {
  readonly forecast: Forecast;
  readonly priceOf: (modelId: string) => Price | undefined;
  readonly windowOf: (modelId: string) => number;
  /** How long tools and instructions would be kept if it was sent now. */
  readonly systemTtl: () => CacheTtl;
  readonly clock: Clock;
}): Meter {
  const { forecast, clock } = options;
  let sent: SentWith | undefined;

  /** The history is the first to go; tools and instructions may be kept for longer. */
  function laterCosts(request: ModelRequest, price: Price): readonly LaterCost[] {
    const costs: LaterCost[] = [];
    let at = forecast.coldAt(request, clock());
    while (at !== undefined) {
      costs.push({ at, cost: forecast.input(request, price, at).cost });
      at = forecast.coldAt(request, at);
    }
    return costs;
  }

  return {
    note: (more) => {
      sent = more;
    },
    next(history) {
      if (!sent) return undefined;
      const { system, tools, context, modelId } = sent;
      const turn = [{ message: shortMessage }];
      const prompt: Prompt = { system, tools, history, context, turn, flattened: 0 };
      const request = toRequest(prompt, sent, options.systemTtl());
      const price = options.priceOf(modelId);
      const { tokens, cost: now } = forecast.input(request, price ?? unknownPrice);
      return {
        model: modelId,
        tokens,
        windowTokens: options.windowOf(modelId),
        parts: partsOf(prompt, sent, tokens),
        ...(price && { cost: { now, later: laterCosts(request, price) } }),
      };
    },
  };
}

const unknownPrice: Price = { input: 0, output: 0, cacheRead: 0 };

function partsOf(prompt: Prompt, { notes, plan }: SentWith, tokens: number): NextParts {
  const sizes = promptSizes(prompt);
  const noteBytes = notes === undefined ? 0 : jsonBytes(notes);
  const planBytes = plan === undefined ? 0 : Math.min(jsonBytes(plan), sizes.context);
  const bytes = {
    instructions: sizes.system - noteBytes,
    tools: sizes.tools,
    notes: noteBytes,
    history: sizes.history.reduce((sum, size) => sum + size, 0),
    plan: planBytes,
    message: sizes.message + sizes.context - planBytes,
  };
  const all = Object.values(bytes).reduce((sum, size) => sum + size, 0);
  const share = (size: number) => Math.round((tokens * size) / all);
  return {
    instructions: share(bytes.instructions),
    tools: share(bytes.tools),
    notes: share(bytes.notes),
    history: share(bytes.history),
    plan: share(bytes.plan),
    message: share(bytes.message),
  };
}
