import * as l10n from '@vscode/l10n';

// How words for people are put together: commas, colons, brackets and spaces are not the same in every language.

/** `a, b, c` */
export function wordList(words: readonly string[]): string {
  return words.join(l10n.t('{0}, {1}', '', ''));
}

/** One sentence after another, each with its own full stop. */
export function paragraph(sentences: readonly string[]): string {
  return sentences.join(l10n.t('{0} {1}', '', ''));
}

/** Sentences that have no full stop, as a screen reader says them. */
export function spokenSentences(sentences: readonly string[]): string {
  return sentences.join(l10n.t('{0}. {1}', '', ''));
}

/** `Rule: what it says` */
export function labeled(label: string, words: string): string {
  return l10n.t('{0}: {1}', label, words);
}

/** `3 min ago (turn 2)` */
export function withRemark(words: string, remark: string): string {
  return l10n.t('{0} ({1})', words, remark);
}
