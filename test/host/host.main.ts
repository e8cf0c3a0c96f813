/** Runs the host tests: every scenario in the real VS Code; with `--desktop`, one after another on the screen. */
import { runLevels } from '../support/run/runLevels';
import { runMain } from '../support/setupError';
import { desktopLevel, hostLevel } from './hostLevel';

runMain(() => (process.argv.includes('--desktop') ? runLevels([desktopLevel], 1) : runLevels([hostLevel])));
