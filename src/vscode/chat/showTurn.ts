import * as vscode from 'vscode';
import type { AgentEvent } from '../../core/agent/events';
import type { AssistantTurn } from '../../core/assistant';
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
  longAnswers: RecentTexts,
): Promise<DisplayedTurn> {
  const texts: string[] = [];
  const openWhole: vscode.Command = {
    command: 'assistant.openAnswer',
    title: vscode.l10n.t('Open Whole Answer'),
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
