import * as l10n from '@vscode/l10n';
import { dollars, tokenCount } from '../../receipt';
import { timeSpan } from '../../text/timeSpan';

/** What the next message will take, before anybody has written it (P6). */
export interface NextMessage {
  readonly model: string;
  /** What it fills of the model's window, and how large that is. */
  readonly tokens: number;
  readonly windowTokens: number;
  readonly parts: NextParts;
  /** What sending it costs in US dollars, before Claude has said a word. Absent when the price is not known. */
  readonly cost?: {
    readonly now: number;
    readonly cold: number;
    /** When the cache goes cold; absent when it is so already. */
    readonly coldAt?: number;
  };
}

/** In tokens. */
export type NextParts = Readonly<
  Record<'instructions' | 'tools' | 'notes' | 'history' | 'plan' | 'message', number>
>;

/** How much of the model's window the next message will fill. */
export function shareOf({ tokens, windowTokens }: NextMessage): string {
  const share = Math.round((100 * tokens) / windowTokens);
  return share === 0 ? l10n.t('<1 %') : l10n.t('{0} %', share);
}

/** What fills the window, what the next message costs now, and what it costs once the cache is cold (P6). */
export function nextSentences(next: NextMessage, model: string, now: number): readonly string[] {
  const { parts, cost } = next;
  const named: readonly (readonly [string, number])[] = [
    [l10n.t('instructions'), parts.instructions],
    [l10n.t('tools'), parts.tools],
    [l10n.t('notes'), parts.notes],
    [l10n.t('history'), parts.history],
    [l10n.t('plan'), parts.plan],
  ];
  const listed = named
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => `${name} ${tokenCount(tokens)}`);
  const filled = l10n.t(
    'A short message now fills {0} of the window of {1}, {2} of {3} tokens: {4}',
    shareOf(next),
    model,
    tokenCount(next.tokens),
    tokenCount(next.windowTokens),
    listed.join(', '),
  );
  // Nobody asks when something that costs nothing would cost more.
  return cost?.cold === 0 ? [filled] : [filled, costSentence(cost, now)];
}

function costSentence(cost: NextMessage['cost'], now: number): string {
  if (!cost) return l10n.t('What it costs is not known: this model has no known price');
  const { cold, coldAt } = cost;
  if (coldAt === undefined) return l10n.t('To send it costs about {0}: the cache is cold', dollars(cold));
  return l10n.t(
    'To send it costs about {0}, and about {1} once the cache is cold, in {2}',
    dollars(cost.now),
    dollars(cold),
    coldAt - now < 60_000 ? l10n.t('<1 min') : timeSpan(coldAt - now),
  );
}
