import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { HostInstall } from './host/installHost';
import { projectRoot } from './projectPaths';

/** Builds the extension for production and packs it, with only what runs; as another version where a test needs one. */
export function packVsix({ version }: { readonly version?: string } = {}): {
  readonly path: string;
  readonly bytes: number;
} {
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: projectRoot });
  const path = join(projectRoot, `dist/claude-assistant${version ? `-${version}` : ''}.vsix`);
  const vsce = join(projectRoot, 'node_modules/@vscode/vsce/vsce');
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    path,
  ];
  execFileSync(process.execPath, [vsce, 'package', ...versionArguments(version), ...options], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { path, bytes: statSync(path).size };
}

function versionArguments(version: string | undefined): readonly string[] {
  return version ? [version, '--no-git-tag-version', '--no-update-package-json'] : [];
}

/** Installs a VSIX as a person would, into a folder of extensions. */
export function installVsix(install: HostInstall, vsix: string, extensionsFolder: string): void {
  execFileSync(
    install.node,
    [
      install.serverMain,
      ...['--install-extension', vsix, '--extensions-dir', extensionsFolder],
      '--accept-server-license-terms',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}
