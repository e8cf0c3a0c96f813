import type { ConversationHandle } from '../conversation/memory/conversationHandle';
import type { Fold } from '../conversation/memory/fold';
import type { StoredTurn } from '../conversation/turn';
import type { AgentEvent } from './events';
import { summarize, type SummaryOptions, type SummaryOutcome } from './summarize';

export interface FoldOptions extends SummaryOptions {
  readonly focus?: string | undefined;
}

/** `overtaken`: the summary or one of the turns was changed meanwhile, so nothing was done. */
export type FoldOutcome =
  | Exclude<SummaryOutcome, { type: 'summary' }>
  | (Extract<SummaryOutcome, { type: 'summary' }> & { readonly fold: Fold })
  | (Pick<SummaryOutcome, 'usage' | 'modelId'> & { readonly type: 'overtaken' });

/** Puts a summary in the place of these turns. Whatever goes wrong, they stay as they are. */
export async function* foldTurns(
  handle: ConversationHandle,
  turns: readonly StoredTurn[],
  options: FoldOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, FoldOutcome> {
  const before = handle.snapshot()?.summary;
  yield { type: 'summary-start', turns: turns.length };
  const outcome = yield* summarize({ summary: before, turns, focus: options.focus }, options, signal);
  if (outcome.type !== 'summary') return outcome;
  const fold = await handle.fold(
    outcome.text,
    turns.map(({ id }) => id),
    before,
  );
  return fold ? { ...outcome, fold } : { type: 'overtaken', usage: outcome.usage, modelId: outcome.modelId };
}
