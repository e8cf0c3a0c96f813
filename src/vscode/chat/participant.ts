import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { attachedToolsRemarks, withAttachments } from '../../core/agent/attachments';
import { TurnModel } from '../../core/agent/turnModel';
import type { Assistant } from '../../core/assistant';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import type { Threads } from '../../core/conversation/threads/threads';
import type { ConversationId } from '../../core/conversation/turn';
import type { Log, Model } from '../../core/ports';
import type { Settings } from '../../core/settings';
import type { ListedChange } from '../../core/tools/changes/fileChange';
import type { Notes } from '../../core/tools/notes/notes';
import { stateOf, type Plan } from '../../core/tools/plans/plan';
import type { Plans } from '../../core/tools/plans/plans';
import { toAbortSignal } from '../cancellation';
import type { PlanFiles } from '../plans/planFiles';
import { todoList } from '../plans/todoList';
import type { Tools } from '../tools/tools';
import type { ImageFiles } from './askAboutImage';
import { readAttachments, sentFiles, withoutInstructionFiles } from './attachments';
import {
  enclosedIn,
  readPrompt,
  participantId,
  planCommand,
  runCommand,
  sessionOf,
  type AnswerMetadata,
} from './chatThread';
import { closeAnswer, followUpsOf, giveLocalAnswer, say } from './closeAnswer';
import { enterThread } from './enterThread';
import { permissionLevelOf, questionCard } from './questionCard';
import { runPrompt } from './runPrompt';
import { AnswerReferences, RecentTexts, showTurn } from './showTurn';
import type { SlashCommands } from './slashCommands';
import { toAssistantRequest } from './turnRequest';

export interface ParticipantOptions {
  readonly tools: Tools;
  readonly plans: Pick<Plans, 'open'>;
  readonly planFiles: PlanFiles;
  readonly threads: Threads;
  readonly notes: Pick<Notes, 'known'>;
  readonly assistant: Assistant;
  readonly conversation: (id: ConversationId) => ConversationHandle;
  readonly slashCommands: SlashCommands;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  /** The model picked for this request, if it is one of ours. */
  readonly pickedModel: (request: vscode.ChatRequest) => string | undefined;
  readonly nameOfModel: (id: string) => string;
  readonly imageFiles: Pick<ImageFiles, 'resolve'>;
  /** Whether a file looks like a secret, by its path. */
  readonly isSecret: (path: string) => boolean;
  /** Whole answers that are too long for the panel. */
  readonly longAnswers: RecentTexts;
  readonly onAnswered: () => void;
  readonly log: Log;
  readonly iconFolder: vscode.Uri;
}

/** `@assistant` in the chat panel. */
export function registerParticipant(options: ParticipantOptions): vscode.Disposable {
  const prompts = new RecentTexts(20);
  const participant = vscode.chat.createChatParticipant(
    participantId,
    async (request, context, stream, token) => {
      // However it ends, the panel shows it, and later requests must be able to tell it from other turns (M13).
      const metadata: AnswerMetadata = { version: 1, turnId: randomUUID() };
      try {
        return await answer(options, prompts, { request, context, stream, token, metadata });
      } catch (error) {
        // Stopped before there was a turn: there is nothing to say.
        if (token.isCancellationRequested) return { metadata };
        // A bug: failures of a turn end in a sentence of their own.
        options.log.error('a request failed unexpectedly', error);
        stream.button({ command: 'assistant.showLog', title: l10n.t('Show Log') });
        return {
          metadata,
          errorDetails: {
            message: l10n.t('Something went wrong in the extension itself. See the log for details.'),
          },
        };
      }
    },
  );
  participant.iconPath = {
    light: vscode.Uri.joinPath(options.iconFolder, 'icon-light.svg'),
    dark: vscode.Uri.joinPath(options.iconFolder, 'icon-dark.svg'),
  };
  participant.followupProvider = {
    provideFollowups: (result) =>
      followUpsOf(result, {
        waiting: (id) => options.conversation(id).waiting(),
        prompt: (turnId) => prompts.get(turnId),
      }),
  };
  return participant;
}

interface Exchange {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  readonly metadata: AnswerMetadata;
}

