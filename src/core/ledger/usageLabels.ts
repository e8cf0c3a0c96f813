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

/** How input is paid for, from cheap to dear. */
export const inputs = ['cached', 'written', 'fresh'] as const;

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
  /** For a conversation that has just begun. */
  readonly emptyScope: string;
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
      translate('Cost'),
      translate('All in'),
      ...inputs.map((kind) => inputLabel(kind, translate)),
      ...parts.map((part) => partLabel(part, translate)),
    ],
    whatWasSent: translate('What Was Sent'),
    empty: translate('Nothing to show yet'),
    emptyHint: translate('Ask @assistant something in the chat. What each answer takes appears here.'),
    emptyScope: translate('Nothing was asked in this conversation yet.'),
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
export interface Legend {
  readonly parts: readonly LegendEntry[];
  readonly input: readonly LegendEntry[];
}

export function legendOf(translate: Translate): Legend {
  return {
    parts: parts.map((kind) => ({
      kind,
      label: partLabel(kind, translate),
      hint: partHint(kind, translate),
    })),
    input: inputs.map((kind) => ({
      kind,
      label: inputLabel(kind, translate),
      hint: inputHint(kind, translate),
    })),
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

export function inputLabel(kind: (typeof inputs)[number], translate: Translate): string {
  switch (kind) {
    case 'cached':
      return translate('From the cache');
    case 'written':
      return translate('Written to the cache');
    case 'fresh':
      break;
  }
  return translate('Not cached');
}

function inputHint(kind: (typeof inputs)[number], translate: Translate): string {
  switch (kind) {
    case 'cached':
      return translate('Claude has read this a short while ago: it costs a tenth or less.');
    case 'written':
      return translate(
        'New, and kept for the next request: it costs a quarter more, or twice as much when it is kept for an hour.',
      );
    case 'fresh':
      break;
  }
  return translate('Sent at the full price.');
}
