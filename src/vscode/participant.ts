import * as vscode from 'vscode';
import { describeEnd } from '../core/agent/describeEnd';
import type { AgentEvent } from '../core/agent/events';
import type { Assistant, AssistantTurn } from '../core/assistant';
import type { ConversationHandle } from '../core/conversation/conversationHandle';
import type { Threads } from '../core/conversation/threads';
import type { ConversationId } from '../core/conversation/turn';
import type { Log, Model } from '../core/ports';
import { receiptLine } from '../core/receipt';
import type { Settings } from '../core/settings';
import type { ChangeJournal } from '../core/tools/changeJournal';
import type { Tool } from '../core/tools/tool';
import { withAttachments } from '../core/attachments';
import { escapeMarkdown } from '../core/escapeMarkdown';
import { AnswerRenderer } from './answerRenderer';
import { readAttachments } from './attachments';
import { toAbortSignal } from './cancellation';
import { readMetadata, requestIdOf, type AnswerMetadata } from './chatThread';
import { enterThread, noticeButton } from './enterThread';
import { withoutInstructionFiles } from './instructionFiles';
import { questionCard } from './questionCard';
import { RecentTexts } from './recentTexts';
import { followUpFor, remedyButton, toAnswer, toChatFollowup } from './remedies';
import type { SlashCommands } from './slashCommands';
import { toAssistantRequest } from './turnRequest';
import { attachedToolsNote } from './toolsPicker';
import { whenComplete } from './whenComplete';

const participantId = 'claude-assistant.assistant';

export interface ParticipantOptions {
  readonly assistant: Assistant;
  readonly conversation: (id: ConversationId) => ConversationHandle;
  readonly threads: Threads;
  readonly journal: ChangeJournal;
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
    provideFollowups: (result) => {
      const { followUp, turnId, conversationId, isStateless } = readMetadata(result);
      const waiting =
        conversationId === undefined ? undefined : options.conversation(conversationId).waiting();
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
  if (local !== undefined) {
    stream.markdown(local.markdown);
    for (const button of local.buttons) stream.button(button);
    const result: DetailedResult = {
      metadata: carried satisfies AnswerMetadata,
      ...(local.details !== undefined && { details: local.details }),
    };
    return result;
  }
  const settings = options.readSettings();
  const { content, notices } = withAttachments(
    (request.prompt.trim() || '(The person sent an empty message.)') + attachedToolsNote(request),
    await readAttachments(withoutInstructionFiles(request.references), options.isSecret),
    vscode.l10n.t,
  );
  for (const notice of notices) say(stream, notice);
  const tools = await whenComplete(
    () => options.toolsFor(request, settings, signal),
    conversation.waiting()?.tools ?? [],
    signal,
  );
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
  );
  const turn = options.assistant.answer(turnRequest, signal);
  prompts.keep(turn.id, request.prompt);
  const { end, buttons } = await show(turn, stream, options.longAnswers);
  const metadata: AnswerMetadata = { ...carried, turnId: turn.id, ...(isStateless && { isStateless }) };
  const result = toResult(end, metadata, { stream, buttons }, options);
  if (entered?.closing) {
    say(stream, entered.closing.text);
    buttons.push(noticeButton(entered.closing, conversationId));
  }
  if (end.usage.output > 0) stream.markdown(whatWasSent(turn.id));
  // Last of all: what stands before a button that text follows, VS Code folds away.
  for (const button of buttons) stream.button(button);
  options.onAnswered();
  return result;
}

function say(stream: vscode.ChatResponseStream, notice: string): void {
  stream.markdown(`\n\n*${escapeMarkdown(notice)}*\n\n`);
}

/** With VS Code's own footer line. The stable types do not know it yet; a host that does not either ignores it. */
type DetailedResult = vscode.ChatResult & { readonly details?: string };

type TurnEndEvent = Extract<AgentEvent, { type: 'turn-end' }>;

async function show(
  turn: AssistantTurn,
  stream: vscode.ChatResponseStream,
  longAnswers: RecentTexts,
): Promise<{ readonly end: TurnEndEvent; readonly buttons: vscode.Command[] }> {
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
      if (event.type === 'turn-end') return { end: event, buttons: renderer.isLong ? [openWhole] : [] };
    }
  } finally {
    renderer.dispose();
    if (renderer.isLong) longAnswers.keep(turn.id, texts.join(''));
  }
  throw new Error('The turn ended without saying how.');
}

function toResult(
  { end, usage, model }: TurnEndEvent,
  carried: AnswerMetadata,
  { stream, buttons }: { readonly stream: vscode.ChatResponseStream; readonly buttons: vscode.Command[] },
  options: ParticipantOptions,
): vscode.ChatResult {
  const description = describeEnd(end, vscode.l10n.t);
  const followUp = followUpFor(description?.remedy);
  const metadata: AnswerMetadata = { ...carried, ...(followUp && { followUp }) };
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
  if (button) buttons.push(button);
  return result;
}

/** A link, since a button below every answer would be louder than the answer. It can run this one command only. */
function whatWasSent(turnId: string): vscode.MarkdownString {
  const command = `command:assistant.showLedger?${encodeURIComponent(JSON.stringify([turnId]))}`;
  const link = new vscode.MarkdownString(`\n\n[${vscode.l10n.t('What was sent')}](${command})`);
  link.isTrusted = { enabledCommands: ['assistant.showLedger'] };
  return link;
}

/** VS Code itself asks, not the person. There at run time only. */
function isSystemInitiated(request: vscode.ChatRequest): boolean {
  return 'isSystemInitiated' in request && request.isSystemInitiated === true;
}

/** The person has sent another message while this turn runs. There at run time only, from VS Code 1.110 on. */
function hasYieldRequest(context: vscode.ChatContext): boolean {
  return 'yieldRequested' in context && context.yieldRequested === true;
}
