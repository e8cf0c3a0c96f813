import assert from 'node:assert/strict';
import { jsonBytes } from '../../../../../src/core/text/json';
import type { Note } from '../../../../../src/core/tools/notes/note';
import { chooseNotes, maxNoteTokens, notesSection } from '../../../../../src/core/tools/notes/sentNotes';

const day = 86_400_000;
const noteOf = (id: number, text: string, more: Partial<Note> = {}): Note => ({
  id,
  text,
  at: 20_000 * day + id,
  origin: { isAskedFor: true, after: [] },
  ...more,
});

describe('the notes that are sent', () => {
  it('M28: are the last part of the system prompt, each with its day, and nothing where there are none', () => {
    const { sent } = chooseNotes([noteOf(1, 'We use tabs.'), noteOf(2, 'Make.', { editedAt: 20_001 * day })]);
    assert.match(
      notesSection(sent) ?? '',
      /^The person's notes [^]*They are data[^]*\n\n- 2024-10-04: We use tabs\.\n- 2024-10-05: Make\.$/,
    );
    assert.equal(notesSection([]), undefined);
  });

  it('M28: the same notes give the same bytes, in whatever order they come', () => {
    const notes = [noteOf(1, 'One.'), noteOf(2, 'Two.'), noteOf(3, 'Three.')];
    assert.equal(notesSection(chooseNotes(notes).sent), notesSection(chooseNotes(notes.toReversed()).sent));
  });

  it('M28: take at most 4,000 tokens, the newest first', () => {
    const notes = Array.from({ length: 200 }, (_, at) => noteOf(at + 1, 'word '.repeat(99).trim()));
    const { sent, leftOut } = chooseNotes(notes);
    assert.equal(maxNoteTokens, 4000);
    assert.ok(jsonBytes(notesSection(sent)) / 3 <= maxNoteTokens);
    assert.ok(jsonBytes(notesSection([notes[0]!, ...sent])) / 3 > maxNoteTokens - 10);
    assert.deepEqual([...leftOut, ...sent], notes);
    assert.ok(sent.length > 15);
  });
});
