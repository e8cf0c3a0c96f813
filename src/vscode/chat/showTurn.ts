import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { AgentEvent } from '../../core/agent/events';
import { answerText } from '../../core/answerText';
import type { AssistantTurn } from '../../core/assistant';
import type { AnswerReferences } from './answerReferences';
import { AnswerRenderer } from './answerRenderer';
import type { RecentTexts } from './recentTexts';

/** A turn that the panel has shown to its end. */
export interface DisplayedTurn {
  readonly end: Extract<AgentEvent, { type: 'turn-end' }>;
  /** For below the answer. */
  readonly buttons: readonly vscode.Command[];
}

/** Runs a turn and shows it as it goes. What is too long for the panel can be opened as a document (L1). */
export async function showTurn(
  turn: AssistantTurn,
  stream: vscode.ChatResponseStream,
  { longAnswers, references }: { readonly longAnswers: RecentTexts; readonly references: AnswerReferences },
): Promise<DisplayedTurn> {
  const shown: string[] = [];
  let whole = '';
  const openWhole: vscode.Command = {
    command: 'assistant.openAnswer',
    title: l10n.t('Open Whole Answer'),
    arguments: [turn.id],
  };
  const renderer = new AnswerRenderer(stream, openWhole);
  try {
    for await (const event of turn.events) {
      shown.push(asText(event));
      renderer.render(event);
      references.follow(event);
      if (event.type !== 'turn-end') continue;
      // What was streamed has an answer that broke off and came again twice.
      if (event.end.reason === 'answered') whole = answerText(event.messages);
      return { end: event, buttons: renderer.isLong ? [openWhole] : [] };
    }
  } finally {
    renderer.dispose();
    if (renderer.isLong) longAnswers.keep(turn.id, whole || shown.join('').trim());
  }
  throw new Error('The turn ended without saying how.');
}

/** An event as it reads in the panel. */
function asText(event: AgentEvent): string {
  if (event.type === 'text-delta') return event.text;
  if (event.type === 'notice') return `\n\n*${event.text}*\n\n`;
  return event.type === 'request-start' && !event.continues ? '\n\n' : '';
}
