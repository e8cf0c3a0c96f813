import * as vscode from 'vscode';
import { describeEnd } from '../core/agent/describeEnd';
import type { AgentEvent } from '../core/agent/events';
import type { Assistant, AssistantTurn } from '../core/assistant';
import type { Log, Model } from '../core/ports';
import { receiptLine } from '../core/receipt';
import type { Settings } from '../core/settings';
import type { Tool } from '../core/tools/tool';
import { AnswerRenderer } from './answerRenderer';
import { escapeMarkdown } from '../core/escapeMarkdown';
import { toAbortSignal } from './cancellation';
import { RecentTexts } from './recentTexts';
import { followUpFor, remedyButton, toChatFollowup, type FollowUp } from './remedies';
import { toAssistantRequest } from './turnRequest';

const participantId = 'claude-assistant.assistant';

/** All chat threads of a workspace share one conversation. */
export const workspaceConversation = 'workspace';

export interface ParticipantOptions {
  readonly assistant: Assistant;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  /** The model picked for this request, if it is one of ours. */
  readonly pickedModel: (request: vscode.ChatRequest) => string | undefined;
  readonly nameOfModel: (id: string) => string;
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
      const { followUp, turnId } = (metadata ?? {}) as Partial<AnswerMetadata>;
      return followUp && turnId ? toChatFollowup(followUp, prompts.get(turnId)) : [];
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
  const settings = options.readSettings();
  const signal = toAbortSignal(token);
  const turnRequest = await toAssistantRequest(
    {
      settings,
      modelId: options.pickedModel(request),
      conversationId: workspaceConversation,
      userContent: request.prompt.trim() || '(The person sent an empty message.)',
      tools: await options.toolsFor(request, settings, signal),
      yieldRequested: () => hasYieldRequest(context),
    },
    options.connect(settings),
  );
  const turn = options.assistant.answer(turnRequest, signal);
  prompts.keep(turn.id, request.prompt);
  const end = await show(turn, stream, options.longAnswers);
  return toResult(turn, end, stream, options);
}

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
  stream: vscode.ChatResponseStream,
  options: ParticipantOptions,
): vscode.ChatResult {
  const description = describeEnd(end, vscode.l10n.t);
  const followUp = followUpFor(description?.remedy);
  const metadata: AnswerMetadata = {
    version: 1,
    conversationId: workspaceConversation,
    turnId: turn.id,
    ...(followUp && { followUp }),
  };
  // `details` is VS Code's own footer line. The stable types do not know it yet; a host that does not either ignores it.
  const result: vscode.ChatResult & { details?: string } = {
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

/** The person has sent another message while this turn runs. There at run time only, from VS Code 1.110 on. */
function hasYieldRequest(context: vscode.ChatContext): boolean {
  return 'yieldRequested' in context && context.yieldRequested === true;
}
