import * as l10n from '@vscode/l10n';
import { ellipsize } from '../text/cutText';
import { hashText } from '../text/hashText';
import { labeled, wordList } from '../text/joined';
import { codeBlock, codeSpan, escapeMarkdown, plainBlock } from '../text/markdown';
import { visibleLine } from '../text/plainText';
import type { AllowedPlace } from './paths/pathPolicy';
import type { Confirmation } from './workspaceTool';

/** S4: a file that looks like a secret. */
export function confirmReading({ place, shown }: AllowedPlace): Confirmation {
  return {
    title: l10n.t('Let Claude read {0}?', visibleLine(shown)),
    message: holdsSecrets(codeSpan(shown)),
    summary: holdsSecrets(visibleLine(shown)),
    canBeAutoApproved: false,
    fingerprint: fingerprint(['read', place.folder.root, place.path]),
  };
}

function holdsSecrets(name: string): string {
  return l10n.t('{0} looks like it holds secrets. Its contents would be sent to Claude.', name);
}

/** R2: what is done unasked, where a rule of the person's wants a question. */
export function confirmUse({
  title,
  input,
}: {
  readonly title: string;
  readonly input: unknown;
}): Confirmation {
  const json = JSON.stringify(input, undefined, 2);
  const [inCard, inDialog] = [codeBlock('json', json), plainBlock(json)];
  return {
    title: l10n.t('Let Claude use {0}?', title),
    message: inCard.text,
    summary: inDialog.text,
    ...(!inDialog.isWhole && { whole: { language: 'json', text: json, isInMessage: inCard.isWhole } }),
    canBeAutoApproved: true,
    fingerprint: fingerprint(['use', title, json]),
  };
}

/** L17: exactly what leaves the house. Asked each time: an answer to one question is none to the next. */
export function confirmWeb(kind: 'search' | 'fetch', text: string): Confirmation {
  const where = l10n.t('This goes to the Claude API and from there to the web. Nothing else goes with it.');
  const [title, inCard] =
    kind === 'search'
      ? [l10n.t('Search the web for this?'), escapeMarkdown(visibleLine(text))]
      : [l10n.t('Fetch this page from the web?'), codeSpan(text)];
  return {
    title,
    message: `> ${inCard}\n\n${where}`,
    summary: `${visibleLine(text)}\n\n${where}`,
    canBeAutoApproved: true,
    isAskedEachTime: true,
    fingerprint: fingerprint(['web', kind, text]),
  };
}

/** Of a name in a title. */
const titleChars = 40;

/** How many names fit into a sentence. */
const shownSources = 5;

/**
 * M28: a note that the person's own message did not ask for, and where it comes from. `after`: what was read in the turn
 * before; undefined for one of another chat.
 */
export function confirmNote(text: string, after: readonly string[] | undefined): Confirmation {
  const origin = (shown: (name: string) => string) => noteSource(after, shown);
  return {
    title: noteTitle(after),
    message: [
      `> ${escapeMarkdown(visibleLine(text))}`,
      origin(codeSpan),
      l10n.t('Claude gets it with every message in this workspace, until you forget it.'),
    ].join('\n\n'),
    summary: [visibleLine(text), origin(visibleLine)].join('\n\n'),
    canBeAutoApproved: true,
    isAskedEachTime: true,
    fingerprint: fingerprint(['note', text, ...(after ?? ['another chat'])]),
  };
}

/** VS Code 1.110 shows two lines of the message until somebody opens it: where a note comes from is never hidden. */
function noteTitle(after: readonly string[] | undefined): string {
  if (after === undefined) return l10n.t('Keep this note of another chat?');
  const [first, ...more] = after;
  if (first === undefined) return l10n.t('Keep this note?');
  const name = ellipsize(visibleLine(first), titleChars);
  return more.length > 0
    ? l10n.t('Keep this note, after reading {0} and more?', name)
    : l10n.t('Keep this note, after reading {0}?', name);
}

/** Where a note comes from that Claude proposed, in a sentence. */
export function noteSource(after: readonly string[] | undefined, shown: (name: string) => string): string {
  if (after === undefined) return l10n.t('Proposed by another chat.');
  if (after.length === 0)
    return l10n.t('Claude’s own conclusion: it has read nothing in this turn before it proposed this.');
  const names = wordList(after.slice(0, shownSources).map(shown));
  const more = after.length - shownSources;
  return more > 0
    ? l10n.t('Proposed by Claude after reading {0} and {1} more.', names, more)
    : l10n.t('Proposed by Claude after reading {0}.', names);
}

export interface ChangeToConfirm {
  /** What would be done. */
  readonly verb: 'Create' | 'Edit' | 'Rename' | 'Delete';
  readonly places: readonly AllowedPlace[];
  readonly text?: TextChange;
  /** Further sentences of Markdown. */
  readonly notes?: readonly string[];
  /** Set for what should be asked every time, whatever the place. */
  readonly alwaysConfirm?: boolean;
}

export interface TextChange {
  readonly before: string;
  readonly after: string;
  /** What the person sees of it. */
  readonly diff: string;
}

/** S2, S5: exactly what will happen, with a warning for places that run code or change the editor. */
export function confirmChange(change: ChangeToConfirm): Confirmation {
  const names = change.places.map(({ shown }) => shown);
  const warnings = change.places.flatMap(({ shown, isSecret, protectedBecause }) => {
    const why = protectedBecause ?? (isSecret ? l10n.t('it looks like it holds secrets') : undefined);
    return why === undefined ? [] : [{ shown, why }];
  });
  const { before = '', after = '', diff = '' } = change.text ?? {};
  const [inCard, inDialog] = [codeBlock('diff', diff), plainBlock(diff)];
  const title = titleOf(change.verb, names.map(visibleLine).join(' → '));
  const parts = [
    ...(warnings.length === 0 && names.some(isMangledInTitles) ? [names.map(codeSpan).join(' → ')] : []),
    ...warnings.map(({ shown, why }) => l10n.t('⚠️ **Look closely at {0}: {1}.**', codeSpan(shown), why)),
    ...(change.notes ?? []),
    ...(diff === '' ? [] : [inCard.text]),
  ];
  return {
    title: warnings.length > 0 ? `⚠️ ${title}` : title,
    message: parts.join('\n\n'),
    summary: [
      ...warnings.map(({ shown, why }) => labeled(visibleLine(shown), why)),
      ...(change.notes ?? []),
      inDialog.text,
    ].join('\n'),
    ...(!inDialog.isWhole && { whole: { language: 'diff', text: diff, isInMessage: inCard.isWhole } }),
    canBeAutoApproved: warnings.length === 0 && change.alwaysConfirm !== true,
    fingerprint: fingerprint([
      change.verb,
      ...change.places.flatMap(({ place }) => [place.folder.root, place.path]),
      before,
      after,
      ...(change.notes ?? []),
    ]),
  };
}

function titleOf(verb: ChangeToConfirm['verb'], names: string): string {
  switch (verb) {
    case 'Create':
      return l10n.t('Create {0}?', names);
    case 'Edit':
      return l10n.t('Edit {0}?', names);
    case 'Rename':
      return l10n.t('Rename {0}?', names);
    case 'Delete':
      break;
  }
  return l10n.t('Delete {0}?', names);
}

/** VS Code takes these for Markdown and drops them from a title: the name must stand elsewhere as it is. */
function isMangledInTitles(name: string): boolean {
  return /[\\*_#>`[\]]/.test(name);
}

function fingerprint(parts: readonly string[]): string {
  return parts.map(hashText).join(' ');
}
