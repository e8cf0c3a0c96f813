import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { describeWait } from '../../core/agent/describeEnd';
import type { AgentEvent } from '../../core/agent/events';
import { ThoughtSentences } from '../../core/agent/thoughtSentences';
import { characterEnd } from '../../core/text/cutText';
import { wordList } from '../../core/text/joined';
import { codeSpan, escapeMarkdown } from '../../core/text/markdown';
import { PictureFilter } from '../../core/text/pictureFilter';
import { describeAllowed, type Allowed } from '../../core/tools/permissions';

/** VS Code silently cuts one Markdown part at 100,000 characters; a button between two parts keeps them apart. */
const maxPartChars = 90_000;
const batchMs = 100;

/** Shows a turn in the chat panel as it happens. */
export class AnswerRenderer implements vscode.Disposable {
  readonly #stream: vscode.ChatResponseStream;
  readonly #openWhole: vscode.Command;
  readonly #pictures: PictureFilter | undefined;
  readonly #thought = new ThoughtSentences();
  readonly #shown: string[] = [];
  #pending = '';
  #partChars = 0;
  #hasText = false;
  /** The answer broke off in mid-text, and is requested again. */
  #isMidText = false;
  #isLong = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    stream: vscode.ChatResponseStream,
    options: {
      readonly openWhole: vscode.Command;
      /** Whether the panel would fetch pictures of the web that an answer names (S6). */
      readonly fetchesPictures: boolean;
    },
  ) {
    this.#stream = stream;
    this.#openWhole = options.openWhole;
    this.#pictures = options.fetchesPictures ? new PictureFilter() : undefined;
  }

  /** Whether the answer has outgrown one part. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** All that was shown. */
  get text(): string {
    return this.#shown.join('');
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
        this.#showThoughts(this.#thought.end());
        this.#hasText = true;
        this.#pending += event.text;
        // The first piece at once, then in batches: one by one they would lag behind.
        if (this.#timer === undefined) this.#flushAndWait();
        return;
      case 'thinking-delta':
        this.#showThoughts(this.#thought.add(event.text));
        return;
      case 'retry-wait':
        // The next attempt has thoughts of its own.
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
        this.#showThoughts(this.#thought.end());
        this.#flush();
        if (event.progress !== undefined) this.#progress(event.progress);
        return;
      case 'tool-progress':
        this.#flush();
        this.#progress(event.text);
        return;
      case 'round-end':
        this.#showThoughts(this.#thought.end());
        this.#flush();
        return;
      case 'turn-end':
        this.#showThoughts(this.#thought.end());
        // The question is the answer of this turn. It is stored already, whatever happens to this window.
        if (event.end.reason === 'asked') this.#pending += `\n\n${event.end.question.question}`;
        this.#flush();
        return;
      case 'tool-end':
        // R4. VS Code writes the lines of tools that are not ours, and hides ours of progress again.
        if (event.output.unasked?.isShown === false) {
          this.#flush();
          this.#markdown(`\n\n*${describeUnasked(event.call.name, event.output.unasked.because)}*\n\n`);
        }
        return;
      case 'instructions-told':
        this.#flush();
        this.#progress(
          l10n.t('Instructions added: {0}', wordList(event.files.map(({ path }) => codeSpan(path)))),
        );
        return;
      case 'request-end':
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

  /** What Claude thinks, so that the panel does not go silent. */
  #showThoughts(thoughts: readonly string[]): void {
    if (thoughts.length === 0) return;
    this.#flush();
    for (const thought of thoughts) this.#progress(escapeMarkdown(thought));
  }

  /** VS Code collapses the text before a progress line, so there is none in mid-sentence. */
  #progress(text: string): void {
    if (!this.#isMidText) this.#stream.progress(text);
  }

  #flushAndWait(): void {
    this.#show(this.#taken());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending) this.#flushAndWait();
    }, batchMs);
  }

  /** All of it, since something else comes, or nothing. */
  #flush(): void {
    this.#show(this.#taken() + (this.#pictures?.end() ?? ''));
  }

  #taken(): string {
    const text = this.#pending;
    this.#pending = '';
    return this.#pictures?.add(text) ?? text;
  }

  #show(text: string): void {
    if (text) this.#markdown(text);
  }

  #markdown(text: string): void {
    this.#shown.push(text);
    let rest = text;
    while (this.#partChars + rest.length >= maxPartChars) {
      const end = endOfPart(rest, maxPartChars - this.#partChars);
      const head = rest.slice(0, end);
      this.#stream.markdown(this.#pictures ? PictureFilter.cutOff(head) : head);
      this.#stream.button(this.#openWhole);
      this.#partChars = 0;
      this.#isLong = true;
      // Code goes on in the next part as if it were text, and its end begins code there.
      rest = this.#pictures?.restart(rest.slice(end)) ?? rest.slice(end);
    }
    if (!rest) return;
    this.#stream.markdown(rest);
    this.#partChars += rest.length;
  }
}

function describeUnasked(tool: string, because: Allowed): string {
  return l10n.t('Used {0} ({1})', codeSpan(tool), describeAllowed(because));
}

export function describeSummaryStart(turns: number): string {
  return turns === 1
    ? l10n.t('Summarizing the oldest turn…')
    : l10n.t('Summarizing the {0} oldest turns…', turns);
}

/** Where to end a part that is full: after a line where there is one, and never inside a character. */
function endOfPart(text: string, room: number): number {
  const lineEnd = text.lastIndexOf('\n', room - 1) + 1;
  return lineEnd > 0 ? lineEnd : characterEnd(text, room);
}
