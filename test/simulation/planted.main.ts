/**
 * Shows that the simulation finds things: puts known faults into the code, one at a time, and counts the seeds it takes.
 * `npm run simulate:planted`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { installHost } from '../support/host/installHost';
import { projectRoot } from '../support/projectPaths';
import { runMain } from '../support/setupError';
import { planted, type Planted } from './planted';

const maxSeeds = 3_000;

runMain(async () => {
  const { node } = installHost();
  const only = process.argv[2];
  let missed = 0;
  for (const fault of planted.filter(({ name }) => only === undefined || name.startsWith(only))) {
    const outfile = join(projectRoot, 'dist/planted/seeds.main.js');
    await build({
      entryPoints: [join(projectRoot, 'test/simulation/seeds.main.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      packages: 'external',
      logLevel: 'error',
      plugins: [planting(fault)],
    });
    const args = ['--no-warnings', outfile, '1', String(maxSeeds)];
    const { stdout, status } = spawnSync(node, args, { encoding: 'utf8' });
    if (status === 0) missed++;
    const found = status === 0 ? `not found in ${maxSeeds} seeds` : stdout.trim().slice(0, 120);
    console.log(`${fault.name}\n    ${found}`);
  }
  return missed === 0 ? 0 : 1;
});

/** The fault in its place; code that has changed since is an error. */
function planting({ name, file, before, after }: Planted): Plugin {
  return {
    name: 'planting',
    setup(esbuild) {
      esbuild.onLoad({ filter: new RegExp(`/src/${file.replaceAll('.', String.raw`\.`)}$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (text.split(before).length !== 2) throw new Error(`${name}: its place in ${file} has changed.`);
        return { contents: text.replace(before, () => after), loader: 'ts' };
      });
    },
  };
}
