import * as vscode from 'vscode';
import { describeEnd } from '../core/agent/describeEnd';
import type { AgentEvent } from '../core/agent/events';
import type { Assistant, AssistantTurn } from '../core/assistant';
import type { ConversationHandle } from '../core/conversation/conversationHandle';
import type { Log, Model } from '../core/ports';
import { receiptLine } from '../core/receipt';
import type { Settings } from '../core/settings';
import type { Tool } from '../core/tools/tool';
import { withAttachments } from '../core/attachments';
import { escapeMarkdown } from '../core/escapeMarkdown';
import { AnswerRenderer } from './answerRenderer';
import { readAttachments } from './attachments';
import { toAbortSignal } from './cancellation';
import { questionCard } from './questionCard';
import { RecentTexts } from './recentTexts';
import { followUpFor, remedyButton, toAnswer, toChatFollowup, type FollowUp } from './remedies';
import type { SlashCommands } from './slashCommands';
import { toAssistantRequest } from './turnRequest';
import { attachedToolsNote } from './toolsPicker';
import { whenComplete } from './whenComplete';

const participantId = 'claude-assistant.assistant';

/** All chat threads of a workspace share one conversation. */
export const workspaceConversation = 'workspace';

export interface ParticipantOptions {
  readonly assistant: Assistant;
  readonly conversation: ConversationHandle;
  readonly slashCommands: SlashCommands;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  /** The model picked for this request, if it is one of ours. */
  readonly pickedModel: (request: vscode.ChatRequest) => string | undefined;
  readonly nameOfModel: (id: string) => string;
  /** Whether a file looks like a secret, by its path. */
  readonly isSecret: (path: string) => boolean;
  readonly toolsFor: (
    request: vscode.ChatRequest,
    settings: Settings,
    signal: AbortSignal,
  ) => Promise<readonly Tool[]>;
  /** Whole answers that are too long for the panel. */
  readonly longAnswers: RecentTexts;
  readonly log: Log;
  readonly iconFolder: vscode.Uri;
}

/** What each answer carries, so that later requests know which turn it was. Ids only: VS Code keeps it in plain text. */
interface AnswerMetadata {
  readonly version: 1;
  readonly conversationId: string;
  readonly turnId: string;
  readonly followUp?: FollowUp;
  /** It neither read nor wrote memory. */
  readonly isStateless?: true;
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
    provideFollowups: ({ metadata }) => {
      const { followUp, turnId, isStateless } = (metadata ?? {}) as Partial<AnswerMetadata>;
      const waiting = options.conversation.waiting();
      if (turnId && waiting?.turnId === turnId) return (waiting.options ?? []).map(toAnswer);
      const command = isStateless ? 'once' : undefined;
      return followUp && turnId ? toChatFollowup(followUp, prompts.get(turnId), command) : [];
    },
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
  const local = await options.slashCommands.run({
    command: request.command,
    prompt: request.prompt,
    modelId: options.pickedModel(request),
    progress: (text) => stream.progress(text),
    signal,
  });
  if (local !== undefined) {
    stream.markdown(local.markdown);
    for (const button of local.buttons) stream.button(button);
    const result: DetailedResult = local.details === undefined ? {} : { details: local.details };
    return result;
  }
  const settings = options.readSettings();
  const isStateless = request.command === 'once' || isSystemInitiated(request);
  const { content, notices } = withAttachments(
    (request.prompt.trim() || '(The person sent an empty message.)') + attachedToolsNote(request),
    await readAttachments(request.references, options.isSecret),
    vscode.l10n.t,
  );
  for (const notice of notices) stream.markdown(`*${escapeMarkdown(notice)}*\n\n`);
  const tools = await whenComplete(
    () => options.toolsFor(request, settings, signal),
    options.conversation.waiting()?.tools ?? [],
    signal,
  );
  const turnRequest = await toAssistantRequest(
    {
      settings,
      modelId: options.pickedModel(request),
      conversationId: workspaceConversation,
      userContent: content,
      tools,
      isStateless,
      askInPlace: questionCard(request, options.log),
      yieldRequested: () => hasYieldRequest(context),
    },
    options.connect(settings),
  );
  const turn = options.assistant.answer(turnRequest, signal);
  prompts.keep(turn.id, request.prompt);
  const end = await show(turn, stream, options.longAnswers);
  return toResult(turn, end, { isStateless, stream }, options);
}

/** With VS Code's own footer line. The stable types do not know it yet; a host that does not either ignores it. */
type DetailedResult = vscode.ChatResult & { readonly details?: string };

type TurnEndEvent = Extract<AgentEvent, { type: 'turn-end' }>;

async function show(
  turn: AssistantTurn,
  stream: vscode.ChatResponseStream,
  longAnswers: RecentTexts,
): Promise<TurnEndEvent> {
  const texts: string[] = [];
  const openWhole: vscode.Command = {
    command: 'assistant.openAnswer',
    title: vscode.l10n.t('Open the whole answer as a document'),
    arguments: [turn.id],
  };
  const renderer = new AnswerRenderer(stream, openWhole);
  try {
    for await (const event of turn.events) {
      if (event.type === 'text-delta') texts.push(event.text);
      renderer.render(event);
      if (event.type === 'turn-end') return event;
    }
  } finally {
    renderer.dispose();
    if (renderer.isLong) {
      longAnswers.keep(turn.id, texts.join(''));
      stream.button(openWhole);
    }
  }
  throw new Error('The turn ended without saying how.');
}

function toResult(
  turn: AssistantTurn,
  { end, usage, model }: TurnEndEvent,
  { isStateless, stream }: { readonly isStateless: boolean; readonly stream: vscode.ChatResponseStream },
  options: ParticipantOptions,
): vscode.ChatResult {
  const description = describeEnd(end, vscode.l10n.t);
  const followUp = followUpFor(description?.remedy);
  const metadata: AnswerMetadata = {
    version: 1,
    conversationId: workspaceConversation,
    turnId: turn.id,
    ...(followUp && { followUp }),
    ...(isStateless && { isStateless }),
  };
  // The question is the answer of this turn: by now it waits, whatever happens to this window.
  if (end.reason === 'asked') stream.markdown(`\n\n${end.question.question}`);
  const result: DetailedResult = {
    metadata,
    ...(usage.output > 0 && { details: receiptLine(options.nameOfModel(model), usage) }),
  };
  if (!description) return result;
  // Not as VS Code's own error, which would put the button above the sentence that it belongs to.
  const sentence = new vscode.MarkdownString('\n\n', true);
  // A missing key is where everybody starts, not an error.
  if (end.reason === 'failed' && end.error.kind !== 'no-key') sentence.appendMarkdown('$(error) ');
  stream.markdown(sentence.appendMarkdown(escapeMarkdown(description.text)));
  const button = remedyButton(description.remedy);
  if (button) stream.button(button);
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
