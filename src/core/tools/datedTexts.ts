import type { TextFiles } from '../ports';

const dated = /^\d{15}-([\w-]+)\.json$/;

/** A name whose order among others is that of time. The id stays as it is if it is one word, hyphens included. */
export function datedName(at: number, id: string): string {
  return `${String(Math.trunc(at)).padStart(15, '0')}-${id.replaceAll(/[^\w-]/g, '_').slice(0, 100)}.json`;
}

export function idIn(name: string): string {
  return dated.exec(name)?.[1] ?? '';
}

/** Oldest first; what somebody else put there is left out. */
export async function datedNames(files: TextFiles): Promise<readonly string[]> {
  return (await files.names()).filter((name) => dated.test(name)).toSorted();
}

/** Removes all but the newest. */
export async function keepNewest(files: TextFiles, limit: number): Promise<void> {
  for (const name of (await datedNames(files)).slice(0, -limit)) await files.remove(name);
}
