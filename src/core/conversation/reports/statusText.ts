import * as l10n from '@vscode/l10n';
import { tokenCount } from '../../receipt';
import { paragraph, spokenSentences, wordList } from '../../text/joined';
import { escapeMarkdown } from '../../text/markdown';
import { timeSpan } from '../../text/timeSpan';
import type { PermissionMode } from '../../tools/permissions';
import { isEmpty } from '../changes';
import type { Conversation, ConversationId } from '../turn';
import { tokensOf, type ConversationView, type MemoryLimits } from '../view';
import { daySentences, type Today } from './daySum';
import { conversationDetails } from './memoryTree';
import { nextSentences, shareOf, type NextMessage, type NextWording } from './nextMessage';

/** What the status bar says of the current conversation (P6). */
export interface StatusText {
  /** `6/10 · 24 min · 18 %` */
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
  /** Claude has asked for a value and waits for it. */
  readonly isWaiting: boolean;
  /** After so many milliseconds it may say something else. Absent: it stays until something changes. */
  readonly redrawAfter?: number;
}

export function statusText(
  views: ReadonlyMap<ConversationId, ConversationView>,
  {
    current,
    limits,
    mode = 'ask',
    next,
    today,
    now,
    nameOfModel = String,
    timeOfDay = String,
  }: Partial<NextWording> & {
    readonly current: ConversationId;
    readonly limits: MemoryLimits;
    readonly mode?: PermissionMode;
    /** What the next message of the current conversation will take, where that is known. */
    readonly next?: NextMessage | undefined;
    readonly today?: Today | undefined;
    readonly now: number;
  },
): StatusText {
  const live = [...views.values()].filter(({ conversation }) => !isEmpty(conversation));
  const view = live.find(({ conversation }) => conversation.id === current);
  const others = othersSentence(live.length - (view ? 1 : 0));
  const first = nextEnding(live);
  const cold = next?.cost && 'later' in next.cost ? next.cost.later[0]?.at : undefined;
  const soonest = Math.min(first ?? Infinity, cold === undefined ? Infinity : cold - now);
  const redraw = soonest === Infinity ? {} : { redrawAfter: redrawAfter(soonest) };
  const share = next ? [shareOf(next)] : [];
  const forecast = [
    ...(next ? nextSentences(next, { nameOfModel, timeOfDay }) : []),
    ...(today ? daySentences(today) : []),
  ];
  const turns = view?.conversation.turns.length ?? 0;
  const kept = limits.maxTurns > 0 ? `${turns}/${limits.maxTurns}` : String(turns);
  const permission = permissionSentence(mode);
  if (!view) {
    const nothing = others
      ? nothingCurrent()
      : l10n.t('Nothing is remembered. Your next message starts a fresh conversation.');
    const elsewhere = others ? [others] : [];
    const spoken = [...elsewhere, ...forecast, ...permission.sentences];
    return {
      text: [kept, ...share, ...permission.text].join(' · '),
      tooltip: [nothing, ...elsewhere, ...forecast.map(escapeMarkdown), ...permission.sentences].join('\n\n'),
      spoken: paragraph([nothing, ...(spoken.length > 0 ? [spokenSentences(spoken)] : [])]),
      isWaiting: false,
      ...redraw,
    };
  }
  const { conversation, endsIn } = view;
  const question =
    conversation.waiting && l10n.t('Claude waits for your answer: {0}', conversation.waiting.question);
  const sentences = [
    l10n.t('Remembered: {0}', wordList(conversationDetails(view, { limits }))),
    budgetSentence(conversation, limits),
    ...(question ? [question] : []),
    ...forecast,
    ...(others ? [others] : []),
    ...permission.sentences,
  ];
  const left = endsIn === undefined ? [] : [endsIn < 60_000 ? l10n.t('<1 min') : timeSpan(endsIn)];
  return {
    text: [kept, ...left, ...share, ...permission.text].join(' · '),
    tooltip: sentences.map(escapeMarkdown).join('\n\n'),
    spoken: spokenSentences(sentences),
    isWaiting: question !== undefined,
    ...redraw,
  };
}

/** A mode that does not ask about everything is seen all the time (R1). */
function permissionSentence(mode: PermissionMode) {
  if (mode === 'ask') return { text: [], sentences: [] };
  return mode === 'edits'
    ? {
        text: [l10n.t('edits')],
        sentences: [l10n.t('Edits mode: files of the workspace are changed without asking')],
      }
    : {
        text: [l10n.t('read-only')],
        sentences: [l10n.t('Read-only mode: nothing with side effects runs')],
      };
}

/** In how many milliseconds the first of them expires; nothing when none does by itself. */
export function nextEnding(views: Iterable<ConversationView>): number | undefined {
  const endings = [...views].flatMap(({ endsIn }) => endsIn ?? []);
  return endings.length > 0 ? Math.min(...endings) : undefined;
}

/** When to show it again: right after something has ended, at least every minute, and never more than once a second. */
export function redrawAfter(nextEndingMs: number): number {
  return Math.min(60_000, Math.max(1_000, nextEndingMs + 50));
}

/** What is remembered belongs to other chat threads. */
export function nothingCurrent(): string {
  return l10n.t('The current conversation is empty.');
}

function othersSentence(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? l10n.t('1 other conversation is remembered')
    : l10n.t('{0} other conversations are remembered', count);
}

function budgetSentence(conversation: Conversation, { tokenBudget }: MemoryLimits): string {
  const { turns, summary } = conversation;
  const isEstimate = summary !== undefined || turns.some((turn) => turn.tokens === undefined);
  const shown = `${isEstimate ? '≈' : ''}${tokenCount(tokensOf(conversation))}`;
  return tokenBudget > 0
    ? l10n.t('{0} of at most {1} tokens in each request', shown, tokenCount(tokenBudget))
    : l10n.t('{0} tokens in each request', shown);
}
