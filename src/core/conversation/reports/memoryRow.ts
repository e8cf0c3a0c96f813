import { ellipsize, inOneLine } from '../../text/cutText';
import { labeled, wordList } from '../../text/joined';
import { escapeMarkdown } from '../../text/markdown';
import type { ListedNote, Note } from '../../tools/notes/note';
import type { Plan } from '../../tools/plans/plan';
import type { ArchivedId, ConversationId, TurnId } from '../turn';
import type { MemoryLimits } from '../view';

/** One row of the Memory view, with all that is below it. */
export interface MemoryNode {
  /** The same row has the same id after every change. */
  readonly id: string;
  readonly subject: MemorySubject;
  readonly label: string;
  readonly description: string;
  /** Markdown. */
  readonly tooltip: string;
  /** What a screen reader says instead of label and description. */
  readonly spoken: string;
  readonly children: readonly MemoryNode[];
}

/** What a row is about, and so what can be done with it. */
export type MemorySubject =
  | {
      readonly kind: 'conversation' | 'summary' | 'values' | 'question';
      readonly conversation: ConversationId;
    }
  | {
      readonly kind: 'turn';
      readonly conversation: ConversationId;
      readonly turn: TurnId;
      readonly isPinned: boolean;
      readonly isInterrupted: boolean;
    }
  | {
      readonly kind: 'value';
      readonly conversation: ConversationId;
      readonly name: string;
      readonly isRevealed: boolean;
    }
  | { readonly kind: 'plan'; readonly id: number; readonly state: 'draft' | 'started' | 'closed' }
  | {
      readonly kind: 'note';
      readonly id: Note['id'];
      /** The turn it came from, while that is kept. */
      readonly turn?: TurnId | undefined;
    }
  | { readonly kind: 'archive' | 'notes' | 'plans' }
  | { readonly kind: 'archived'; readonly id: ArchivedId };

export interface MemoryTreeOptions {
  readonly limits: MemoryLimits;
  readonly now: number;
  /** The conversation that commands are about. */
  readonly current: ConversationId;
  /** Oldest first. */
  readonly notes?: readonly ListedNote[];
  readonly isRevealed: (conversation: ConversationId, param: string) => boolean;
  readonly nameOfModel?: (id: string) => string;
  /** The open one first. */
  readonly plans?: readonly Plan[];
}

/** What fits into a side bar of the usual width, with room for what follows: VS Code cuts that, never the label. */
export const labelChars = 20;

/** Of that a screen reader says more: it has room, and rows that begin alike are told apart. */
export const spokenChars = 60;

/** Fills in what follows from the rest. */
export function row(node: {
  readonly id: string;
  readonly subject: MemorySubject;
  readonly label: string;
  /** What a screen reader says for the label, where that is cut. */
  readonly spokenLabel?: string;
  readonly details: readonly string[];
  readonly tooltip?: string;
  readonly spoken?: string;
  readonly children?: readonly MemoryNode[];
}): MemoryNode {
  const { details, spokenLabel = '', tooltip = '', children = [], ...rest } = node;
  return {
    ...rest,
    description: details.join(' · '),
    tooltip: tooltip || escapeMarkdown(labeled(rest.label, wordList(details))),
    spoken: rest.spoken ?? wordList([spokenLabel || rest.label, ...details]),
    children,
  };
}

export function paragraphs(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join('\n\n');
}

/** In one line, and never cut inside a character. */
export function shortened(text: string, maxChars: number): string {
  return ellipsize(inOneLine(text), maxChars);
}
