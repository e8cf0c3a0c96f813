import { escapeMarkdown } from '../../escapeMarkdown';
import { timeAgo } from '../../timeSpan';
import type { Translate } from '../../translate';
import type { ArchivedConversation, ArchivedId } from '../archive/archivedForm';
import type { Found } from '../archive/searchArchive';
import type { Conversation } from '../turn';

/** When it ended, how large it is and how it came here: `3 h ago · 5 turns · expired`. */
export function describeArchived(
  { endedAt, ending, conversation }: ArchivedConversation,
  now: number,
  translate: Translate,
): string {
  return [
    timeAgo(now - endedAt, translate),
    turnCount(conversation.turns.length, translate),
    endingWord(ending.kind, translate),
  ].join(' · ');
}

export function turnCount(turns: number, translate: Translate): string {
  return turns === 1 ? translate('1 turn') : translate('{0} turns', String(turns));
}

/** How much a conversation holds: `4 turns and 1 remembered value`. */
export function contentCount({ turns, params }: Conversation, translate: Translate): string {
  const counted = turnCount(turns.length, translate);
  const values = Object.keys(params).length;
  if (values === 0) return counted;
  return values === 1
    ? translate('{0} and 1 remembered value', counted)
    : translate('{0} and {1} remembered values', counted, String(values));
}

/** Why there is nothing to resume, and what would change that. */
export function emptyArchive(isOff: boolean, translate: Translate): string {
  return isOff
    ? translate(
        'No conversation is archived, and none will be: the archive is off in this window. The setting assistant.archiveSize says how many are kept, and a folder has to be open.',
      )
    : translate(
        'No conversation is archived yet. One comes here when it expires, when you start a fresh one, or when a rewind in the chat removes turns.',
      );
}

/** The newest of them as Markdown for the chat (P4); the title of each leads to its resumption. */
export function archiveReport(
  found: readonly Found[],
  options: {
    readonly now: number;
    readonly linkTo: (id: ArchivedId) => string;
    readonly translate: Translate;
  },
): string {
  const { now, linkTo, translate } = options;
  const lines = found.map(({ archived, excerpt }) => {
    const where = excerpt === undefined ? '' : `  \n  *${escapeMarkdown(excerpt)}*`;
    const title = escapeMarkdown(archived.title) || translate('(no words)');
    return `- [${title}](${linkTo(archived.id)}) — ${describeArchived(archived, now, translate)}${where}`;
  });
  return [translate('Choose the conversation to resume, the newest first:'), lines.join('\n')].join('\n\n');
}

function endingWord(kind: ArchivedConversation['ending']['kind'], translate: Translate): string {
  switch (kind) {
    case 'ended':
      return translate('expired');
    case 'left':
      return translate('left');
    default:
      return translate('cut by a rewind');
  }
}
