import * as l10n from '@vscode/l10n';
import type { ConversationHandle } from '../conversation/memory/conversationHandle';
import { storedTurns } from '../conversation/memory/storedTurns';
import { quoted } from '../conversation/reports/memoryReport';
import { tokensOf } from '../conversation/retention';
import type { Remedy } from '../errors';
import { escapeMarkdown } from '../escapeMarkdown';
import { tokenCount } from '../receipt';
import { describeEnd } from './describeEnd';
import type { AgentEvent } from './events';
import { foldTurns, type FoldOptions, type FoldOutcome } from './foldTurns';

export type CompactOutcome =
  | { readonly type: 'nothing'; readonly pinned: number }
  | (FoldOutcome & {
      readonly turns: number;
      readonly pinned: number;
      /** What is remembered took so many tokens of a request, and takes so many now. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    });

/** Folds all turns into the summary but the newest one and those that are pinned (P4). */
export async function* compact(
  handle: ConversationHandle,
  options: FoldOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, CompactOutcome> {
  const older = storedTurns(handle).slice(0, -1);
  const turns = older.filter(({ isPinned }) => !isPinned);
  const pinned = older.length - turns.length;
  if (turns.length === 0) return { type: 'nothing', pinned };
  const tokensBefore = tokensOfAll(handle);
  const outcome = yield* foldTurns(handle, turns, options, signal);
  return { ...outcome, turns: turns.length, pinned, tokensBefore, tokensAfter: tokensOfAll(handle) };
}

/** What came of it, for the person. */
export function describeCompact(outcome: CompactOutcome): {
  readonly markdown: string;
  readonly remedy?: Remedy;
} {
  switch (outcome.type) {
    case 'nothing':
      return { markdown: nothingToFold(outcome.pinned) };
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
      const sentences = `${escapeMarkdown(text)} ${l10n.t('Nothing was changed.')}`;
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
  return { markdown: `${sentences.join(' ')}\n\n${quoted(outcome.text)}` };
}

function nothingToFold(pinned: number): string {
  return pinned > 0
    ? l10n.t('There is nothing to summarize: besides the newest turn, only pinned ones are remembered.')
    : l10n.t('There is nothing to summarize: at most the newest turn is remembered.');
}

function tokensOfAll(handle: ConversationHandle): number {
  return tokensOf({ ...handle.snapshot(), turns: storedTurns(handle) });
}
