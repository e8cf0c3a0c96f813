import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../setupError';

/**
 * Closes the gate of proposed API, as in Microsoft's build. `code-server` compiles VS Code so that every extension may
 * use every proposal; people's VS Code takes away what an extension has not declared, and hands it poorer requests.
 */
export function closeGate(out: string): void {
  for (const file of gatedFiles) closeIn(join(out, file));
}

/** Opens it for one server and the windows on it: for tests that show what happens where proposed API is there. */
export const openGate = {
  env: { TEST_PROPOSED_API: 'open' },
  query: 'proposedApi=open',
};

/** The check stands in each of VS Code's processes. */
const gatedFiles = [
  'vs/workbench/api/node/extensionHostProcess.js',
  'vs/workbench/api/worker/extensionHostWorkerMain.js',
  'vs/code/browser/workbench/workbench.js',
];

/**
 * `isProposedApiEnabled(extension, proposal)`, compiled to "always". Minified names differ from version to version, and
 * other functions look alike: it is the one that the check right behind it calls before it throws.
 */
const openCheck =
  /function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return ?!0\}(?=function [\w$]+\([\w$,]+\)\{if\(!\1\([\w$,]+\)\)throw new Error\(`Extension '[^']+' CANNOT use API proposal)/g;

const mark = '/*gate closed 1*/';

function closeIn(path: string): void {
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (source.startsWith(mark)) return;
  let found = 0;
  const closed = source.replace(openCheck, (_, name: string, extension: string, proposal: string) => {
    found++;
    const declares = `!!${extension}.enabledApiProposals?.includes(${proposal})`;
    return `function ${name}(${extension},${proposal}){return ${isOpen}||${declares}}`;
  });
  if (found !== 1) {
    throw new SetupError(
      `The gate of proposed API stands ${found} times in ${path}, not once: look how this VS Code checks a proposal, and teach test/support/host/closeGate.ts.`,
    );
  }
  writeFileSync(path, mark + closed);
}

/** The extension host inherits the environment of its server; a window has only its address. */
const isOpen = `(globalThis.process?.env?.TEST_PROPOSED_API==="open"||!!globalThis.location?.search?.includes(${JSON.stringify(openGate.query)}))`;
