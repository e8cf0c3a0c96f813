import type { LeaveReason } from '../conversation/turn';
import { endsConversation } from './conversationRecords';
import type { AnswerRecord, DepartureRecord, LedgerRecord, LeftOutTurn, LeftTurn } from './record';

export interface LeftOut extends LeftTurn {
  readonly reason: LeaveReason | LeftOutTurn['reason'];
}

/** The turns of its conversation that an answer was not sent, oldest first. */
export function leftOutOf(answer: AnswerRecord, records: readonly LedgerRecord[]): readonly LeftOut[] {
  const departures = records.filter(
    (record): record is DepartureRecord =>
      record.kind === 'left' && record.conversation === answer.conversation && record.at <= answer.endedAt,
  );
  const sent = new Set(answer.sent.flatMap((item) => (item.kind === 'turn' ? [item.turn] : [])));
  const leftOut = new Map<string, LeftOut>();
  // What left with the conversation before this one, and what left since. Older ones are another story.
  const lastEnd = departures.findLastIndex(endsConversation);
  for (const { turns, reason } of departures.slice(Math.max(0, lastEnd))) {
    for (const left of turns) if (!sent.has(left.turn)) leftOut.set(left.turn, { ...left, reason });
  }
  // When a turn left for good, that says more than that it was about to.
  for (const left of answer.leftOut) if (!leftOut.has(left.turn)) leftOut.set(left.turn, left);
  leftOut.delete(answer.turn);
  return [...leftOut.values()];
}
