import type { StandIn } from '../claude/standIn';
import { withStandIn } from '../claude/withStandIn';
import { late } from '../late';
import { startLastingVsCode, type LastingVsCode } from './lastingVsCode';
import { openWindow, type VsCodeWindow } from './vscodeWindow';

/** Options of what is opened, but for its environment: that is the stand-in and this key; an empty one is none. */
type WithKey<Options> = Omit<Options, 'env'> & { readonly key?: string };

/** One window for all tests of a suite, and the stand-in that answers there. */
export function withWindow({ key, ...options }: WithKey<Parameters<typeof openWindow>[0]> = {}): {
  readonly standIn: StandIn;
  readonly window: VsCodeWindow;
} {
  const standIn = withStandIn();
  let window: VsCodeWindow | undefined;
  before(async () => {
    window = await openWindow({ ...options, env: claudeAt(standIn, key) });
  });
  after(() => window?.close());
  return { standIn, window: late(() => window) };
}

/** The same for tests that open and close windows themselves. */
export function withLastingVsCode({
  key,
  ...options
}: WithKey<Parameters<typeof startLastingVsCode>[0]> = {}): {
  readonly standIn: StandIn;
  readonly vscode: LastingVsCode;
} {
  const standIn = withStandIn();
  let vscode: LastingVsCode | undefined;
  before(async () => {
    vscode = await startLastingVsCode({ ...options, env: claudeAt(standIn, key) });
  });
  after(() => vscode?.close());
  return { standIn, vscode: late(() => vscode) };
}

function claudeAt({ url }: StandIn, key = 'sk-ant-e2e'): Readonly<Record<string, string>> {
  return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
}
