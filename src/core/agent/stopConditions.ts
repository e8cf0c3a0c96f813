import type { TurnEnd } from './events';
import type { FinishedCall } from './runTools';

/** How the turn must end after these tool rounds, if it must. */
export function stopAfter(
  rounds: readonly (readonly FinishedCall[])[],
  maxRounds: number,
): TurnEnd | undefined {
  const tool = repeatedTool(rounds);
  if (tool !== undefined) return { reason: 'loop', tool };
  return rounds.length >= maxRounds ? { reason: 'round-limit', rounds: rounds.length } : undefined;
}

/** The same call with the same input and the same result three times in a row, alone or as a whole round. */
function repeatedTool(rounds: readonly (readonly FinishedCall[])[]): string | undefined {
  // Only the newest can complete a row of three; comparing all of a long turn each time would get slower and slower.
  const recent = rounds.slice(-3);
  const calls = recent.flat().slice(-3);
  const isLoop =
    isThreeTimes(calls.map(outcome)) || isThreeTimes(recent.map((round) => round.map(outcome).join('\n')));
  return isLoop ? calls.at(-1)?.call.name : undefined;
}

function outcome({ call, output }: FinishedCall): string {
  return JSON.stringify([call.name, call.input, output]);
}

function isThreeTimes([first, ...others]: readonly string[]): boolean {
  return others.length === 2 && others.every((key) => key === first);
}
