import { jsonBytes } from '../json';
import { withShortResults } from './shortTurn';
import type { Conversation, StoredTurn, Summary } from './turn';
import { among, inOrder } from './turnLists';

/** Of the 256 KiB that all memory may take. What is taken back was said lately, so the newest turns are kept whole. */
const maxWholeBytes = 64 * 1024;
/** So many more are known by name. */
const maxNames = 100;

/** Of the turns that a summary stands for, what there is room for. */
export function foldedTurns(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  let room = maxWholeBytes;
  const newestFirst = turns.toReversed().map((turn) => {
    const fitting = [turn, withShortResults(turn)].find((one) => jsonBytes(one) <= room);
    if (fitting && isWhole(fitting)) room -= jsonBytes(fitting);
    return fitting ?? nameOf(turn);
  });
  const whole = newestFirst.filter(isWhole).length;
  return newestFirst.slice(0, whole + maxNames).toReversed();
}

/** No more of a turn than it takes to find out that it was taken back. */
export function nameOf(turn: StoredTurn): StoredTurn {
  if (!isWhole(turn)) return turn;
  const { id, order, revision, startedAt, endedAt, outcome, thread, position, activation } = turn;
  return {
    messages: [],
    order,
    revision,
    id,
    startedAt,
    endedAt,
    outcome,
    ...(thread === undefined ? {} : { thread }),
    ...(position === undefined ? {} : { position }),
    ...(activation === undefined ? {} : { activation }),
  };
}

export function isWhole({ messages }: StoredTurn): boolean {
  return messages.length > 0;
}

/** As if its turns had never been folded. The summary stays where it stands for more than comes back. */
export function unfolded(conversation: Conversation): Conversation {
  const { summary, ...rest } = conversation;
  if (!summary) return conversation;
  const back = (summary.folded ?? []).filter(isWhole);
  const turns = inOrder([...back, ...rest.turns]);
  const isAll = back.length > 0 && back.length >= summary.turns;
  return isAll ? { ...rest, turns } : { ...rest, turns, summary };
}

/** A conversation that comes back, so that no turn is told of twice: as it was, and in a summary. */
export function beside(present: Conversation | undefined, coming: Conversation): Conversation {
  if (!present) return coming;
  const isIn = among(present.turns);
  const { summary, turns, ...rest } = coming.summary?.folded?.some(isIn) ? unfolded(coming) : coming;
  const isTold = among(present.summary?.folded);
  return {
    ...rest,
    turns: turns.filter((turn) => !isTold(turn)),
    ...(summary && { summary: present.summary ? joined(summary, present.summary) : summary }),
  };
}

/** Two summaries as one that tells of all that either does. */
function joined(older: Summary, newer: Summary): Summary {
  const [before = [], since = []] = [older.folded, newer.folded];
  const isInOlder = among(before);
  const added = since.filter((turn) => !isInOlder(turn));
  if (older.text === newer.text || (before.length > 0 && before.every(among(since)))) return newer;
  if (since.length > 0 && added.length === 0) return older;
  return {
    text: `${older.text}\n${newer.text}`,
    at: Math.max(older.at, newer.at),
    turns: older.turns + newer.turns,
    revision: Math.max(older.revision, newer.revision),
    folded: foldedTurns(inOrder([...before, ...added])),
  };
}
