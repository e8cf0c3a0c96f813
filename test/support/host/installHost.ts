import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../projectPaths';
import { SetupError } from '../setupError';
import { closeGate } from './closeGate';
import { installPackage } from './installPackage';

export const newestHost = '1.139.1';

/** VS Code as a server, ready to run. */
export interface HostInstall {
  readonly version: string;
  /** The Node that runs it: VS Code's server needs Node 24, whatever runs this project. */
  readonly node: string;
  readonly serverMain: string;
}

/** The real VS Code from the `code-server` package: no compiler, no root. `VSCODE_HOST_VERSION` picks another one. */
export function installHost(version = process.env['VSCODE_HOST_VERSION'] ?? newestHost): HostInstall {
  const folder = installPackage(version, 'VS Code', finish);
  copyStubs(folder);
  const out = join(folder, 'node_modules/code-server/lib/vscode/out');
  closeGate(out);
  return { version, node: findNode(folder), serverMain: join(out, 'server-main.js') };
}

function finish(folder: string): void {
  const modules = join(folder, 'node_modules');
  // VS Code before 1.122 looks for ripgrep in another package, whose binary comes from a download of its own.
  const oldPlace = join(modules, '@vscode/ripgrep/bin');
  const rg = join(modules, '@vscode/ripgrep-universal/bin', `${process.platform}-${process.arch}`, 'rg');
  if (existsSync(rg)) {
    mkdirSync(oldPlace, { recursive: true });
    rmSync(join(oldPlace, 'rg'), { force: true });
    symlinkSync(relative(oldPlace, rg), join(oldPlace, 'rg'));
    chmodSync(rg, 0o755);
  }
  const vscodeModules = join(modules, 'code-server/lib/vscode/node_modules');
  rmSync(vscodeModules, { recursive: true, force: true });
  // Relative, so that the checkout can be moved.
  symlinkSync(relative(dirname(vscodeModules), modules), vscodeModules, 'junction');
}

/** Native modules that would need a compiler; copied when they have changed, since others may be running them. */
function copyStubs(folder: string): void {
  for (const stub of ['spdlog', 'native-watchdog', 'fs-copyfile']) {
    const source = join(projectRoot, 'test/support/host/stubs', stub);
    const target = join(folder, 'node_modules/@vscode', stub);
    for (const file of readdirSync(source)) copyChanged(join(source, file), join(target, file));
  }
}

function copyChanged(source: string, target: string): void {
  if (existsSync(target) && readFileSync(target).equals(readFileSync(source))) return;
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target);
}

function findNode(folder: string): string {
  const packaged = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(packaged)) return packaged;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new SetupError(
    `VS Code's server needs Node 24 and npm has none for ${process.platform}-${process.arch}: install Node 24 or newer, or VS Code itself, then run this again.`,
  );
}
