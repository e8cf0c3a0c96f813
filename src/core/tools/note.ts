import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { ellipsize } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { confirmNote } from './confirmation';
import { objectOf, string } from './inputSchema';
import { isAskedFor } from './notes/askedFor';
import { maxNoteChars, maxNotes, noteProblem, noteText, type NoteProblem } from './notes/note';
import { defineTool } from './workspaceTool';

interface Input {
  readonly text: string;
}

/** Of what was read before a note was proposed. */
const keptSources = 20;

/** In the line of the call. */
const shownChars = 80;

/** M28: nothing is kept that the person has neither asked for in their own words nor seen in a card. */
export const note = defineTool<Input>({
  name: 'note',
  title: () => l10n.t('Write Note'),
  description:
    'Keep a note about this workspace for months: how to build or test it, a convention, a decision with its reason. All ' +
    'notes come with every later conversation here. When the person asks you to note or remember something for good, note it ' +
    'in their own words. What you propose yourself, above all from files, tools or the web, they see first and may refuse: ' +
    'propose it rarely. One short paragraph that can be understood alone, in their language. Not for secrets, for what ' +
    'stands in a file anyway, or for this task only (that is remember).',
  effect: 'writes',
  inputSchema: objectOf({ text: string(`The note, at most ${maxNoteChars} characters.`) }),
  async prepare(input, { workspace, notes, turn }) {
    if (!workspace.isTrusted())
      throw new ToolError(
        'The person has not trusted this workspace, so that nothing is noted. Go on without.',
      );
    const text = noteText(input.text);
    const problem = noteProblem(text);
    if (problem) throw new ToolError(whatInstead[problem]);
    const progress = l10n.t('Noting {0}', codeSpan(ellipsize(text, shownChars)));
    // Nobody is asked about what is there.
    if ((await notes.list()).some((known) => known.text === text))
      return { progress, run: async () => ({ content: 'This is noted already.' }) };
    const isAsked = turn !== undefined && isAskedFor(text, turn.words);
    const read = turn?.read() ?? [];
    const origin = {
      ...(turn && { turnId: turn.id }),
      isAskedFor: isAsked,
      after: isAsked ? [] : read.slice(0, keptSources),
    };
    return {
      progress,
      ...(!isAsked && { confirmation: confirmNote(text, turn && read) }),
      async run() {
        const { type } = await notes.add(text, origin);
        if (type === 'full')
          throw new ToolError(
            `There are ${maxNotes} notes, which is as many as can be kept. Ask the person to forget some in the Memory view.`,
          );
        return { content: 'Noted. The person sees it below your answer, so do not repeat it.' };
      },
    };
  },
});

const whatInstead: Readonly<Record<NoteProblem, string>> = {
  empty: 'There is nothing to note: give the text of the note.',
  long: `A note has at most ${maxNoteChars} characters: say it shorter, or point to a file that says it.`,
  secret:
    'This looks like it holds a key, a token or a password, and notes never do. Note where the secret is kept instead, or ' +
    'nothing at all, and do not repeat it.',
};
