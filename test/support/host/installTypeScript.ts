import { join } from 'node:path';
import { cacheFolder } from '../projectPaths';
import { installPackage } from './installPackage';

/** VS Code's own service for TypeScript needs the compiler, which the server from npm comes without. */
export function installTypeScript(): void {
  installPackage('typescript', 'the language service');
}

/** The setting that leads there. It is one of the user: no window has it that does not ask for it. */
export const typeScriptSetting = {
  name: 'typescript.tsdk',
  value: join(cacheFolder, 'typescript/node_modules/typescript/lib'),
} as const;
