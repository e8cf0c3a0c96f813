import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { compact, describeCompact, type CompactOutcome } from '../../core/agent/compact';
import { describeWait } from '../../core/agent/describeEnd';
import type { AgentEvent } from '../../core/agent/events';
import type { SummarySettings } from '../../core/agent/foldOverflow';
import type { ConversationHandle } from '../../core/conversation/memory/conversationHandle';
import type { Fold } from '../../core/conversation/memory/fold';
import { failureLine } from '../../core/conversation/turnLog';
import { escapeMarkdown } from '../../core/escapeMarkdown';
import { compactRecord } from '../../core/ledger/compactRecord';
import type { Ledger } from '../../core/ledger/ledger';
import { isSpent } from '../../core/messages';
import type { Log, Model } from '../../core/ports';
import { receiptLine } from '../../core/receipt';
import type { Settings } from '../../core/settings';
import { wait } from '../wait';
import { describeSummaryStart } from './answerRenderer';
import { remedyButton } from './remedies';
import type { LocalAnswer, SlashCall } from './slashCommands';

export type Compact = (conversation: ConversationHandle, call: SlashCall) => Promise<LocalAnswer>;

/** `/compact`, with what is to be kept above all behind it. */
export function createCompact(options: {
  readonly summaries: SummarySettings;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  readonly nameOfModel: (id: string) => string;
  readonly ledger: Pick<Ledger, 'add'>;
  readonly log: Log;
}): Compact {
  return async (conversation, call) => {
    const startedAt = Date.now();
    const settings = options.readSettings();
    const run = compact(
      conversation,
      {
        model: options.connect(settings),
        modelId: options.summaries.modelId,
        fallbackModelId: call.modelId ?? settings.model,
        limits: options.summaries.limits(),
        focus: call.prompt,
        wait,
        random: Math.random,
      },
      call.signal,
    );
    const outcome = await shown(run, call.progress);
    if (outcome.type === 'failed' && outcome.end.reason === 'failed') {
      options.log.error(failureLine('compact failed', outcome.end.error), outcome.end.error.cause);
    }
    const { markdown, remedy } = describeCompact(outcome);
    const about = { turn: randomUUID(), conversation: call.conversationId, startedAt, endedAt: Date.now() };
    const record = compactRecord(outcome, about);
    if (record) options.ledger.add(record);
    const button = remedyButton(remedy);
    const details =
      outcome.type !== 'nothing' && isSpent(outcome.usage)
        ? receiptLine(options.nameOfModel(outcome.modelId), outcome.usage)
        : undefined;
    return {
      markdown,
      buttons: button ? [button] : [],
      ...(details !== undefined && { details }),
      ...(outcome.type === 'summary' && { undo: () => takeBack(conversation, outcome.fold) }),
    };
  };
}

async function takeBack(conversation: ConversationHandle, fold: Fold): Promise<string> {
  return (await conversation.unfold(fold))
    ? l10n.t('The turns are back, as they were before they were summarized.')
    : l10n.t('The summary stays: you asked something or changed the memory since it was made.');
}

async function shown(
  run: AsyncGenerator<AgentEvent, CompactOutcome>,
  progress: (text: string) => void,
): Promise<CompactOutcome> {
  for (;;) {
    const { done, value } = await run.next();
    if (done) return value;
    if (value.type === 'summary-start') progress(describeSummaryStart(value.turns));
    if (value.type === 'retry-wait') progress(escapeMarkdown(describeWait(value.error, value.delayMs)));
  }
}
