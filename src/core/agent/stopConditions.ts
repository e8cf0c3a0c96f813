import type { TurnEnd } from './events';
import type { FinishedCall } from './runTools';

/** The tool rounds of the turn so far, each with its calls and their results in the order asked. */
export type Rounds = readonly (readonly FinishedCall[])[];

/** Looks at the rounds so far and says how the turn must end, if it must. */
export type StopCondition = (rounds: Rounds) => TurnEnd | undefined;

export function roundLimit(maxRounds: number): StopCondition {
  return (rounds) =>
    rounds.length >= maxRounds ? { reason: 'round-limit', rounds: rounds.length } : undefined;
}

/** The same call with the same input and the same result a third time in a row, alone or as a whole round. */
export const repeatsItself: StopCondition = (rounds) => {
  // Only the newest can complete a row of three; to compare all of a long turn every time would take ever longer.
  const recent = rounds.slice(-3);
  const calls = recent.flat().slice(-3);
  const last = calls.at(-1);
  if (!last) return undefined;
  const isLoop =
    isThreeTimes(calls.map(outcome)) || isThreeTimes(recent.map((round) => round.map(outcome).join('\n')));
  return isLoop ? { reason: 'loop', tool: last.call.name } : undefined;
};

export function firstStop(conditions: readonly StopCondition[], rounds: Rounds): TurnEnd | undefined {
  for (const condition of conditions) {
    const end = condition(rounds);
    if (end) return end;
  }
  return undefined;
}

function outcome({ call, output }: FinishedCall): string {
  return JSON.stringify([call.name, call.input, output]);
}

function isThreeTimes([first, ...others]: readonly string[]): boolean {
  return others.length === 2 && others.every((key) => key === first);
}
