import type { StoredParam, StoredTurn, Summary, Waiting } from '../turn';

/** What decides between two windows that changed the same thing; compared from the left. */
type Rank = readonly (number | string)[];

export function beats(one: Rank, other: Rank): boolean {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [mine, theirs] = [one[index], other[index]];
  return mine !== undefined && theirs !== undefined && mine > theirs;
}

/** Shortening does not count: a shortened copy is the same turn. */
export function turnRank({ revision, outcome, endedAt, isPinned }: StoredTurn): Rank {
  return [revision, Number(outcome === 'finished'), endedAt, Number(isPinned ?? false)];
}

export function paramRank({ revision, at, value }: StoredParam): Rank {
  return [revision, at, value];
}

export function summaryRank({ revision, at, text }: Summary): Rank {
  return [revision, at, text];
}

export function waitingRank(revision: number, waiting: Waiting | undefined): Rank {
  return waiting ? [revision, 0, waiting.askedAt, waiting.param, waiting.toolUse.id] : [revision, 1];
}