async function answer(
  options: ParticipantOptions,
  prompts: RecentTexts,
  { request, context, stream, token, metadata }: Exchange,
): Promise<vscode.ChatResult> {
  const signal = toAbortSignal(token);
  const settings = options.readSettings();
  const { prompt, isBeyondBudget } = readPrompt(request, context);
  const modelId = options.pickedModel(request) ?? settings.model;
  const isStateless = request.command === 'once' || isSystemInitiated(request);
  const entered = isStateless ? undefined : await enterThread(options, request, context, signal);
  const conversationId = entered?.conversation ?? options.threads.current();
  const conversation = options.conversation(conversationId);
  const carried = { ...metadata, conversationId, ...(entered && { threadId: entered.thread }) };
  for (const notice of entered?.notices ?? []) say(stream, notice);
  const run = request.command === runCommand ? await runOf(options.tools, prompt, signal) : undefined;
  if (run?.type === 'answer') return giveLocalAnswer(stream, run.answer, carried);
  const local = await options.slashCommands.run({
    command: request.command,
    prompt,
    conversation,
    conversationId,
    settings,
    modelId,
    progress: (text) => stream.progress(text),
    signal,
  });
  if (local !== undefined) return giveLocalAnswer(stream, local, carried);
  const enclosed = enclosedIn(request, prompt, context);
  const attachedTools = enclosed.toolReferences.map(({ name }) => name);
  const attached = withoutInstructionFiles(
    enclosed.references.map((reference) => options.imageFiles.resolve(reference)),
  );
  const attachments = await readAttachments(attached, options.isSecret, signal);
  const { content, notices } = withAttachments(prompt, attachments, [
    ...attachedToolsRemarks(attachedTools),
    ...(run ? [run.text] : []),
  ]);
  for (const notice of notices) say(stream, notice);
  const references = new AnswerReferences(stream);
  for (const value of sentFiles(attached, attachments, options.isSecret)) references.add(value);
  const model = TurnModel.of(options.connect(settings));
  const { tools, forScouts } = await options.tools.forRequest(
    {
      token: request.toolInvocationToken,
      attached: attachedTools,
      external: settings['tools.external'],
      // What neither reads nor writes memory keeps no notes either (M12).
      disabled: [...settings['tools.disabled'], ...(isStateless ? ['note'] : [])],
      approvesAll: permissionLevelOf(request) !== 'default',
      session: sessionOf(request),
      web: { model: model.aside('web'), modelId },
      turnId: metadata.turnId,
      words: isSystemInitiated(request) ? '' : prompt,
      enclosed: attachments.flatMap(({ kind, name }) => (kind === 'unreadable' ? [] : [name])),
      askedWith: (entered && conversation.waiting()?.tools) ?? [],
    },
    signal,
  );
  // What the user made of the plan is what is sent (N2), saved or not.
  if (!isStateless) await options.planFiles.saveEditors();
  const turnRequest = await toAssistantRequest(
    {
      settings,
      model,
      modelId,
      conversationId,
      turnId: metadata.turnId,
      ...(entered && {
        shownAt: { thread: entered.thread, position: entered.position },
        isRemoved: entered.isRemoved,
      }),
      ...(entered?.context !== undefined && { context: entered.context }),
      userContent: content,
      tools,
      permit: (tool) => options.tools.permit(tool, request.toolInvocationToken),
      forScouts,
      isStateless,
      isBeyondBudget,
      isPlanning: request.command === planCommand,
      showPlan: todoList(request.toolInvocationToken, settings['tools.disabled'], options.log),
      ran: run?.counted,
      askInPlace: questionCard(request, settings['tools.disabled'], options.log),
      yieldRequested: () => hasYieldRequest(context),
    },
    options,
    signal,
  );
  const turn = options.assistant.answer(turnRequest, signal);
  prompts.keep(turn.id, prompt);
  const shown = await showTurn(turn, stream, { longAnswers: options.longAnswers, references });
  const changed = await changesOf(metadata.turnId, options);
  const noted = (await options.notes.known()).filter(({ origin }) => origin.turnId === metadata.turnId);
  const plan = shown.hasWrittenPlan ? await writtenPlan(options) : undefined;
  const isPlanning =
    request.command === planCommand ||
    conversation.stored()?.turns.find(({ id }) => id === metadata.turnId)?.isPlanning === true;
  const result = closeAnswer(stream, shown, {
    changed,
    noted,
    plan,
    carried: {
      ...carried,
      ...(isStateless && { isStateless }),
      ...(isPlanning && { isPlanning }),
      ...(run && { isRun: true }),
    },
    notice: entered?.closing,
    nameOfModel: options.nameOfModel,
  });
  options.onAnswered();
  return result;
}

function runOf({ guidance, workspace }: Tools, prompt: string, signal: AbortSignal) {
  return runPrompt(guidance, prompt, { isTrusted: workspace.isTrusted() }, signal);
}

/** What the turn did to files and is still to be judged. */
async function changesOf(
  turnId: string,
  { tools, log }: Pick<ParticipantOptions, 'tools' | 'log'>,
): Promise<readonly ListedChange[]> {
  try {
    return (await tools.changes.list()).filter((change) => change.turnId === turnId);
  } catch (error) {
    log.warn(`changes cannot be listed: ${String(error)}`);
    return [];
  }
}

/** The plan as it is now. One that nobody has started opens beside the chat, to be read and edited (N2). */
async function writtenPlan({
  plans,
  planFiles,
  log,
}: Pick<ParticipantOptions, 'plans' | 'planFiles' | 'log'>): Promise<Plan | undefined> {
  try {
    const plan = await plans.open();
    if (plan && stateOf(plan) === 'draft') await planFiles.show(plan, { preserveFocus: true });
    return plan;
  } catch (error) {
    log.warn(`the plan cannot be shown: ${String(error)}`);
    return undefined;
  }
}

/** VS Code itself asks, not the user. Not in the stable typings. */
function isSystemInitiated(request: vscode.ChatRequest): boolean {
  return 'isSystemInitiated' in request && request.isSystemInitiated === true;
}

/** The user has sent another message while this turn runs. Not in the stable typings; there from VS Code 1.110 on. */
function hasYieldRequest(context: vscode.ChatContext): boolean {
  return 'yieldRequested' in context && context.yieldRequested === true;
}
