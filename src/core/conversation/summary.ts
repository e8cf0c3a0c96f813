import { type Summary, type Conversation, type StoredTurn, isOneOf, type TurnId, inOrder } from './turn';

/** More than any summary that Claude is asked for. */
const maxSummaryChars = 12_000;

/** A summary that took the place of turns, with all that it takes to bring them back. */
export interface Summarizing {
  readonly summary: Summary;
  /** The summary before it. */
  readonly from: Summary | undefined;
  readonly turns: readonly StoredTurn[];
  /** The turns that stayed. */
  readonly kept: readonly TurnId[];
}

/** Nothing when a turn or the summary `from` has changed or gone in the meantime. */
export function summarizing(
  conversation: Conversation,
  wanted: { readonly text: string; readonly turns: readonly TurnId[]; readonly from: Summary | undefined },
  at: number,
): Summarizing | undefined {
  const { turns: known, summary: from } = conversation;
  const turns = known.filter(({ id }) => wanted.turns.includes(id));
  if (turns.length === 0 || turns.length < wanted.turns.length || !isSame(from, wanted.from))
    return undefined;
  const summary = { text: summaryText(wanted.text), at, turns: (from?.turns ?? 0) + turns.length };
  const kept = known.filter((turn) => !turns.includes(turn)).map(({ id }) => id);
  return { summary, from, turns, kept };
}

export function summarized(conversation: Conversation, { summary, turns }: Summarizing): Conversation {
  return {
    ...conversation,
    summary,
    turns: conversation.turns.filter((turn) => !turns.includes(turn)),
    summarized: inOrder([...conversation.summarized, ...turns]),
  };
}

/**
 * Takes a summary back. Nothing when it is no longer the present one, or when something was asked since: then the turns
 * might not fit any more, and would go without a summary.
 */
export function withoutSummarizing(
  conversation: Conversation,
  { summary, from, turns, kept }: Summarizing,
): Conversation | undefined {
  const { summary: present, ...rest } = conversation;
  if (!isSame(present, summary) || rest.turns.some(({ id }) => !kept.includes(id))) return undefined;
  const back = new Set(turns.map(({ id }) => id));
  return {
    ...rest,
    ...(from && { summary: from }),
    turns: inOrder([...turns, ...rest.turns]),
    summarized: rest.summarized.filter(({ id }) => !back.has(id)),
  };
}

/** The user's own words for what was before. */
export function withSummary(conversation: Conversation, text: string): Conversation {
  const { summary, lastActive } = conversation;
  if (summary?.text === text) return conversation;
  return { ...conversation, summary: { turns: 0, ...summary, text: summaryText(text), at: lastActive } };
}

export function withoutSummary({ summary: _erased, ...rest }: Conversation): Conversation {
  return { ...rest, summarized: [] };
}

export function summaryText(text: string): string {
  const fitting = text.length > maxSummaryChars ? `${text.slice(0, maxSummaryChars - 2)} …` : text;
  return fitting.toWellFormed();
}

/** As if nothing had been summarized. The summary stays where it stands for more than comes back. */
export function unsummarized(conversation: Conversation): Conversation {
  const { summary, ...rest } = conversation;
  if (!summary) return conversation;
  const back = rest.summarized.filter(isWhole);
  const turns = inOrder([...back, ...rest.turns]);
  const isAll = back.length > 0 && back.length >= summary.turns;
  return { ...rest, turns, summarized: [], ...(!isAll && { summary }) };
}

/** Of some turns that a summary stands for only the id is known. */
export function isWhole({ messages }: StoredTurn): boolean {
  return messages.length > 0;
}

export function mergeSummaries(older: Conversation, newer: Conversation): Summary | undefined {
  if (!older.summary || !newer.summary) return newer.summary ?? older.summary;
  const [before, since] = [older.summarized, newer.summarized];
  if (older.summary.text === newer.summary.text || (before.length > 0 && before.every(isOneOf(since))))
    return newer.summary;
  if (since.length > 0 && since.every(isOneOf(before))) return older.summary;
  return {
    text: summaryText(`${older.summary.text}\n${newer.summary.text}`),
    at: Math.max(older.summary.at, newer.summary.at),
    turns: older.summary.turns + newer.summary.turns,
  };
}

function isSame(one: Summary | undefined, other: Summary | undefined): boolean {
  return one?.at === other?.at && one?.text === other?.text && one?.turns === other?.turns;
}
