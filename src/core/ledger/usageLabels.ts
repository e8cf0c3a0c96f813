import * as l10n from '@vscode/l10n';
import type { Parts } from './record';

/** The parts of a bar as they are stacked, and those of the thin line below it: how input is paid for, cheapest first. */
export interface Legend {
  readonly parts: readonly LegendEntry<keyof Parts>[];
  readonly input: readonly LegendEntry<'cached' | 'written' | 'fresh'>[];
}

export interface LegendEntry<Kind extends string = string> {
  readonly kind: Kind;
  readonly label: string;
  readonly hint: string;
}

/** What the usage page calls things. */
export type UsageLabels = Readonly<ReturnType<typeof labelsOf>>;

export function labelsOf({ parts, input }: Legend) {
  return {
    bars: l10n.t('Bars'),
    table: l10n.t('Table'),
    showAs: l10n.t('Show as'),
    scope: l10n.t('Answers to show'),
    columns: [
      l10n.t('Message'),
      l10n.t('When'),
      l10n.t('Cost'),
      l10n.t('Total in'),
      ...[...input, ...parts].map(({ label }) => label),
      l10n.t('Cache missed'),
    ],
    whatWasSent: l10n.t('What Was Sent'),
    empty: l10n.t('Nothing to show yet'),
    emptyHint: l10n.t('Ask @assistant something in the chat. What each answer takes appears here.'),
    /** For a conversation that has just begun. */
    emptyScope: l10n.t('Nothing was asked in this conversation yet.'),
    ask: l10n.t('Ask Assistant'),
    note: l10n.t(
      'Sums are what the Claude API reported. How they split into parts follows from how long each part is. Cost is at list price.',
    ),
  };
}

export function legendOf(): Legend {
  return {
    parts: [
      {
        kind: 'system',
        label: l10n.t('Instructions and tools'),
        hint: l10n.t('What Claude is told about its work here, and the tools it may use.'),
      },
      {
        kind: 'history',
        label: l10n.t('History'),
        hint: l10n.t('Earlier turns that are remembered, and the summary of older ones.'),
      },
      {
        kind: 'results',
        label: l10n.t('Tool results'),
        hint: l10n.t('What was done for this answer: tool calls, their results, thoughts in between.'),
      },
      {
        kind: 'text',
        label: l10n.t('Your message'),
        hint: l10n.t('What you wrote and attached, and remembered values.'),
      },
      {
        kind: 'scouts',
        label: l10n.t('Scouts'),
        hint: l10n.t(
          'What scouts were sent and wrote, in requests of their own. Only their reports come back.',
        ),
      },
      {
        kind: 'web',
        label: l10n.t('Web'),
        hint: l10n.t('What was searched and fetched on the web, in requests of their own.'),
      },
      { kind: 'answer', label: l10n.t('Answer'), hint: l10n.t('What Claude wrote, thinking included.') },
    ],
    input: [
      {
        kind: 'cached',
        label: l10n.t('From the cache'),
        hint: l10n.t('Claude has read this a short while ago: it costs a tenth or less.'),
      },
      {
        kind: 'written',
        label: l10n.t('Written to the cache'),
        hint: l10n.t(
          'New, and kept for the next request: it costs a quarter more, or twice as much when it is kept for an hour.',
        ),
      },
      { kind: 'fresh', label: l10n.t('Not cached'), hint: l10n.t('Sent at the full price.') },
    ],
  };
}
