import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Assistant } from '../../core/assistant';
import { attachedToolsRemarks, withAttachments } from '../../core/attachments';
import type { ConversationHandle } from '../../core/conversation/memory/conversationHandle';
import type { ConversationId } from '../../core/conversation/turn';
import type { Log, Model } from '../../core/ports';
import type { Settings } from '../../core/settings';
import type { Tool } from '../../core/tools/tool';
import { toAbortSignal } from '../cancellation';
import type { ToolsRequest } from '../tools/tools';
import { AnswerReferences } from './answerReferences';
import type { ImageFiles } from './askAboutImage';
import { readAttachments, sentFiles } from './attachments';
import { participantId, type AnswerMetadata } from './chatThread';
import { closeAnswer, followUpsOf, giveLocalAnswer, say } from './closeAnswer';
import { enterThread, type ThreadEntry } from './enterThread';
import { withoutInstructionFiles } from './instructionFiles';
import { questionCard } from './questionCard';
import { RecentTexts } from './recentTexts';
import { enclosedIn } from './repeatedMessage';
import { showTurn } from './showTurn';
import type { SlashCommands } from './slashCommands';
import { toAssistantRequest } from './turnRequest';

export interface ParticipantOptions extends ThreadEntry {
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
  readonly toolsFor: (
    request: vscode.ChatRequest,
    wanted: WantedTools,
    signal: AbortSignal,
  ) => Promise<readonly Tool[]>;
  /** Whole answers that are too long for the panel. */
  readonly longAnswers: RecentTexts;
  readonly onAnswered: () => void;
  readonly log: Log;
  readonly iconFolder: vscode.Uri;
}

export interface WantedTools extends Pick<ToolsRequest, 'plan' | 'attached'> {
  readonly settings: Settings;
}

/** `@assistant` in the chat panel. */
export function registerParticipant(options: ParticipantOptions): vscode.Disposable {
  const prompts = new RecentTexts(20);
  const participant = vscode.chat.createChatParticipant(
    participantId,
    async (request, context, stream, token) => {
      // Whatever becomes of it, the panel will show it, and must be able to tell it from other turns (M13).
      const metadata: AnswerMetadata = { version: 1, turnId: randomUUID() };
      try {
        return await answer(options, prompts, { request, context, stream, token, metadata });
      } catch (error) {
        // Stopped before there was a turn: nothing was done, and there is nothing to say.
        if (token.isCancellationRequested) return { metadata };
        // A bug of ours: a turn's own failures end in a sentence of their own.
        options.log.error('a request failed unexpectedly', error);
        stream.button({ command: 'assistant.showLog', title: l10n.t('Show Log') });
        return {
          metadata,
          errorDetails: {
            message: l10n.t('Something went wrong in the extension itself. The log says more.'),
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
  const isStateless = request.command === 'once' || isSystemInitiated(request);
  const entered = isStateless ? undefined : await enterThread(options, request, context, signal);
  const conversationId = entered?.conversation ?? options.threads.current();
  const conversation = options.conversation(conversationId);
  const carried = { ...metadata, conversationId, ...(entered && { threadId: entered.thread }) };
  for (const notice of entered?.notices ?? []) say(stream, notice);
  const local = await options.slashCommands.run({
    command: request.command,
    prompt: request.prompt,
    conversation,
    conversationId,
    modelId: options.pickedModel(request),
    progress: (text) => stream.progress(text),
    signal,
  });
  if (local !== undefined) return giveLocalAnswer(stream, local, carried);
  const settings = options.readSettings();
  const enclosed = enclosedIn(request, context);
  const attachedTools = enclosed.toolReferences.map(({ name }) => name);
  const attached = withoutInstructionFiles(
    enclosed.references.map((reference) => options.imageFiles.resolve(reference)),
  );
  const attachments = await readAttachments(attached, options.isSecret, signal);
  const { content, notices } = withAttachments(
    request.prompt,
    attachments,
    attachedToolsRemarks(attachedTools),
  );
  for (const notice of notices) say(stream, notice);
  const references = new AnswerReferences(stream);
  for (const value of sentFiles(attached, attachments, options.isSecret)) references.add(value);
  const plan = (entered && conversation.waiting()?.tools) ?? [];
  const tools = await options.toolsFor(request, { settings, plan, attached: attachedTools }, signal);
  const turnRequest = await toAssistantRequest(
    {
      settings,
      modelId: options.pickedModel(request),
      conversationId,
      turnId: metadata.turnId,
      ...(entered && { shownAt: { thread: entered.thread, position: entered.position } }),
      ...(entered?.facts !== undefined && { facts: entered.facts }),
      userContent: content,
      tools,
      isStateless,
      askInPlace: questionCard(request, options.log),
      yieldRequested: () => hasYieldRequest(context),
    },
    { model: options.connect(settings), log: options.log },
    signal,
  );
  const turn = options.assistant.answer(turnRequest, signal);
  prompts.keep(turn.id, request.prompt);
  const shown = await showTurn(turn, stream, { longAnswers: options.longAnswers, references });
  const result = closeAnswer(stream, shown, {
    carried: { ...carried, ...(isStateless && { isStateless }) },
    notice: entered?.closing,
    nameOfModel: options.nameOfModel,
  });
  options.onAnswered();
  return result;
}

/** VS Code itself asks, not the person. There at run time only. */
function isSystemInitiated(request: vscode.ChatRequest): boolean {
  return 'isSystemInitiated' in request && request.isSystemInitiated === true;
}

/** The person has sent another message while this turn runs. There at run time only, from VS Code 1.110 on. */
function hasYieldRequest(context: vscode.ChatContext): boolean {
  return 'yieldRequested' in context && context.yieldRequested === true;
}
