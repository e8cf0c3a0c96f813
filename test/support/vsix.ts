import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostInstall } from './host/installHost';
import { cacheFolder, projectRoot } from './projectPaths';
import { removeFolder } from './removeFolder';

/**
 * Builds the extension for production and packs it, with only what runs; as another version where a test needs one.
 * In a folder of its own, and put into its place when it is whole: others may be reading dist meanwhile, and the packer
 * looks at each file below the folder it packs.
 */
export function packVsix({ version }: { readonly version?: string } = {}): {
  readonly path: string;
  readonly bytes: number;
} {
  const path = join(projectRoot, `dist/claude-assistant${version ? `-${version}` : ''}.vsix`);
  mkdirSync(dirname(path), { recursive: true });
  const folder = mkdtempSync(join(dirname(path), 'pack-'));
  try {
    for (const source of packed) cpSync(join(projectRoot, source), join(folder, source), { recursive: true });
    for (const json of jsonFilesBelow(folder))
      writeFileSync(json, JSON.stringify(JSON.parse(readFileSync(json, 'utf8'))));
    const readme = join(folder, 'README.md');
    writeFileSync(readme, asInstalled(readFileSync(readme, 'utf8')));
    execFileSync(process.execPath, ['esbuild.mjs', '--production', join(folder, 'dist')], {
      cwd: projectRoot,
    });
    const vsce = join(projectRoot, 'node_modules/@vscode/vsce/vsce');
    const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
    execFileSync(
      process.execPath,
      [vsce, 'package', ...versionArguments(version), ...options, '--out', 'packed.vsix'],
      { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    renameSync(join(folder, 'packed.vsix'), path);
  } finally {
    removeFolder(folder);
  }
  return { path, bytes: statSync(path).size };
}

/** Where all that `.vscodeignore` lets through comes from, but for what is built. */
const packed = [
  ...['.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'README.md', 'l10n', 'media'],
  ...['package.json', ...readdirSync(projectRoot).filter((name) => name.startsWith('package.nls.'))],
];

/** Nobody reads them there, and blanks weigh. */
function jsonFilesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => join(folder, path));
}

/**
 * VS Code shows no pictures of an installed README but those of the web: each would be a broken one, and its weight. A
 * link to a file of the project would lead nowhere.
 */
export function asInstalled(readme: string): string {
  return readme.replace(/^!\[.*\]\(media\/.*\)\n\n/gm, '').replace(/\[([^\]]+)\]\((?!\w+:|#)[^)]*\)/g, '$1');
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
      // Else its logs and caches go to the home folder of whoever runs this.
      ...['--server-data-dir', join(cacheFolder, 'install'), '--accept-server-license-terms'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}
