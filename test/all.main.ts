/** `npm test`: every level, beside each other, and one line that counts them all. */
import { join } from 'node:path';
import { e2eLevel } from './e2e/e2eLevel';
import { desktopLevel, hostLevel } from './host/hostLevel';
import { runLevels, type Level } from './support/run/runLevels';
import { runMain } from './support/setupError';

/** What ends soonest when something is wrong comes first, the small jobs last: they fill up what is left. */
runMain(() => {
  if (process.platform === 'linux') {
    return runLevels([checkLevel, unitLevel, hostLevel, () => e2eLevel([join(__dirname, 'e2e')])]);
  }
  console.log('The tests in the chat panel run on Linux only; the others run here, in desktop VS Code.');
  // Its windows share a profile.
  return runLevels([checkLevel, unitLevel, desktopLevel], 1);
});

/** Each of the checks of `npm run check` counts as one test. */
function checkLevel(): Level {
  return {
    jobs: ['types', 'lint', 'format', 'unused'].map((check) => ({
      name: `check ${check}`,
      level: 'check',
      command: 'npm',
      args: ['run', '--silent', `check:${check}`],
    })),
  };
}

function unitLevel(): Level {
  return {
    jobs: [
      {
        name: 'unit',
        level: 'unit',
        command: process.execPath,
        args: [join(__dirname, 'unit/unit.main.js')],
        result: 'unit',
      },
    ],
  };
}
