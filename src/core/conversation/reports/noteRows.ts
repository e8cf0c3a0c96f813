import * as l10n from '@vscode/l10n';
import { paragraph, wordList } from '../../text/joined';
import { codeSpan, escapeMarkdown, table } from '../../text/markdown';
import { timeAgo } from '../../text/timeSpan';
import { noteSource } from '../../tools/confirmation';
import type { ListedNote } from '../../tools/notes/note';
import { chooseNotes, maxNoteTokens } from '../../tools/notes/sentNotes';
import type { TurnId } from '../turn';
import { labelChars, paragraphs, row, shortened, type MemoryNode, type MemoryTreeOptions } from './memoryRow';

/** The notes of the workspace, newest first; none where there are none (M28). */
export function notesNodes({
  notes = [],
  now,
}: Pick<MemoryTreeOptions, 'notes' | 'now'>): readonly MemoryNode[] {
  if (notes.length === 0) return [];
  const leftOut = unsentIds(notes);
  return [
    row({
      id: 'notes',
      subject: { kind: 'notes' },
      label: l10n.t('Notes'),
      details: [String(notes.length), ...(leftOut.size > 0 ? [l10n.t('{0} not sent', leftOut.size)] : [])],
      tooltip: l10n.t(
        'Claude gets them with every message in this workspace. They stay when a conversation ends or is cleared.',
      ),
      children: notes.toReversed().map((note) => {
        const isSent = !leftOut.has(note.id);
        return row({
          id: `note/${note.id}`,
          subject: { kind: 'note', id: note.id, turn: keptTurn(note) },
          label: shortened(note.text, 2 * labelChars),
          details: [
            ...(isSent ? [] : [l10n.t('not sent')]),
            timeAgo(now - note.at),
            ...(note.words === undefined ? [] : [l10n.t('from “{0}”', shortened(note.words, labelChars))]),
          ],
          tooltip: paragraphs([escapeMarkdown(note.text), provenance(note, now), !isSent && whyUnsent()]),
          spoken: wordList([note.text, timeAgo(now - note.at)]),
        });
      }),
    }),
  ];
}

/** As Markdown for `/memory`. */
export function notesTable(notes: readonly ListedNote[], now: number): string {
  const leftOut = unsentIds(notes);
  const rows = notes
    .toReversed()
    .map((note) => [
      `${escapeMarkdown(note.text)}${leftOut.has(note.id) ? ` *(${l10n.t('not sent')})*` : ''}`,
      timeAgo(now - note.at),
    ]);
  return table([l10n.t('Note'), l10n.t('When')], rows);
}

/** Words are known of turns that are kept. */
function keptTurn({ origin, words }: ListedNote): TurnId | undefined {
  return words === undefined ? undefined : origin.turnId;
}

/** Who wanted it, when, and in which turn. */
function provenance({ at, editedAt, origin, words }: ListedNote, now: number): string {
  const { isAskedFor, turnId, after } = origin;
  return paragraph([
    isAskedFor
      ? l10n.t('You asked for it {0}.', timeAgo(now - at))
      : l10n.t('You allowed it {0}.', timeAgo(now - at)),
    ...(isAskedFor ? [] : [noteSource(turnId === undefined ? undefined : after, codeSpan)]),
    ...(words === undefined ? [] : [escapeMarkdown(l10n.t('In the turn “{0}”.', shortened(words, 60)))]),
    ...(editedAt === undefined ? [] : [l10n.t('You edited it {0}.', timeAgo(now - editedAt))]),
  ]);
}

function whyUnsent(): string {
  return l10n.t('Not sent: newer notes take the {0} tokens that there are for notes.', maxNoteTokens);
}

function unsentIds(notes: readonly ListedNote[]): ReadonlySet<number> {
  return new Set(chooseNotes(notes).leftOut.map(({ id }) => id));
}
