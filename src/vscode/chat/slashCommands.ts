import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { describeWait } from '../../core/agent/describeEnd';
import type { AgentEvent } from '../../core/agent/events';
import type { Spending } from '../../core/agent/spending';
import {
  compact,
  describeCompact,
  type CompactOutcome,
  type SummarySettings,
} from '../../core/agent/summarizeTurns';
import { TurnModel } from '../../core/agent/turnModel';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import { conversationsIn, type FoundConversation } from '../../core/conversation/recall/searchTurns';
import { archiveReport, emptyArchive } from '../../core/conversation/reports/archiveReport';
import { memoryReport } from '../../core/conversation/reports/memoryReport';
import type { Summarizing } from '../../core/conversation/summary';
import type { ConversationId } from '../../core/conversation/turn';
import { failureLine } from '../../core/conversation/turnLog';
import { compactRecord } from '../../core/ledger/compactRecord';
import { rememberedIn } from '../../core/ledger/conversationRecords';
import type { Ledger } from '../../core/ledger/ledger';
import { usageReport } from '../../core/ledger/usageReport';
import { isSpent } from '../../core/messages';
import type { Log, Model } from '../../core/ports';
import { receiptLine } from '../../core/receipt';
import { budgetIn, type Settings } from '../../core/settings';
import { paragraph } from '../../core/text/joined';
import { escapeMarkdown } from '../../core/text/markdown';
import type { CountedFile, Guidance } from '../../core/tools/guidance/guidance';
import { toldIn } from '../../core/tools/guidance/told';
import type { Notes } from '../../core/tools/notes/notes';
import type { Plan } from '../../core/tools/plans/plan';
import type { Plans } from '../../core/tools/plans/plans';
import { commandLink, withLinksTo } from '../commandLink';
import { formats } from '../formats';
import { describeErased } from '../memory/clearConversation';
import { inform } from '../notify';
import { wait } from '../wait';
import { describeSummaryStart } from './answerRenderer';
import { remedyButton } from './remedies';

/** An answer about the conversation that is no part of it. */
export interface LocalAnswer {
  readonly markdown: string | vscode.MarkdownString;
  readonly buttons: readonly vscode.Command[];
  /** Model, cost and tokens. */
  readonly details?: string;
  /** Undoes the command, and returns a sentence about it. */
  readonly undo?: (() => Promise<string>) | undefined;
}

