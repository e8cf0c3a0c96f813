// A backup tool, as it were: holds the database for so many milliseconds, so that nobody else can read or write.
import { DatabaseSync } from 'node:sqlite';

const [file = '', ms = '0'] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE');
process.stdout.write('locked\n');
setTimeout(() => {
  database.exec('ROLLBACK');
  database.close();
}, Number(ms));
