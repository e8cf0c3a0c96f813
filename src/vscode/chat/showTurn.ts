import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentEvent } from '../../core/agent/events';
import type { AssistantTurn } from '../../core/assistant';
import { answerText } from '../../core/messages';
import type { WebSource } from '../../core/tools/web/web';
import { inform } from '../notify';
import { readFolders, uriOf } from '../tools/places';
import { AnswerRenderer } from './answerRenderer';
import { fetchesPictures } from './fetchesPictures';

/** A turn that the panel has shown to its end. */
export interface DisplayedTurn {
  readonly end: Extract<AgentEvent, { type: 'turn-end' }>;
  /** For below the answer. */
  readonly buttons: readonly vscode.Command[];
  readonly hasWrittenPlan: boolean;
  /** Pages of the web that it rests on. */
  readonly sources: readonly WebSource[];
}

/** Runs a turn and shows it live. What is too long for the panel can be opened as a document (L1). */
export async function showTurn(
  turn: AssistantTurn,
  stream: vscode.ChatResponseStream,
  { longAnswers, references }: { readonly longAnswers: RecentTexts; readonly references: AnswerReferences },
): Promise<DisplayedTurn> {
  let whole = '';
  let hasWrittenPlan = false;
  const sources = new Map<string, WebSource>();
  const openWhole: vscode.Command = {
    command: 'assistant.openAnswer',
    title: l10n.t('Open Whole Answer'),
    arguments: [turn.id],
  };
  const renderer = new AnswerRenderer(stream, {
    openWhole,
    fetchesPictures: fetchesPictures(),
  });
  try {
    for await (const event of turn.events) {
      renderer.render(event);
      references.follow(event);
      if (event.type === 'tool-end' && event.call.name === 'write_plan' && !event.output.isError)
        hasWrittenPlan = true;
      if (event.type === 'tool-end')
        for (const source of event.output.sources ?? []) sources.set(source.url, source);
      if (event.type !== 'turn-end') continue;
      // What was streamed would hold an answer that broke off and was requested again twice.
      if (event.end.reason === 'answered') whole = answerText(event.messages);
      const buttons = renderer.isLong ? [openWhole] : [];
      return { end: event, buttons, hasWrittenPlan, sources: [...sources.values()] };
    }
  } finally {
    renderer.dispose();
    if (renderer.isLong) longAnswers.keep(turn.id, whole || renderer.text.trim());
  }
  throw new Error('The turn ended without saying how.');
}

/** VS Code lists them all, and nobody opens more than these. */
const maxReferences = 20;

/** What VS Code lists above an answer (P5): files sent with the message or touched by tools, and pages of the web. */
export class AnswerReferences {
  readonly #stream: vscode.ChatResponseStream;
  readonly #shown = new Set<string>();

  constructor(stream: vscode.ChatResponseStream) {
    this.#stream = stream;
  }

  /** Each file once, whatever part of it was meant. */
  add(value: vscode.Uri | vscode.Location): void {
    const key = String(value instanceof vscode.Uri ? value : value.uri);
    if (this.#shown.has(key) || this.#shown.size >= maxReferences) return;
    this.#shown.add(key);
    this.#stream.reference(value);
  }

  follow(event: AgentEvent): void {
    if (event.type !== 'tool-end' || event.output.isError) return;
    const folders = new Set(readFolders().map(({ root }) => root));
    // The folder may have been removed from the workspace.
    const files = (event.output.files ?? []).filter(({ folder }) => folders.has(folder.root));
    for (const place of files) this.add(uriOf(place));
    for (const { url } of event.output.sources ?? []) this.add(vscode.Uri.parse(url));
  }
}

/** Texts of the last few turns, by turn id: enough to repeat or open one, only a handful are kept. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(turnId: string): string | undefined {
    return this.#texts.get(turnId);
  }

  keep(turnId: string, text: string): void {
    this.#texts.set(turnId, text);
    const oldest = this.#texts.keys().next();
    if (this.#texts.size > this.#limit && !oldest.done) this.#texts.delete(oldest.value);
  }
}

/** Opens an answer that is too long for the panel as a document. */
export async function openAnswer(answers: RecentTexts, turnId: string): Promise<void> {
  const content = answers.get(turnId);
  if (content === undefined) {
    void inform(l10n.t('This answer is no longer available as a document. It can be copied from the chat.'));
    return;
  }
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language: 'markdown' }),
  );
}
