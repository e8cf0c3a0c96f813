import * as l10n from '@vscode/l10n';
import { escapeMarkdown } from '../../text/markdown';
import { timeAgo } from '../../text/timeSpan';
import type { Left } from '../archive/archive';
import { isEmpty } from '../changes';
import type { FoundConversation, FoundTurn } from '../recall/searchTurns';
import type { ArchivedHeader } from '../store';
import { valuesOf, type ArchivedId, type Conversation } from '../turn';

/** When it ended, how large it is and how it came here: `3 h ago · 5 turns · expired`. */
export function describeArchived(archived: ArchivedHeader, now: number): string {
  return archivedDetails(archived, now).join(' · ');
}

export function archivedDetails({ endedAt, ending, turns }: ArchivedHeader, now: number): readonly string[] {
  return [timeAgo(now - endedAt), turnCount(turns), endingWord(ending.kind)];
}

export function turnCount(turns: number): string {
  return turns === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', turns);
}

/** How much a conversation holds: `4 turns and 1 remembered value`. */
export function contentCount(conversation: Conversation): string {
  // Those that a summary stands for are counted where nothing else is there, as the Memory view does it.
  const counted = turnCount(conversation.turns.length || conversation.summarized.length);
  const values = valuesOf(conversation).size;
  if (values === 0) return counted;
  if (!hasTurns(conversation))
    return values === 1 ? l10n.t('1 remembered value') : l10n.t('{0} remembered values', values);
  return values === 1
    ? l10n.t('{0} and 1 remembered value', counted)
    : l10n.t('{0} and {1} remembered values', counted, values);
}

/** Values outlive the turns that they came from, and the archive keeps no conversation without a turn. */
export function hasTurns({ turns, summarized }: Conversation): boolean {
  return turns.length + summarized.length > 0;
}

/** What Start Fresh says of the conversation that it left. */
export function describeLeft({ left, archivedAs }: Left): string {
  if (!left || isEmpty(left))
    return l10n.t('Nothing older is remembered: your next message starts a fresh conversation anyway.');
  const count = contentCount(left);
  if (archivedAs !== undefined)
    return l10n.t(
      'A fresh conversation begins. The one before ({0}) is in the archive; Resume Conversation… brings it back.',
      count,
    );
  return hasTurns(left)
    ? l10n.t('A fresh conversation begins. The one before ({0}) is erased.', count)
    : l10n.t('A fresh conversation begins. What was left of the one before ({0}) is forgotten.', count);
}

/** Why there is nothing to resume, and what would change that. */
export function emptyArchive(isOff: boolean): string {
  return isOff
    ? l10n.t(
        'No conversation is archived, and none will be: the archive is off in this window. The setting assistant.archiveSize says how many are kept, and a folder has to be open.',
      )
    : l10n.t(
        'No conversation is archived yet. One comes here when it expires, when you start a fresh one, or when a rewind in the chat removes turns.',
      );
}

/** The newest of them as Markdown for the chat (P4); the title of each leads to its resumption. */
export function archiveReport(
  found: readonly (Pick<FoundConversation, 'archived'> & { readonly found?: Pick<FoundTurn, 'excerpt'> })[],
  options: {
    readonly isSearch: boolean;
    readonly now: number;
    readonly linkTo: (id: ArchivedId) => string;
  },
): string {
  const { now, linkTo } = options;
  const lines = found.map(({ archived, found: turn }) => {
    const where = turn ? `  \n  *${escapeMarkdown(turn.excerpt)}*` : '';
    const title = escapeMarkdown(archived.title) || l10n.t('(empty)');
    return `- [${title}](${linkTo(archived.id)}) — ${describeArchived(archived, now)}${where}`;
  });
  const heading = options.isSearch
    ? l10n.t('Choose the conversation to resume, the best match first:')
    : l10n.t('Choose the conversation to resume, the newest first:');
  return [heading, lines.join('\n')].join('\n\n');
}

function endingWord(kind: ArchivedHeader['ending']['kind']): string {
  switch (kind) {
    case 'ended':
      return l10n.t('expired');
    case 'left':
      return l10n.t('left for another');
    default:
      return l10n.t('cut by a rewind');
  }
}
