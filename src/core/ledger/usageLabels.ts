import * as l10n from '@vscode/l10n';
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

export function labelsOf(): UsageLabels {
  return {
    bars: l10n.t('Bars'),
    table: l10n.t('Table'),
    showAs: l10n.t('Show as'),
    scope: l10n.t('Answers to show'),
    columns: [
      l10n.t('Message'),
      l10n.t('When'),
      l10n.t('Cost'),
      l10n.t('All in'),
      ...inputs.map((kind) => inputLabel(kind)),
      ...parts.map((part) => partLabel(part)),
    ],
    whatWasSent: l10n.t('What Was Sent'),
    empty: l10n.t('Nothing to show yet'),
    emptyHint: l10n.t('Ask @assistant something in the chat. What each answer takes appears here.'),
    emptyScope: l10n.t('Nothing was asked in this conversation yet.'),
    ask: l10n.t('Ask Assistant'),
    note: l10n.t(
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

export function legendOf(): Legend {
  return {
    parts: parts.map((kind) => ({
      kind,
      label: partLabel(kind),
      hint: partHint(kind),
    })),
    input: inputs.map((kind) => ({
      kind,
      label: inputLabel(kind),
      hint: inputHint(kind),
    })),
  };
}

export function partLabel(part: keyof Parts): string {
  switch (part) {
    case 'system':
      return l10n.t('Instructions and tools');
    case 'history':
      return l10n.t('History');
    case 'results':
      return l10n.t('Tool results');
    case 'text':
      return l10n.t('Your message');
    case 'answer':
      break;
  }
  return l10n.t('Answer');
}

function partHint(part: keyof Parts): string {
  switch (part) {
    case 'system':
      return l10n.t('What Claude is told about its work here, and the tools it may use.');
    case 'history':
      return l10n.t('Earlier turns that are remembered, and the summary of those that left.');
    case 'results':
      return l10n.t('What was done for this answer: tool calls, their results, thoughts in between.');
    case 'text':
      return l10n.t('What you wrote and attached, and remembered values.');
    case 'answer':
      break;
  }
  return l10n.t('What Claude wrote, thinking included.');
}

export function inputLabel(kind: (typeof inputs)[number]): string {
  switch (kind) {
    case 'cached':
      return l10n.t('From the cache');
    case 'written':
      return l10n.t('Written to the cache');
    case 'fresh':
      break;
  }
  return l10n.t('Not cached');
}

function inputHint(kind: (typeof inputs)[number]): string {
  switch (kind) {
    case 'cached':
      return l10n.t('Claude has read this a short while ago: it costs a tenth or less.');
    case 'written':
      return l10n.t(
        'New, and kept for the next request: it costs a quarter more, or twice as much when it is kept for an hour.',
      );
    case 'fresh':
      break;
  }
  return l10n.t('Sent at the full price.');
}
