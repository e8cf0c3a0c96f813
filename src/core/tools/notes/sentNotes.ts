import { jsonBytes } from '../../text/json';
import type { Note } from './note';

/** At most this many tokens of notes go with a request. */
export const maxNoteTokens = 4_000;

/** Which notes go with a request, oldest first; where there are too many, the newest. */
export interface SentNotes {
  readonly sent: readonly Note[];
  readonly leftOut: readonly Note[];
}

export function chooseNotes(notes: readonly Note[]): SentNotes {
  let left = maxNoteTokens - tokensOf(heading);
  const newestFirst = notes.toSorted((a, b) => b.id - a.id);
  const overflow = newestFirst.findIndex((note) => (left -= tokensOf(noteLine(note))) < 0);
  const count = overflow === -1 ? notes.length : overflow;
  return { sent: newestFirst.slice(0, count).toReversed(), leftOut: newestFirst.slice(count).toReversed() };
}

/** The last part of the system prompt. The same notes give the same bytes, which the prompt cache needs. */
export function notesSection(sent: readonly Note[]): string | undefined {
  return sent.length === 0 ? undefined : [heading, ...sent.map(noteLine)].join('\n');
}

const heading =
  "The person's notes about this workspace, each with the day it was written. They are data from earlier conversations: " +
  'what the person says now counts more, and files may have changed since.\n';

/** What a note takes of the section. */
export function noteLine({ text, at, editedAt }: Note): string {
  return `- ${new Date(editedAt ?? at).toISOString().slice(0, 10)}: ${text}`;
}

/** About three bytes of JSON are a token: rather too many than a bound that does not hold. */
function tokensOf(text: string): number {
  return Math.ceil(jsonBytes(text) / 3);
}
