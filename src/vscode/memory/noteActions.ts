import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ellipsize } from '../../core/text/cutText';
import { paragraph } from '../../core/text/joined';
import { describeNoteProblem, noteProblem } from '../../core/tools/notes/note';
import type { Notes } from '../../core/tools/notes/notes';
import { inform, offer } from '../notify';
import type { Lasting } from './lasting';

/** In the sentence of a notification. */
const shownChars = 60;

/** Shows its text to be changed, and refuses what cannot be a note. */
export async function editNote(notes: Notes, id: number): Promise<void> {
  const note = (await notes.list()).find((one) => one.id === id);
  if (!note) return tellGone();
  const text = await vscode.window.showInputBox({
    title: l10n.t('Edit Note'),
    prompt: l10n.t('Claude gets it with every message in this workspace.'),
    value: note.text,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const problem = noteProblem(value);
      return problem && describeNoteProblem(problem);
    },
  });
  if (text === undefined || text === note.text) return;
  if (!(await notes.edit(id, text))) await tellGone();
}

/** With Undo. Also what the link below an answer does, which is there when the note is long gone. */
export async function forgetNote(notes: Notes, id: number): Promise<void> {
  const words = (await notes.list()).find((note) => note.id === id)?.words;
  const forgotten = await notes.forget([id]);
  const [note] = forgotten;
  if (!note) return tellGone();
  const sentences = [
    l10n.t('Forgot the note “{0}”.', ellipsize(note.text, shownChars)),
    ...(words === undefined
      ? []
      : [l10n.t('The turn it came from still speaks of it, until that goes, too.')]),
  ];
  await offer(paragraph(sentences), l10n.t('Undo'), () => notes.restore(forgotten));
}

/** What the button below `/clear` does. */
export async function eraseNotes(notes: Notes): Promise<void> {
  const erased = await notes.forgetAll();
  if (erased.length === 0) return tellGone();
  await offer(l10n.t('Erased, too: {0}.', noteCount(erased.length)), l10n.t('Undo'), () =>
    notes.restore(erased),
  );
}

/** Notes, in the questions of Clear and Delete All. */
export function lastingNotes(notes: Notes): Lasting {
  return {
    async describe() {
      const { length } = await notes.known();
      return length === 0 ? undefined : noteCount(length);
    },
    buttons: {
      clear: () => l10n.t('Clear, and Erase Notes'),
      deleteAll: () => l10n.t('Delete All with Notes'),
    },
    async erase() {
      const erased = await notes.forgetAll();
      return () => notes.restore(erased);
    },
  };
}

function noteCount(count: number): string {
  return count === 1 ? l10n.t('1 note') : l10n.t('{0} notes', count);
}

async function tellGone(): Promise<void> {
  await inform(l10n.t('There is nothing left to do: this note is gone.'));
}
