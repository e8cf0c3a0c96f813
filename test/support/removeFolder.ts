import { rmSync } from 'node:fs';

/**
 * Removes what a test has left. An extension host outlives its server for a moment and may still write its log: what
 * cannot be removed is said, and left to the system.
 */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  } catch (error) {
    console.log(`    left behind: ${String(error)}`);
  }
}
