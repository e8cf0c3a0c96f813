import * as l10n from '@vscode/l10n';
import { looksLikeSecret } from '../../secrets/looksLikeSecret';
import { inOneLine } from '../../text/cutText';
import { withoutDisguise } from '../../text/plainText';

/** What is worth knowing for months about a workspace (M28): one paragraph in one line. */
export interface Note {
  /** Greater for newer ones, and never given twice. */
  readonly id: number;
  readonly text: string;
  readonly at: number;
  /** When the person changed its text. */
  readonly editedAt?: number | undefined;
  readonly origin: NoteOrigin;
}

/** Where a note came from. */
export interface NoteOrigin {
  /** Undefined for one of another chat. */
  readonly turnId?: string | undefined;
  /** The person's own message asked for it; otherwise Claude proposed it, and they agreed. */
  readonly isAskedFor: boolean;
  /** What had been read in the turn before Claude proposed it. */
  readonly after: readonly string[];
}

/** A note with the first words of its turn, where that is still known. */
export interface ListedNote extends Note {
  readonly words?: string | undefined;
}

export const maxNoteChars = 500;
/** More than anybody looks through, and than is ever sent. */
export const maxNotes = 200;

/** As it is kept. */
export function noteText(text: string): string {
  return inOneLine(withoutDisguise(text.normalize('NFC')));
}

export type NoteProblem = 'empty' | 'long' | 'secret';

/** Why a text cannot be a note. */
export function noteProblem(text: string): NoteProblem | undefined {
  const kept = noteText(text);
  if (kept === '') return 'empty';
  if (Array.from(kept).length > maxNoteChars) return 'long';
  return looksLikeSecret(kept) ? 'secret' : undefined;
}

/** The same for the person who edits one. */
export function describeNoteProblem(problem: NoteProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('A note needs some words. Forget removes it.');
    case 'long':
      return l10n.t('A note has at most {0} characters.', maxNoteChars);
    case 'secret':
      break;
  }
  return l10n.t('This looks like a key or a password. Notes go with every message, so they hold none.');
}
