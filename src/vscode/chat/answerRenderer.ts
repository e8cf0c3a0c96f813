import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { describeWait } from '../../core/agent/describeEnd';
import type { AgentEvent } from '../../core/agent/events';
import { escapeMarkdown } from '../../core/escapeMarkdown';
import { ThoughtSentences } from '../../core/thoughtSentences';

/** VS Code cuts one Markdown part at 100,000 characters without a word; a button between two parts keeps them apart. */
const maxPartChars = 90_000;
const batchMs = 100;

/** Shows a turn in the chat panel as it happens. */
export class AnswerRenderer implements vscode.Disposable {
  readonly #stream: vscode.ChatResponseStream;
  readonly #openWhole: vscode.Command;
  readonly #thought = new ThoughtSentences();
  #pending = '';
  #partChars = 0;
  #hasText = false;
  /** The answer broke off in its text, and is asked for again. */
  #isMidText = false;
  #isLong = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stream: vscode.ChatResponseStream, openWhole: vscode.Command) {
    this.#stream = stream;
    this.#openWhole = openWhole;
  }

  /** Whether the answer has outgrown one part. */
  get isLong(): boolean {
    return this.#isLong;
  }

  render(event: AgentEvent): void {
    switch (event.type) {
      case 'summary-start':
        this.#stream.progress(describeSummaryStart(event.turns));
        return;
      case 'request-start':
        // What Claude says after a tool round is a paragraph of its own.
        if (this.#hasText && !event.continues) this.#pending += '\n\n';
        this.#isMidText = false;
        return;
      case 'text-delta':
        this.#tell(this.#thought.end());
        this.#hasText = true;
        this.#pending += event.text;
        // The first piece at once; after that, pieces by time: one by one they would lag behind.
        if (this.#timer === undefined) this.#flushAndWait();
        return;
      case 'thinking-delta':
        this.#tell(this.#thought.add(event.text));
        return;
      case 'retry-wait':
        // It thinks anew.
        this.#thought.end();
        this.#flush();
        this.#isMidText = event.isMidText;
        this.#progress(escapeMarkdown(describeWait(event.error, event.delayMs)));
        return;
      case 'notice':
        this.#flush();
        this.#markdown(`\n\n*${escapeMarkdown(event.text)}*\n\n`);
        return;
      case 'tool-start':
      case 'round-end':
      case 'turn-end':
        this.#tell(this.#thought.end());
        this.#flush();
        return;
      case 'request-end':
      case 'tool-end':
      case 'question-open':
      case 'question-answered':
        return;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flush();
  }

  /** What Claude thinks, so that the panel does not go silent; after what was said before. */
  #tell(thoughts: readonly string[]): void {
    if (thoughts.length === 0) return;
    this.#flush();
    for (const thought of thoughts) this.#progress(thought);
  }

  /** VS Code takes a line of progress for the next step, and folds the text before it away: not in mid-sentence. */
  #progress(text: string): void {
    if (!this.#isMidText) this.#stream.progress(text);
  }

  #flushAndWait(): void {
    this.#flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending) this.#flushAndWait();
    }, batchMs);
  }

  #flush(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text) this.#markdown(text);
  }

  #markdown(text: string): void {
    let rest = text;
    while (this.#partChars + rest.length >= maxPartChars) {
      const end = endOfPart(rest, maxPartChars - this.#partChars);
      this.#stream.markdown(rest.slice(0, end));
      this.#stream.button(this.#openWhole);
      this.#partChars = 0;
      this.#isLong = true;
      rest = rest.slice(end);
    }
    if (!rest) return;
    this.#stream.markdown(rest);
    this.#partChars += rest.length;
  }
}

export function describeSummaryStart(turns: number): string {
  return turns === 1
    ? l10n.t('Summarizing the oldest turn…')
    : l10n.t('Summarizing the {0} oldest turns…', turns);
}

/** Where to end a part that is full: after a line where there is one, and never inside a character. */
function endOfPart(text: string, room: number): number {
  const lineEnd = text.lastIndexOf('\n', room - 1) + 1;
  if (lineEnd > 0) return lineEnd;
  const isLowSurrogate = /[\uDC00-\uDFFF]/.test(text.charAt(room));
  return isLowSurrogate ? room + 1 : room;
}
