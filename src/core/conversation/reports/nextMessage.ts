import * as l10n from '@vscode/l10n';
import { dollars, tokenCount } from '../../receipt';
import { wordList } from '../../text/joined';

/** What the next message will take, before anybody has written it (P6). */
export interface NextMessage {
  readonly model: string;
  /** What it fills of the model's window, and how large that is. */
  readonly tokens: number;
  readonly windowTokens: number;
  readonly parts: NextParts;
  /** What sending it costs in US dollars, before Claude has said a word. Absent when the price is not known. */
  readonly cost?:
    | {
        readonly now: number;
        /** Once the cache has less of it, in the end nothing; empty when it has nothing already. */
        readonly later: readonly LaterCost[];
      }
    /** Where it is not known what the cache has. */
    | { readonly atMost: number };
}

export interface LaterCost {
  readonly at: number;
  readonly cost: number;
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

export interface NextWording {
  readonly nameOfModel: (id: string) => string;
  /** `14:05` */
  readonly timeOfDay: (at: number) => string;
}

/** What fills the window, what the next message costs now, and what it costs once the cache is cold (P6). */
export function nextSentences(next: NextMessage, { nameOfModel, timeOfDay }: NextWording): readonly string[] {
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
    nameOfModel(next.model),
    tokenCount(next.tokens),
    tokenCount(next.windowTokens),
    wordList(listed),
  );
  return [filled, ...costSentences(cost, timeOfDay)];
}

function costSentences(cost: NextMessage['cost'], timeOfDay: NextWording['timeOfDay']): readonly string[] {
  if (!cost) return [l10n.t('What it costs is not known: this model has no known price')];
  // Nobody asks when something that costs nothing would cost more.
  if (isFree(cost)) return [];
  if ('atMost' in cost)
    return [
      l10n.t(
        'Sending it costs at most about {0}: what the cache has is known after the first message in this window',
        dollars(cost.atMost),
      ),
    ];
  const { now, later } = cost;
  const cold = later.at(-1);
  if (!cold) return [l10n.t('Sending it costs about {0}: the cache is cold', dollars(now))];
  const [first = cold] = later;
  const part = l10n.t(
    'From {0} on about {1}: the history is no longer cached',
    timeOfDay(first.at),
    dollars(first.cost),
  );
  return [
    l10n.t('Sending it costs about {0} now', dollars(now)),
    ...(first === cold ? [] : [part]),
    l10n.t('From {0} on about {1}: the cache is cold', timeOfDay(cold.at), dollars(cold.cost)),
  ];
}

function isFree(cost: NonNullable<NextMessage['cost']>): boolean {
  const dearest =
    'atMost' in cost ? cost.atMost : Math.max(cost.now, ...cost.later.map((stage) => stage.cost));
  return dearest === 0;
}
