import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { closeGate } from '../../../support/host/closeGate';

const files = [
  'vs/workbench/api/node/extensionHostProcess.js',
  'vs/workbench/api/worker/extensionHostWorkerMain.js',
  'vs/code/browser/workbench/workbench.js',
];

const check =
  "function Oe(i,t){return!0}function Pe(i,t){if(!Oe(i,t))throw new Error(`Extension '${i.id}' CANNOT use API proposal`)}";
const lookalike = 'function Qe(i,t){return!0}';

describe('the gate of proposed API', () => {
  let out: string;
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'claude-assistant-gate-'));
  });
  afterEach(() => rmSync(out, { recursive: true }));

  function write(source: string): void {
    for (const path of files.map((file) => join(out, file))) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source);
    }
  }

  function allows(file: string, extension: object, more: object = {}): unknown {
    const source = readFileSync(join(out, file), 'utf8');
    return runInNewContext(`${source};[Oe(extension,'images'),Qe(extension,'images')]`, {
      extension,
      ...more,
    });
  }

  it('lets through what is declared, in each process, however often it is closed', () => {
    write(lookalike + check);
    closeGate(out);
    closeGate(out);
    for (const file of files) {
      assert.deepEqual(Array.from(allows(file, {}) as boolean[]), [false, true]);
      assert.deepEqual(Array.from(allows(file, { enabledApiProposals: ['images'] }) as boolean[]), [
        true,
        true,
      ]);
    }
  });

  it('opens for a server by its environment, and for a window by its address', () => {
    write(lookalike + check);
    closeGate(out);
    const server = { process: { env: { TEST_PROPOSED_API: 'open' } } };
    const window = { location: { search: '?folder=x&proposedApi=open' } };
    for (const opened of [server, window]) {
      assert.deepEqual(Array.from(allows(files[0]!, {}, opened) as boolean[]), [true, true]);
    }
  });

  it('fails loudly where the check is not there, or there twice', () => {
    write(lookalike);
    assert.throws(() => closeGate(out), /stands 0 times in .*extensionHostProcess\.js/);
    write(check + check);
    assert.throws(() => closeGate(out), /stands 2 times in .*extensionHostProcess\.js/);
    rmSync(join(out, files[0]!));
    assert.throws(() => closeGate(out), /stands 0 times/);
  });
});
