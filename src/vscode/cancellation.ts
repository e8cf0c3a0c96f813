import * as vscode from 'vscode';

/** VS Code's token as an AbortSignal: the one place that converts. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** The way back, for calls into VS Code. Dispose of it when the call is over. */
export function toCancellationToken(signal: AbortSignal): {
  readonly token: vscode.CancellationToken;
  dispose(): void;
} {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return {
    token: source.token,
    dispose() {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}
