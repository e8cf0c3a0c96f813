/** Milliseconds of the processor's time that this takes, whatever else is done on the machine meanwhile. */
export function cpuTime(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
