import * as l10n from '@vscode/l10n';
import { inputTokens } from '../messages';
import { dollars } from '../receipt';
import { ellipsize } from '../text/cutText';
import { withRemark } from '../text/joined';
import { codeSpan, escapeMarkdown, table } from '../text/markdown';
import { guidanceLines } from '../tools/guidance/guidanceReport';
import { maxNoteTokens } from '../tools/notes/sentNotes';
import { describeAllowed } from '../tools/permissions';
import { unsentFor } from './conversationRecords';
import { isSide, type LedgerRecord, type SentItem, type Shown, type ShownAnswer } from './record';
import {
  cachedShare,
  costOf,
  howEnded,
  questionOf,
  titleOf,
  whyCacheMissed,
  whyNot,
  type Formats,
  type Wording,
} from './words';

/** Of a note, in a line of its own. */
const noteChars = 120;

/** More rows than this nobody reads. */
const maxRows = 50;

/** What was sent for one answer and what was left out, as a Markdown document (M24). */
export function ledgerReport(
  answer: ShownAnswer,
  records: readonly LedgerRecord[],
  wording: Wording,
): string {
  const { formats } = wording;
  return [
    `# ${l10n.t('What was sent')}`,
    `> ${escapeMarkdown(questionOf(answer, formats))}`,
    answerTable(answer, wording),
    `## ${l10n.t('Sent')}`,
    ...sentSection(answer, formats),
    `## ${l10n.t('Left out')}`,
    unsentSection(answer, records, formats),
    ...unsentNotesSection(answer),
    ...guidanceSection(answer),
    ...unaskedSection(answer),
  ].join('\n\n');
}

function answerTable(answer: ShownAnswer, { nameOfModel, formats }: Wording): string {
  const { usage, requests } = answer;
  const input = l10n.t(
    '{0}, of which {1} from the cache ({2})',
    formats.number(inputTokens(usage)),
    formats.number(usage.cacheRead),
    cachedShare(usage),
  );
  return table(
    [l10n.t('When'), escapeMarkdown(formats.time(answer.startedAt))],
    [
      [l10n.t('How it ended'), howEnded(answer.end)],
      [l10n.t('Model'), escapeMarkdown(nameOfModel(answer.model))],
      [l10n.t('Requests'), String(requests)],
      [l10n.t('Tokens in'), input],
      ...(answer.cacheMiss ? [[l10n.t('Cache missed'), whyCacheMissed(answer.cacheMiss)]] : []),
      [l10n.t('Tokens out'), formats.number(usage.output)],
      [l10n.t('Cost'), costOf(usage)],
    ],
  );
}

function sentSection({ sent, requests, usage }: ShownAnswer, formats: Formats): readonly string[] {
  if (sent.length === 0) return [l10n.t('Nothing was sent.')];
  const rows = sent.map((item) => [describeItem(item, formats), formats.number(item.tokens)]);
  const sum = [l10n.t('Sum'), formats.number(inputTokens(usage))].map((cell) => `**${cell}**`);
  const explanation =
    requests > 1
      ? l10n.t(
          'Claude keeps nothing between requests, so all of it goes out with each. This answer took {0} requests, and the tokens are those of all of them.',
          requests,
        )
      : l10n.t('Claude keeps nothing between requests, so all of it goes out with each.');
  const precision = l10n.t(
    'The sum is what the API reported; it is split by how long each part is. Remembered values are listed by name only.',
  );
  const heading = [l10n.t('What'), l10n.t('Tokens')];
  // The last column holds figures.
  const figures = table(heading, [...rows, sum]).replace('| --- |\n', '| ---: |\n');
  return [explanation, figures, precision];
}

function describeItem(item: Shown<SentItem>, formats: Formats): string {
  if (item.kind === 'turn') {
    const turn = l10n.t('Turn: {0}', escapeMarkdown(titleOf(item, formats)));
    // Images and documents are sent in the turn they belong to; later, a few words stand for them.
    return item.placeholders
      ? l10n.t('{0} (placeholders for images and documents: {1})', turn, item.placeholders)
      : turn;
  }
  if (item.kind === 'param') {
    const name = item.words === undefined ? l10n.t('(erased)') : `**${escapeMarkdown(item.words)}**`;
    return l10n.t('Remembered value: {0}', name);
  }
  if (item.kind === 'note') {
    const text =
      item.words === undefined ? l10n.t('(erased)') : escapeMarkdown(ellipsize(item.words, noteChars));
    return l10n.t('Note: {0}', text);
  }
  if (isSide(item)) {
    const name = item.kind === 'scouts' ? l10n.t('Scouts') : l10n.t('The web');
    const cost = item.cost === undefined ? '–' : dollars(item.cost);
    return l10n.t(
      '{0}: requests of their own: {1}, tokens out: {2}, cost: {3}',
      name,
      item.requests,
      formats.number(item.output),
      cost,
    );
  }
  const others: Readonly<Record<typeof item.kind, string>> = {
    summarize: l10n.t('Older turns, to summarize them'),
    system: l10n.t('Instructions'),
    tools: l10n.t('Tools on offer'),
    summary: l10n.t('Summary of earlier turns'),
    context: l10n.t('Context of your message'),
    plan: l10n.t('Plan'),
    message: l10n.t('Your message, with what was attached'),
    rounds: l10n.t('Tool calls and results of this answer'),
  };
  return others[item.kind];
}

function unsentSection(answer: ShownAnswer, records: readonly LedgerRecord[], formats: Formats): string {
  if (answer.conversation === undefined) {
    return l10n.t('This was asked without memory: nothing of the conversation was sent.');
  }
  const turns = unsentFor(answer, records).toReversed();
  if (turns.length === 0) return l10n.t('Nothing: all that is remembered was sent.');
  const rows = turns
    .slice(0, maxRows)
    .map((turn) => [
      escapeMarkdown(titleOf(turn, formats)),
      formats.number(turn.tokens),
      whyNot(turn.reason),
    ]);
  const more = turns.length - rows.length;
  const rest = more > 0 ? [['…', '', l10n.t('{0} more', more)]] : [];
  return table([l10n.t('Turn'), l10n.t('Tokens'), l10n.t('Why')], [...rows, ...rest]);
}

/** M28: notes for which there was no room. */
function unsentNotesSection({ unsentNotes = [], unsentNoteTexts = [] }: ShownAnswer): readonly string[] {
  if (unsentNotes.length === 0) return [];
  const sentence = l10n.t('Notes over {0} tokens, the oldest: {1}', maxNoteTokens, unsentNotes.length);
  const lines = unsentNoteTexts.map((text) => `- ${escapeMarkdown(ellipsize(text, noteChars))}`);
  return [sentence, lines.join('\n')].filter((part) => part !== '');
}

/** T5: whose words counted, and from where. */
function guidanceSection({ guidance = [] }: ShownAnswer): readonly string[] {
  if (guidance.length === 0) return [];
  return [`## ${l10n.t('Instructions and skills')}`, guidanceLines(guidance)];
}

/** R4: what you were not asked about, and why. */
function unaskedSection({ unasked = [] }: ShownAnswer): readonly string[] {
  if (unasked.length === 0) return [];
  const lines = unasked.map(({ tool, because, count }) => {
    const times = count === 1 ? '' : ` × ${count}`;
    return `- ${withRemark(`${codeSpan(tool)}${times}`, describeAllowed(because))}`;
  });
  return [`## ${l10n.t('Run without asking')}`, lines.join('\n')];
}
