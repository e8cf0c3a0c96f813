import * as vscode from 'vscode';

/** The target of a link that runs a command. */
export function commandLink(command: string, ...args: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}

/** Markdown whose links can run this one command only. */
export function withLinksTo(command: string, markdown: string): vscode.MarkdownString {
  const linked = new vscode.MarkdownString(markdown);
  linked.isTrusted = { enabledCommands: [command] };
  return linked;
}