/** A slash command as it was sent. */
export interface SlashCall {
  readonly command: string | undefined;
  /** The text after it. */
  readonly prompt: string;
  readonly conversation: ConversationHandle;
  readonly conversationId: ConversationId;
  readonly settings: Settings;
  /** The model that would answer a message. */
  readonly modelId: string;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface SlashCommands {
  /** Undefined when Claude has to answer. */
  run(call: SlashCall): Promise<LocalAnswer | undefined>;
  /** What the Undo button below such an answer does; only the newest one still can. */
  undo(key: string): Promise<void>;
}

/** How many `/resume` shows. The list has them all. */
const shownArchived = 5;

export interface SlashOptions {
  readonly spending: Pick<Spending, 'gate'>;
  readonly archive: ConversationArchive;
  readonly ledger: Pick<Ledger, 'add' | 'records'>;
  readonly memory: Pick<ConversationMemory, 'refresh' | 'hasDamaged'>;
  readonly notes: Pick<Notes, 'known'>;
  readonly plans: Pick<Plans, 'open' | 'list'>;
  readonly guidance: Guidance;
  readonly summaries: SummarySettings;
  readonly connect: (settings: Settings) => Model;
  readonly nameOfModel: (id: string) => string;
  readonly log: Log;
}

/** `/clear`, `/memory`, `/compact`, `/resume` and `/usage`: they are about the conversation and no part of it. */
export function createSlashCommands(options: SlashOptions): SlashCommands {
  let undoable: { readonly key: string; readonly undo: () => Promise<string> } | undefined;

  async function perform(call: SlashCall): Promise<LocalAnswer | undefined> {
    const { command, prompt, conversation } = call;
    switch (command) {
      case 'clear':
        return clear(conversation, options, await options.plans.list().catch(() => []));
      case 'memory':
        await options.memory.refresh();
        return {
          markdown: memoryReport(
            conversation.view(),
            options.summaries.limits(),
            Date.now(),
            await options.notes.known(),
            // Where it cannot be read, it has been told of.
            await options.plans.open().catch(() => undefined),
            await countedNow(options.guidance, conversation, call.signal),
          ),
          buttons: [{ command: 'assistant.showMemory', title: l10n.t('Show Memory') }],
        };
      case 'resume':
        await options.memory.refresh();
        return resumable(options.archive, prompt);
      case 'compact':
        await options.memory.refresh();
        return compactNow(options, call);
      case 'usage':
        await options.memory.refresh();
        return {
          markdown: usageReport(
            rememberedIn(call.conversationId, conversation.snapshot()),
            await options.ledger.records(),
            { nameOfModel: options.nameOfModel, formats },
          ),
          buttons: [{ command: 'assistant.showUsage', title: l10n.t('Show Usage') }],
        };
      default:
        return undefined;
    }
  }

  return {
    async run(call) {
      const answer = await perform(call);
      if (!answer?.undo) return answer;
      undoable = { key: randomUUID(), undo: answer.undo };
      // Not as a notification, which would cover the input that the user is about to use.
      const button: vscode.Command = {
        command: 'assistant.undoSlashCommand',
        title: l10n.t('Undo'),
        arguments: [undoable.key],
      };
      return { ...answer, buttons: [...answer.buttons, button] };
    },

    async undo(key) {
      const found = undoable?.key === key ? undoable : undefined;
      if (found) undoable = undefined;
      await options.memory.refresh();
      const sentence = await found?.undo();
      void inform(sentence ?? l10n.t('There is nothing left to bring back.'));
    },
  };
}

/** T5: the team's words that the next message would count with. */
async function countedNow(
  guidance: Guidance,
  conversation: ConversationHandle,
  signal: AbortSignal,
): Promise<readonly CountedFile[]> {
  const [{ always }, skills] = await Promise.all([guidance.instructions(signal), guidance.skills(signal)]);
  return [
    ...always.map(({ path, text }) => ({ kind: 'instructions' as const, path, chars: text.length })),
    ...toldIn(conversation.history()).map(({ path, chars }) => {
      return { kind: 'instructions' as const, path, chars, isEarlier: true as const };
    }),
    ...skills.map(({ path, body }) => ({ kind: 'skill' as const, path, chars: body.length })),
  ];
}

async function clear(
  conversation: ConversationHandle,
  { memory, notes: kept }: Pick<SlashOptions, 'memory' | 'notes'>,
  plans: readonly Plan[],
): Promise<LocalAnswer> {
  const notes = await kept.known();
  const erased = await conversation.clear();
  const undo = async () => {
    if (erased) await conversation.restore(erased);
    return l10n.t('The conversation is back.');
  };
  const notesStay = notes.length === 1 ? l10n.t('1 note stays.') : l10n.t('{0} notes stay.', notes.length);
  const plansStay = plans.length === 1 ? l10n.t('1 plan stays.') : l10n.t('{0} plans stay.', plans.length);
  const eraseNotes: vscode.Command = { command: 'assistant.eraseNotes', title: l10n.t('Erase Notes, Too') };
  const deleteChats: vscode.Command = {
    command: 'workbench.action.chat.clearHistory',
    title: l10n.t('Delete VS Code’s Chats…'),
  };
  const erasePlans: vscode.Command = { command: 'assistant.erasePlans', title: l10n.t('Erase Plans, Too') };
  return {
    markdown: paragraph([
      describeErased(erased?.conversation, memory.hasDamaged()),
      ...(notes.length > 0 ? [notesStay] : []),
      ...(plans.length > 0 ? [plansStay] : []),
    ]),
    buttons: [
      ...(notes.length > 0 ? [eraseNotes] : []),
      ...(plans.length > 0 ? [erasePlans] : []),
      ...(erased ? [deleteChats] : []),
    ],
    undo: erased && undo,
  };
}

/** The newest archived conversations, or those that hold these words. */
async function resumable(archive: ConversationArchive, words: string): Promise<LocalAnswer> {
  const archived = await archive.list();
  if (archived.length === 0) return { markdown: emptyArchive(archive.isOff), buttons: [] };
  const whole: vscode.Command = {
    command: 'assistant.resumeConversation',
    title: l10n.t('Resume Conversation…'),
  };
  const all: readonly FoundConversation[] =
    words.trim() === ''
      ? archived.map((header) => ({ archived: header }))
      : conversationsIn(await archive.search(words), archived);
  const found = all.slice(0, shownArchived);
  if (found.length === 0) {
    return { markdown: l10n.t('No archived conversation holds these words.'), buttons: [whole] };
  }
  const report = archiveReport(found, {
    isSearch: words.trim() !== '',
    now: Date.now(),
    linkTo: (id) => commandLink(whole.command, id),
  });
  return { markdown: withLinksTo(whole.command, report), buttons: [whole] };
}

/** `/compact`, with what to keep above all after it. */
async function compactNow(options: SlashOptions, call: SlashCall): Promise<LocalAnswer> {
  const { conversation } = call;
  const startedAt = Date.now();
  const model = TurnModel.of(options.connect(call.settings));
  model.guard(options.spending.gate(budgetIn(call.settings)));
  const run = compact(
    conversation,
    {
      model: model.forSummary(),
      modelId: options.summaries.modelId,
      fallbackModelId: call.modelId,
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
  const isPaid = outcome.type !== 'nothing' && isSpent(outcome.usage);
  return {
    markdown,
    buttons: button ? [button] : [],
    ...(isPaid && { details: receiptLine(options.nameOfModel(outcome.modelId), outcome.usage) }),
    ...(outcome.type === 'summary' && { undo: () => undoCompact(conversation, outcome.made) }),
  };
}

async function undoCompact(conversation: ConversationHandle, made: Summarizing): Promise<string> {
  return (await conversation.undoSummary(made))
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
