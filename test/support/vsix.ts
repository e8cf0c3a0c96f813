import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import type { HostInstall } from './host/installHost';
import { projectRoot } from './projectPaths';

/** Builds the extension for production and packs it, with only what runs. */
export async function packVsix(): Promise<{ readonly path: string; readonly bytes: number }> {
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: projectRoot });
  const path = join(projectRoot, 'dist/claude-assistant.vsix');
  await createVSIX({
    cwd: projectRoot,
    packagePath: path,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  return { path, bytes: statSync(path).size };
}

/** Installs a VSIX as a person would, into a folder of extensions. */
export function installVsix(install: HostInstall, vsix: string, extensionsFolder: string): void {
  execFileSync(install.node, [
    install.serverMain,
    ...['--install-extension', vsix, '--extensions-dir', extensionsFolder],
    '--accept-server-license-terms',
  ]);
}
