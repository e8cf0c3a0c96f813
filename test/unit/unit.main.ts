import { join } from 'node:path';
import { runMocha } from '../support/runMocha';

void runMocha({
  folder: __dirname,
  resultFile: process.env['TEST_RESULT'] ?? join(__dirname, 'result.json'),
  grep: process.env['TEST_GREP'],
  timeoutMs: 20_000,
}).then(({ failed }) => process.exit(failed === 0 ? 0 : 1));
