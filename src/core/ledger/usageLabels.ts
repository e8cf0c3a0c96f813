import type { Translate } from '../translate';
import type { Parts } from './record';

/** As they are stacked. */
export const parts = [
  'system',
  'history',
  'results',
  'text',
  'answer',
] as const satisfies readonly (keyof Parts)[];

/** What the usage page calls things. */
export interface UsageLabels {
  readonly bars: string;
  readonly table: string;
  readonly showAs: string;
  readonly scope: string;
  readonly columns: readonly string[];
  readonly whatWasSent: string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly ask: string;
  readonly note: string;
}

export function labelsOf(translate: Translate): UsageLabels {
  return {
    bars: translate('Bars'),
    table: translate('Table'),
    showAs: translate('Show as'),
    scope: translate('Answers to show'),
    columns: [
      translate('Message'),
      translate('When'),
      ...parts.map((part) => partLabel(part, translate)),
      translate('All in'),
      translate('From the cache'),
      translate('Written to the cache'),
      translate('Not cached'),
      translate('Cost'),
    ],
    whatWasSent: translate('What Was Sent'),
    empty: translate('Nothing to show yet'),
    emptyHint: translate('Ask @assistant something in the chat. What each answer takes appears here.'),
    ask: translate('Ask Assistant'),
    note: translate(
      'Sums are what the Claude API reported. How they split into parts follows from how long each part is. Cost is at list price.',
    ),
  };
}

export interface LegendEntry {
  readonly kind: string;
  readonly label: string;
  readonly hint: string;
}

/** The parts of a bar, and those of the thin line below it. */
export function legendOf(translate: Translate): {
  readonly parts: readonly LegendEntry[];
  readonly input: readonly LegendEntry[];
} {
  return {
    parts: parts.map((part) => ({
      kind: part,
      label: partLabel(part, translate),
      hint: partHint(part, translate),
    })),
    input: [
      {
        kind: 'cached',
        label: translate('From the cache'),
        hint: translate('Claude has read this before, a short while ago: it costs a tenth.'),
      },
      {
        kind: 'written',
        label: translate('Written to the cache'),
        hint: translate('New, and kept for the next request: it costs a quarter more.'),
      },
      { kind: 'fresh', label: translate('Not cached'), hint: translate('Sent at the full price.') },
    ],
  };
}

export function partLabel(part: keyof Parts, translate: Translate): string {
  switch (part) {
    case 'system':
      return translate('Instructions and tools');
    case 'history':
      return translate('History');
    case 'results':
      return translate('Tool results');
    case 'text':
      return translate('Your message');
    case 'answer':
      break;
  }
  return translate('Answer');
}

function partHint(part: keyof Parts, translate: Translate): string {
  switch (part) {
    case 'system':
      return translate('What Claude is told about its work here, and the tools it may use.');
    case 'history':
      return translate('Earlier turns that are remembered, and the summary of those that left.');
    case 'results':
      return translate('What was done for this answer: tool calls, their results, thoughts in between.');
    case 'text':
      return translate('What you wrote and attached, and remembered values.');
    case 'answer':
      break;
  }
  return translate('What Claude wrote, thinking included.');
}
