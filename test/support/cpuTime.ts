/**
 * Milliseconds of the processor's time that this takes, whatever else is done on the machine meanwhile: the least of
 * three, as the compiler and the collector take theirs out of any of them.
 */
export function cpuTime(act: () => unknown): number {
  return Math.min(once(act), once(act), once(act));
}

function once(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
