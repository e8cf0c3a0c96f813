// Builds dist/extension.js, or into the folder that is named. With --tests also what runs around it: the tests and
// their tools, into dist/test; with --start of those only what `npm start` needs.
import { rmSync, readdirSync } from 'node:fs';
import { build, context } from 'esbuild';

const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const out = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'dist';
const isProduction = flags.has('--production');

/** @type {import('esbuild').BuildOptions} */
const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };

/** @type {import('esbuild').BuildOptions} */
const extension = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: `${out}/extension.js`,
  external: ['vscode'],
  // The SDK's ESM build is a third smaller than the one written with require.
  mainFields: ['module', 'main'],
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
};

/** What runs in the usage page. @type {import('esbuild').BuildOptions} */
const page = {
  ...common,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  entryPoints: ['src/webview/usagePage.ts'],
  outfile: `${out}/usagePage.js`,
  minify: isProduction,
};

/** @type {(folder: string) => import('esbuild').BuildOptions} */
const tests = (folder) => ({
  ...common,
  entryPoints: filesBelow(folder).filter((path) => /\.(test|main)\.ts$/.test(path)),
  outdir: 'dist/test',
  outbase: 'test',
  packages: 'external',
  external: ['vscode'],
  sourcemap: 'linked',
});

if (flags.has('--watch')) {
  for (const options of [extension, page]) await (await context(options)).watch();
  console.log('Watching src; F5 opens VS Code with the extension.');
} else {
  console.log('Building …');
  await Promise.all([build(extension), build(page)]);
  if (flags.has('--tests')) {
    rmSync('dist/test', { recursive: true, force: true });
    await build(tests('test'));
  }
  if (flags.has('--start')) await build(tests('test/support/start'));
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('test/fixtures/'));
}
