import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { installHost } from '../support/host/installHost';
import { projectRoot } from '../support/projectPaths';
import { packVsix } from '../support/vsix';

export interface Footprint {
  readonly bundleBytes: number;
  readonly vsixBytes: number;
  /** Parts of the bundle by when they run: with activation, or with the first message. */
  readonly atActivation: Readonly<Record<string, number>>;
  readonly withFirstMessage: Readonly<Record<string, number>>;
  /** Copilot Chat as it comes with VS Code. */
  readonly copilotChat: { readonly bundleBytes: number; readonly installedBytes: number };
}

export async function measureFootprint(): Promise<Footprint> {
  const { bytes } = packVsix();
  const { bundleBytes, atActivation, withFirstMessage } = await readBundle();
  const copilot = join(dirname(installHost().serverMain), '../extensions/copilot');
  return {
    bundleBytes,
    vsixBytes: bytes,
    atActivation,
    withFirstMessage,
    copilotChat: {
      bundleBytes: statSync(join(copilot, 'dist/extension.js')).size,
      installedBytes: folderBytes(copilot),
    },
  };
}

/** The bundle as it is packed, and which of its modules wait behind an `import()`. */
export async function readBundle(): Promise<
  Pick<Footprint, 'bundleBytes' | 'atActivation' | 'withFirstMessage'>
> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['src/extension.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    mainFields: ['module', 'main'],
    minify: true,
    metafile: true,
    write: false,
    outfile: 'extension.js',
    logLevel: 'silent',
  });
  const output = metafile.outputs['extension.js'];
  if (!output) throw new Error('esbuild built nothing.');
  const eager = reachedWithoutImport(metafile, 'src/extension.ts');
  const sizes = (isEager: boolean): Record<string, number> => {
    const parts: Record<string, number> = {};
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      if (eager.has(path) === isEager) parts[partOf(path)] = (parts[partOf(path)] ?? 0) + bytesInOutput;
    }
    return parts;
  };
  return { bundleBytes: output.bytes, atActivation: sizes(true), withFirstMessage: sizes(false) };
}

function reachedWithoutImport({ inputs }: Metafile, entry: string): ReadonlySet<string> {
  const reached = new Set<string>([entry]);
  for (const path of reached) {
    for (const { path: next, kind } of inputs[path]?.imports ?? []) {
      if (kind !== 'dynamic-import' && next in inputs) reached.add(next);
    }
  }
  return reached;
}

/** A package by its name, our own code by its folder. */
function partOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name ?? path.split('/').slice(0, 2).join('/');
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
}
