import * as l10n from '@vscode/l10n';
import type { ConversationHandle } from '../conversation/memory/handle';
import type { Summarizing } from '../conversation/summary';
import type { ConversationId, StoredTurn } from '../conversation/turn';
import { failureLine } from '../conversation/turnLog';
import { turnsToSummarize, tokensOf, type MemoryLimits } from '../conversation/view';
import type { Remedy } from '../errors';
import type { Usage } from '../messages';
import type { Log } from '../ports';
import { tokenCount } from '../receipt';
import { quoted } from '../text/foreignMarkdown';
import { paragraph } from '../text/joined';
import { escapeMarkdown } from '../text/markdown';
import { describeEnd } from './describeEnd';
import type { AgentEvent } from './events';
import { summarize, type SummaryOptions, type SummaryOutcome } from './summarize';

export interface SummarizeOptions extends SummaryOptions {
  readonly focus?: string | undefined;
}

/** `overtaken`: the summary or one of the turns was changed in the meantime, so nothing was done. */
type SummarizeOutcome =
  | Exclude<SummaryOutcome, { type: 'summary' }>
  | (Extract<SummaryOutcome, { type: 'summary' }> & { readonly made: Summarizing })
  | (Pick<SummaryOutcome, 'usage' | 'modelId'> & { readonly type: 'overtaken' });

/** Replaces these turns by a summary. Whatever goes wrong, they stay as they are. */
export async function* summarizeTurns(
  handle: ConversationHandle,
  turns: readonly StoredTurn[],
  options: SummarizeOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, SummarizeOutcome> {
  const before = handle.snapshot()?.summary;
  yield { type: 'summary-start', turns: turns.length };
  const outcome = yield* summarize({ summary: before, turns, focus: options.focus }, options, signal);
  if (outcome.type !== 'summary') return outcome;
  const made = await handle.summarize(
    outcome.text,
    turns.map(({ id }) => id),
    before,
  );
  return made ? { ...outcome, made } : { type: 'overtaken', usage: outcome.usage, modelId: outcome.modelId };
}

export type CompactOutcome =
  | { readonly type: 'nothing'; readonly pinned: number }
  | (SummarizeOutcome & {
      readonly turns: number;
      readonly pinned: number;
      /** What the memory takes of each request. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    });

/** Summarizes all turns but the newest one and those that are pinned (P4). */
export async function* compact(
  handle: ConversationHandle,
  options: SummarizeOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, CompactOutcome> {
  const older = handle.stored()?.turns.slice(0, -1) ?? [];
  const turns = older.filter(({ isPinned }) => !isPinned);
  const pinned = older.length - turns.length;
  if (turns.length === 0) return { type: 'nothing', pinned };
  const tokensBefore = tokensOfAll(handle);
  const outcome = yield* summarizeTurns(handle, turns, options, signal);
  return { ...outcome, turns: turns.length, pinned, tokensBefore, tokensAfter: tokensOfAll(handle) };
}

/** The outcome, for the user. */
export function describeCompact(outcome: CompactOutcome): {
  readonly markdown: string;
  readonly remedy?: Remedy;
} {
  switch (outcome.type) {
    case 'nothing':
      return { markdown: nothingToSummarize(outcome.pinned) };
    case 'cancelled':
      return { markdown: l10n.t('Stopped. Nothing was changed.') };
    case 'overtaken':
      return {
        markdown: l10n.t('The memory was changed meanwhile, so nothing was summarized. Try it once more.'),
      };
    case 'failed': {
      if (outcome.end.reason === 'output-limit') {
        return { markdown: l10n.t('The summary came out too long, twice. Nothing was changed.') };
      }
      const { text = '', remedy } = describeEnd(outcome.end) ?? {};
      const sentences = paragraph([escapeMarkdown(text), l10n.t('Nothing was changed.')]);
      return { markdown: sentences, ...(remedy && { remedy }) };
    }
    case 'summary':
      break;
  }
  const [before, after] = [tokenCount(outcome.tokensBefore), tokenCount(outcome.tokensAfter)];
  const sentences = [
    outcome.turns === 1
      ? l10n.t('1 turn is in the summary now.')
      : l10n.t('{0} turns are in the summary now.', outcome.turns),
    l10n.t('What is remembered takes about {0} tokens of each request; before, it took {1}.', after, before),
    outcome.pinned > 0
      ? l10n.t('The newest turn and those you pinned stay as they are.')
      : l10n.t('The newest turn stays as it is.'),
  ];
  return { markdown: `${paragraph(sentences)}\n\n${quoted(outcome.text)}` };
}

function nothingToSummarize(pinned: number): string {
  return pinned > 0
    ? l10n.t('There is nothing to summarize: besides the newest turn, only pinned ones are remembered.')
    : l10n.t('There is nothing to summarize: at most the newest turn is remembered.');
}

function tokensOfAll(handle: ConversationHandle): number {
  return tokensOf(handle.stored() ?? { turns: [] });
}

/** What happens to turns over the limits. */
export interface SummarySettings {
  readonly limits: () => MemoryLimits;
  /** The cheap model that summarizes. */
  readonly modelId: string;
}

type Request = Pick<SummaryOptions, 'model' | 'wait' | 'random'> & {
  readonly modelId: string;
};

export interface OverflowSummary {
  /**
   * To be run before a request: summarizes what no longer fits, if the user wants that. Returns what it took, or nothing
   * where nobody had to be asked. The turns over the limits are not sent in any case; those that cannot be summarized in
   * a few tries are dropped.
   */
  run(
    handle: ConversationHandle,
    conversation: ConversationId,
    request: Request,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, Usage | undefined>;
}

/** After this many messages the turns are dropped. */
const maxTries = 3;

export function createOverflowSummary(settings: SummarySettings, log: Log): OverflowSummary {
  const tries = new Map<ConversationId, number>();

  return {
    async *run(handle, conversation, request, signal) {
      const limits = settings.limits();
      const evicted = handle.evicted();
      if (limits.whenFull !== 'summarize' || evicted.length === 0) return undefined;
      const { modelId: fallbackModelId } = request;
      const turns = turnsToSummarize(handle.stored()?.turns ?? [], evicted, limits);
      const options = { ...request, modelId: settings.modelId, fallbackModelId, limits };
      const outcome = yield* summarizeTurns(handle, turns, options, signal);
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
        yield { type: 'notice', text: leftOut(evicted.length) };
        return usage;
      }
      tries.delete(conversation);
      await handle.drop(evicted.map(({ id }) => id));
      yield { type: 'notice', text: dropped(evicted.length) };
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
  'over-budget',
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

function dropped(count: number): string {
  return count === 1
    ? l10n.t('The oldest turn could not be summarized in {0} tries and is no longer remembered.', maxTries)
    : l10n.t(
        'The {0} oldest turns could not be summarized in {1} tries and are no longer remembered.',
        count,
        maxTries,
      );
}
