import * as vscode from 'vscode';
import type { Assistant } from '../../core/assistant';
import { withAttachments } from '../../core/attachments';
import type { ConversationHandle } from '../../core/conversation/memory/conversationHandle';
import type { ConversationId } from '../../core/conversation/turn';
import type { Log, Model } from '../../core/ports';
import type { Settings } from '../../core/settings';
import type { Tool } from '../../core/tools/tool';
import { toAbortSignal } from '../cancellation';
import { readAttachments } from './attachments';
import { requestIdOf } from './chatThread';
import { closeAnswer, followUpsOf, giveLocalAnswer, say } from './closeAnswer';
import { enterThread, type ThreadEntry } from './enterThread';
import { withoutInstructionFiles } from './instructionFiles';
import { questionCard } from './questionCard';
import { RecentTexts } from './recentTexts';
import { showTurn } from './showTurn';
import type { SlashCommands } from './slashCommands';
import { attachedToolsNote } from './toolsPicker';
import { toAssistantRequest } from './turnRequest';

const participantId = 'claude-assistant.assistant';

export interface ParticipantOptions extends ThreadEntry {
  readonly assistant: Assistant;
  readonly conversation: (id: ConversationId) => ConversationHandle;
  readonly slashCommands: SlashCommands;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  /** The model picked for this request, if it is one of ours. */
  readonly pickedModel: (request: vscode.ChatRequest) => string | undefined;
  readonly nameOfModel: (id: string) => string;
  /** Whether a file looks like a secret, by its path. */
  readonly isSecret: (path: string) => boolean;
  /** With the names of the tools that the plan of a waiting question was made with. */
  readonly toolsFor: (
    request: vscode.ChatRequest,
    settings: Settings,
    plan: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly Tool[]>;
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
      try {
        return await answer(options, prompts, { request, context, stream, token });
      } catch (error) {
        // Stopped before there was a turn: nothing was done, and there is nothing to say.
        if (token.isCancellationRequested) return {};
        // A bug of ours: a turn's own failures end in a sentence of their own.
        options.log.error('a request failed unexpectedly', error);
        stream.button({ command: 'assistant.showLog', title: vscode.l10n.t('Show Log') });
        return {
          errorDetails: {
            message: vscode.l10n.t('Something went wrong in the extension itself. The log says more.'),
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
}

async function answer(
  options: ParticipantOptions,
  prompts: RecentTexts,
  { request, context, stream, token }: Exchange,
): Promise<vscode.ChatResult> {
  const signal = toAbortSignal(token);
  const isStateless = request.command === 'once' || isSystemInitiated(request);
  const entered = isStateless ? undefined : await enterThread(options, request, context, signal);
  const conversationId = entered?.conversation ?? options.threads.current();
  const conversation = options.conversation(conversationId);
  const carried = { version: 1, conversationId, ...(entered && { threadId: entered.thread }) } as const;
  for (const notice of entered?.notices ?? []) say(stream, notice);
  const local = await options.slashCommands.run({
    command: request.command,
    prompt: request.prompt,
    conversation,
    modelId: options.pickedModel(request),
    progress: (text) => stream.progress(text),
    signal,
  });
  if (local !== undefined) return giveLocalAnswer(stream, local, carried);
  const settings = options.readSettings();
  const { content, notices } = withAttachments(
    (request.prompt.trim() || '(The person sent an empty message.)') + attachedToolsNote(request),
    await readAttachments(withoutInstructionFiles(request.references), options.isSecret),
    vscode.l10n.t,
  );
  for (const notice of notices) say(stream, notice);
  const plan = (entered && conversation.waiting()?.tools) ?? [];
  const tools = await options.toolsFor(request, settings, plan, signal);
  const turnId = requestIdOf(request);
  const turnRequest = await toAssistantRequest(
    {
      settings,
      modelId: options.pickedModel(request),
      conversationId,
      // VS Code repeats its own id of a request in the history, also where it lost what the answer carried.
      ...(turnId !== undefined && { turnId }),
      ...(entered && { thread: entered.thread }),
      ...(entered?.facts !== undefined && { facts: entered.facts }),
      userContent: content,
      tools,
      isStateless,
      askInPlace: questionCard(request, options.log),
      yieldRequested: () => hasYieldRequest(context),
    },
    options.connect(settings),
    signal,
  );
  const turn = options.assistant.answer(turnRequest, signal);
  prompts.keep(turn.id, request.prompt);
  const shown = await showTurn(turn, stream, options.longAnswers);
  const result = closeAnswer(stream, shown, {
    carried: { ...carried, turnId: turn.id, ...(isStateless && { isStateless }) },
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
