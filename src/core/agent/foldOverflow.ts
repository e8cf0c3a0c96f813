import * as l10n from '@vscode/l10n';
import type { ConversationHandle } from '../conversation/memory/conversationHandle';
import { storedTurns } from '../conversation/memory/storedTurns';
import { turnsToFold, type MemoryLimits } from '../conversation/retention';
import type { ConversationId } from '../conversation/turn';
import { failureLine } from '../conversation/turnLog';
import { noUsage, type Usage } from '../messages';
import type { Log } from '../ports';
import type { AgentEvent } from './events';
import { foldTurns } from './foldTurns';
import type { SummaryOptions } from './summarize';

/** What becomes of turns over the limits. */
export interface SummarySettings {
  readonly limits: () => MemoryLimits;
  /** The cheap model that summarizes. */
  readonly modelId: string;
}

type Request = Pick<SummaryOptions, 'model' | 'wait' | 'random'> & {
  readonly modelId: string;
};

export interface OverflowFold {
  /**
   * To be run before a request: folds what no longer fits, if that is what the person wants. Returns what it took. The
   * turns over the limits are not sent in any case; those that cannot be folded in a few tries are let go.
   */
  run(
    handle: ConversationHandle,
    conversation: ConversationId,
    request: Request,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, Usage>;
}

/** So many messages may find that it does not work. */
const maxTries = 3;

export function createOverflowFold(settings: SummarySettings, log: Log): OverflowFold {
  const tries = new Map<ConversationId, number>();

  return {
    async *run(handle, conversation, request, signal) {
      const limits = settings.limits();
      const leaving = handle.leaving();
      if (limits.whenFull !== 'summarize' || leaving.length === 0) return noUsage;
      const { modelId: fallbackModelId } = request;
      const turns = turnsToFold(storedTurns(handle), leaving, limits);
      const options = { ...request, modelId: settings.modelId, fallbackModelId, limits };
      const outcome = yield* foldTurns(handle, turns, options, signal);
      const { type, usage } = outcome;
      if (type === 'summary') tries.delete(conversation);
      if (type !== 'failed') return usage;

      const { end } = outcome;
      const what = `summary of ${turns.length} turns failed`;
      if (end.reason === 'failed') log.error(failureLine(what, end.error), end.error.cause);
      else log.warn(`${what}: ${end.reason}`);
      // The answer will fail in the same way, and say what to do.
      if (end.reason === 'failed' && stopsAnswersToo.has(end.error.kind)) return usage;
      const tried = (tries.get(conversation) ?? 0) + 1;
      tries.set(conversation, tried);
      if (tried < maxTries) {
        yield { type: 'notice', text: leftOut(leaving.length) };
        return usage;
      }
      tries.delete(conversation);
      await handle.drop(leaving.map(({ id }) => id));
      yield { type: 'notice', text: letGo(leaving.length) };
      return usage;
    },
  };
}

const stopsAnswersToo: ReadonlySet<string> = new Set([
  'no-key',
  'rejected-key',
  'no-credit',
  'unreachable',
  'not-claude',
]);

function leftOut(count: number): string {
  return count === 1
    ? l10n.t(
        'The oldest turn could not be summarized, so it is left out of this answer. The next message tries again.',
      )
    : l10n.t(
        'The {0} oldest turns could not be summarized, so they are left out of this answer. The next message tries again.',
        count,
      );
}

function letGo(count: number): string {
  return count === 1
    ? l10n.t('The oldest turn could not be summarized in {0} tries and is no longer remembered.', maxTries)
    : l10n.t(
        'The {0} oldest turns could not be summarized in {1} tries and are no longer remembered.',
        count,
        maxTries,
      );
}
