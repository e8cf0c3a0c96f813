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
  const calls = rounds.flat();
  const last = calls.at(-1);
  if (!last) return undefined;
  const isLoop =
    endsInThree(calls.map(outcome)) || endsInThree(rounds.map((round) => round.map(outcome).join('\n')));
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

function endsInThree(keys: readonly string[]): boolean {
  const [a, b, c] = keys.slice(-3);
  return c !== undefined && a === b && b === c;
}
