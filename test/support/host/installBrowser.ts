import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupError } from '../setupError';
import { installPackage } from './installPackage';

export interface BrowserInstall {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A Chromium to drive: `CHROME_PATH`, one that is installed, or else a headless one from npm. */
export function installBrowser(): BrowserInstall {
  const given = process.env['CHROME_PATH'];
  if (given) {
    if (!existsSync(given))
      throw new SetupError(`CHROME_PATH names ${given}, which does not exist: correct or unset it.`);
    return { executablePath: given, env: {} };
  }
  const installed = findOnPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']);
  if (installed) return { executablePath: installed, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError(
      'There is no browser to test in: install Chrome or Chromium, or set CHROME_PATH to one, then run this again.',
    );
  }
  return packagedChromium();
}

function packagedChromium(): BrowserInstall {
  const unpack = (folder: string): void => {
    const files = join(folder, 'files');
    mkdirSync(files, { recursive: true });
    // The package unpacks itself into the temporary folder; with this variable also the libraries it was built against.
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', "import c from '@sparticuz/chromium'; await c.executablePath()"],
      { cwd: folder, env: { ...process.env, TMPDIR: files, AWS_EXECUTION_ENV: 'nodejs24.x' } },
    );
  };
  const files = join(installPackage('chromium', 'a headless browser,', unpack), 'files');
  const executablePath = join(files, 'chromium');
  const env = {
    LD_LIBRARY_PATH: join(files, 'al2023/lib'),
    ...(existsSync('/usr/share/fonts/truetype') ? {} : { FONTCONFIG_PATH: join(files, 'fonts') }),
  };
  const { status, stderr } = spawnSync(executablePath, ['--version', '--no-sandbox'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new SetupError(
      `The browser from npm does not start on this machine: install Chrome or Chromium, or set CHROME_PATH to one, then run this again (${stderr.trim().split('\n')[0] ?? ''}).`,
    );
  }
  return { executablePath, env };
}

function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
