import * as l10n from '@vscode/l10n';
import { timeAgo } from '../../text/timeSpan';
import { turnCount } from '../reports/archiveReport';
import type { ThreadView } from './threads';

/** One line below the first answer, with the one thing to do about it. */
export interface ThreadNotice {
  readonly text: string;
  readonly action:
    | { readonly kind: 'start-fresh'; readonly keepThread: string }
    | { readonly kind: 'continue-ended'; readonly archiveId: string };
}

/** M13: turns that left the panel with its window are still remembered, which nobody sees otherwise. */
export function lostNotice(turns: number): string {
  return turns === 1
    ? l10n.t('VS Code no longer shows your last message from before the reload. Claude still knows it.')
    : l10n.t(
        'VS Code no longer shows your last {0} messages from before the reload. Claude still knows them.',
        turns,
      );
}

/** M11, M20: says what Claude knows from before, or no longer knows. */
export function threadNotice(
  { continues, ended, thread }: Pick<ThreadView, 'continues' | 'ended' | 'thread'>,
  now: number,
): ThreadNotice | undefined {
  if (continues) {
    const age = timeAgo(now - continues.lastActive);
    const turns = turnCount(continues.turns);
    return {
      text: continues.isFromBefore
        ? l10n.t('Continues the conversation of {0} from before the restart, last active {1}.', turns, age)
        : l10n.t('Continues a conversation of {0}, last active {1}.', turns, age),
      action: { kind: 'start-fresh', keepThread: thread },
    };
  }
  if (ended) {
    const age = timeAgo(now - ended.endedAt);
    const turns = turnCount(ended.turns);
    return {
      text: l10n.t('An older conversation of {0} ended {1}.', turns, age),
      action: { kind: 'continue-ended', archiveId: ended.archiveId },
    };
  }
  return undefined;
}
