import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../../src/core/conversation/store';
import { installHost } from '../host/installHost';
import { storageFolder } from './storedState';

const script = `
  const { DatabaseSync } = require('node:sqlite');
  const [file, sql] = process.argv.slice(1);
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  console.log(JSON.stringify(database.prepare(sql).all()));
`;

/** What stands in the database of the workspace, read by the Node of VS Code: that has SQLite. */
export function readDatabase(dataFolder: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const file = join(storageFolder(dataFolder), 'memory.db');
  const rows = execFileSync(installHost().node, ['--no-warnings', '-e', script, file, sql], {
    encoding: 'utf8',
  });
  return JSON.parse(rows) as readonly Readonly<Record<string, unknown>>[];
}

export function archivedCount(dataFolder: string): number {
  return readDatabase(dataFolder, 'SELECT key FROM conversations WHERE ending IS NOT NULL').length;
}

/** The extension hosts that turns are running in. */
export function ownersOfRunning(dataFolder: string): readonly Owner[] {
  const rows = readDatabase(dataFolder, "SELECT json_extract(head, '$.owner') AS owner FROM running");
  return rows.map(({ owner }) => JSON.parse(String(owner)) as Owner);
}
