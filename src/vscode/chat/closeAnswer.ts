import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { describeEnd } from '../../core/agent/describeEnd';
import { toOptionFollowUp } from '../../core/agent/questionCard';
import type { ThreadNotice } from '../../core/conversation/threads/threadNotices';
import type { ConversationId, TurnId, Waiting } from '../../core/conversation/turn';
import { isSpent } from '../../core/messages';
import { receiptLine } from '../../core/receipt';
import { escapeMarkdown } from '../../core/text/markdown';
import { visibleLine } from '../../core/text/plainText';
import { countedChanges } from '../../core/tools/changes/changeReport';
import type { ListedChange } from '../../core/tools/changes/fileChange';
import type { Note } from '../../core/tools/notes/note';
import { stateOf, type Plan } from '../../core/tools/plans/plan';
import { progressInWords } from '../../core/tools/plans/planReport';
import type { WebSource } from '../../core/tools/web/web';
import { commandLink, withLinksTo } from '../commandLink';
import { type AnswerMetadata, planCommand, readMetadata, runCommand } from './chatThread';
import { noticeButton } from './enterThread';
import { followUpFor, remedyButton, toChatFollowup } from './remedies';
import type { DisplayedTurn } from './showTurn';
import type { LocalAnswer } from './slashCommands';

/** Below the answer: how the turn ended, what the user should know, what was sent, and what can be done. */
export function closeAnswer(
  stream: vscode.ChatResponseStream,
  { end: { end, usage, model, side }, buttons: ownButtons, sources }: DisplayedTurn,
  options: {
    readonly carried: AnswerMetadata & { readonly conversationId: ConversationId };
    readonly notice: ThreadNotice | undefined;
    /** What the turn did to files. */
    readonly changed: readonly ListedChange[];
    /** The notes that came of it. */
    readonly noted: readonly Note[];
    /** The plan that it wrote, as it is now. */
    readonly plan: Plan | undefined;
    readonly nameOfModel: (id: string) => string;
  },
): vscode.ChatResult {
  const { carried, notice, changed, plan } = options;
  const buttons = [...ownButtons];
  const description = describeEnd(end);
  if (description) {
    // Not as VS Code's own error, which would put the button above the sentence that it belongs to.
    const sentence = new vscode.MarkdownString('\n\n', true);
    // A missing key is where everybody starts, not an error.
    if (end.reason === 'failed' && end.error.kind !== 'no-key') sentence.appendMarkdown('$(error) ');
    stream.markdown(sentence.appendMarkdown(escapeMarkdown(description.text)));
    const remedy = remedyButton(description.remedy);
    if (remedy) buttons.push(remedy);
  }
  if (notice) say(stream, notice.text);
  if (sources.length > 0) stream.markdown(`\n\n${listedSources(sources)}`);
  if (changed.length > 0) {
    stream.markdown(`\n\n${countedChanges(changed)}`);
    buttons.push({
      command: 'assistant.reviewChanges',
      title: l10n.t('Review Changes'),
      arguments: [carried.turnId],
    });
  }
  for (const note of options.noted) stream.markdown(wasNoted(note));
  // While Claude waits for an answer, the plan is not what it is going to be.
  if (plan && end.reason !== 'asked') {
    stream.markdown(`\n\n${l10n.t('Plan: {0}', progressInWords(plan))}`);
    buttons.push(...planButtons(plan));
  }
  // After those of the plan: what starts it is what is looked for.
  if (notice) buttons.push(noticeButton(notice, carried.conversationId));
  if (isSpent(usage)) stream.markdown(whatWasSent(carried.turnId));
  // Last: VS Code collapses what is above a button when text follows it.
  for (const button of buttons) stream.button(button);
  const followUp = followUpFor(description?.remedy);
  return toResult(
    { ...carried, ...(followUp && { followUp }) },
    isSpent(usage) ? receiptLine(options.nameOfModel(model), usage, side) : undefined,
  );
}

/** L17: pages as links, by their title and the domain they lead to. */
function listedSources(sources: readonly WebSource[]): string {
  const links = sources.slice(0, maxSources).map(({ url, title }) => {
    const { hostname } = new URL(url);
    const name = title === '' || title === hostname ? hostname : `${title} (${hostname})`;
    return `[${escapeMarkdown(visibleLine(name))}](<${url}>)`;
  });
  return l10n.t('Sources: {0}', links.join(' · '));
}

const maxSources = 8;

/** Pressed much later, they still mean this plan (N3). */
function planButtons(plan: Plan): readonly vscode.Command[] {
  const button = (command: string, title: string) => ({
    command: `assistant.${command}`,
    title,
    arguments: [plan.id],
  });
  if (stateOf(plan) === 'started') return [button('closePlan', l10n.t('Close Plan'))];
  return [
    button('startPlan', l10n.t('Start')),
    button('startFreshWithPlan', l10n.t('Start Fresh with This Plan')),
    button('savePlan', l10n.t('Save Plan…')),
  ];
}

/** A whole answer that is not Claude's. */
export function giveLocalAnswer(
  stream: vscode.ChatResponseStream,
  { markdown, buttons, details }: LocalAnswer,
  carried: AnswerMetadata,
): vscode.ChatResult {
  stream.markdown(markdown);
  for (const button of buttons) stream.button(button);
  return toResult(carried, details);
}

/** One line to the user, set apart from Claude's words. */
export function say(stream: vscode.ChatResponseStream, notice: string): void {
  stream.markdown(`\n\n*${escapeMarkdown(notice)}*\n\n`);
}

/** What is offered as the next message, below the answer that ended with this result. */
export function followUpsOf(
  result: vscode.ChatResult,
  known: {
    readonly waiting: (conversation: ConversationId) => Waiting | undefined;
    /** What the user wrote for a turn. */
    readonly prompt: (turn: TurnId) => string | undefined;
  },
): vscode.ChatFollowup[] {
  const { followUp, turnId, conversationId, isStateless, isPlanning, isRun } = readMetadata(result);
  const waiting = conversationId === undefined ? undefined : known.waiting(conversationId);
  if (turnId && waiting?.turnId === turnId) return (waiting.options ?? []).map(toOptionFollowUp);
  // To go on with what was run, nothing is run again.
  const isRunAgain = isRun && (followUp === 'retry' || followUp === 'retry-beyond');
  const command = isStateless ? 'once' : isPlanning ? planCommand : isRunAgain ? runCommand : undefined;
  return followUp && turnId ? toChatFollowup(followUp, known.prompt(turnId), command) : [];
}

/** `details` is the footer line. It is not in the stable typings; older versions ignore it. */
function toResult(metadata: AnswerMetadata, details: string | undefined): vscode.ChatResult {
  const result: vscode.ChatResult & { readonly details?: string } = {
    metadata,
    ...(details !== undefined && { details }),
  };
  return result;
}

/** M28: what Claude will get for months, with the way to take it back. */
function wasNoted({ id, text }: Note): vscode.MarkdownString {
  const command = 'assistant.undoNote';
  const line = l10n.t('Noted: “{0}”', escapeMarkdown(visibleLine(text)));
  return withLinksTo(command, `\n\n${line} · [${l10n.t('Undo')}](${commandLink(command, id)})`);
}

/** A link, since a button below every answer would distract from it. */
function whatWasSent(turnId: TurnId): vscode.MarkdownString {
  const command = 'assistant.showLedger';
  return withLinksTo(command, `\n\n[${l10n.t('What was sent')}](${commandLink(command, turnId)})`);
}
