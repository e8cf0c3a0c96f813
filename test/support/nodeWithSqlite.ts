import { spawnSync } from 'node:child_process';
import { installHost } from './host/installHost';

/**
 * Runs a main file on a Node that has SQLite, as that of VS Code does, where the one that runs this project has not.
 * Nothing when this very process has it.
 */
export function runWithSqlite(file: string): number | undefined {
  if (process.getBuiltinModule?.('node:sqlite')) return undefined;
  const { node } = installHost();
  return spawnSync(node, ['--no-warnings', file, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
}
