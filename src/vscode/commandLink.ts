import * as vscode from 'vscode';

/** Where a link in an answer leads that runs a command. */
export function commandLink(command: string, ...args: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}

/** Markdown of ours whose links can run this one command only. */
export function withLinksTo(command: string, markdown: string): vscode.MarkdownString {
  const linked = new vscode.MarkdownString(markdown);
  linked.isTrusted = { enabledCommands: [command] };
  return linked;
}
