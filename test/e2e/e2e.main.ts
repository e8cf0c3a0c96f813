/** Runs the end-to-end tests. Other folders with such tests may be named, as `npm run test:faults` does. */
import { runLevels } from '../support/run/runLevels';
import { runMain } from '../support/setupError';
import { e2eLevel } from './e2eLevel';

runMain(() => runLevels([() => e2eLevel([__dirname, ...process.argv.slice(2)])]));
