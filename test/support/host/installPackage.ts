import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, projectRoot } from '../projectPaths';
import { SetupError } from '../setupError';

/**
 * Installs one of the pinned packages below `packages/` into the cache, once; `finish` completes it.
 * The stamp is written last, so that an installation which was cut off is done again.
 */
export function installPackage(
  name: string,
  purpose: string,
  finish: (folder: string) => void = () => undefined,
): string {
  const source = join(projectRoot, 'test/support/host/packages', name);
  if (!existsSync(source))
    throw new SetupError(`There is no pinned ${purpose} ${name}; see test/support/host/packages.`);
  const folder = join(cacheFolder, name);
  const stamp = join(folder, '.installed');
  const wanted = readFileSync(join(source, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;

  console.log(`Installing ${purpose} ${name} (once) …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  cpSync(join(projectRoot, '.npmrc'), join(folder, '.npmrc'));
  const npm = process.env['npm_execpath'];
  const { status, stderr } = npm
    ? spawnSync(process.execPath, [npm, 'ci'], { cwd: folder, encoding: 'utf8' })
    : spawnSync('npm', ['ci'], { cwd: folder, encoding: 'utf8', shell: true });
  if (status !== 0) {
    const reason = stderr.split('\n').find((line) => line.startsWith('npm error'));
    throw new SetupError(
      `${purpose} ${name} could not be installed: check that the npm registry can be reached and that some 700 MB are free, then run this again (${reason ?? 'npm gave no reason'}).`,
    );
  }
  finish(folder);
  writeFileSync(stamp, wanted);
  return folder;
}
