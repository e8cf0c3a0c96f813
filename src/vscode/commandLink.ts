import * as vscode from 'vscode';

/** The target of a link that runs a command. */
export function commandLink(command: string, ...args: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}

/** A link, as Markdown, and the command that it runs. */
export interface LinkedCommand {
  readonly command: string;
  readonly markdown: string;
}

/** Markdown whose links can run this one command only, or these. */
export function withLinksTo(command: string | readonly string[], markdown: string): vscode.MarkdownString {
  const linked = new vscode.MarkdownString(markdown);
  linked.isTrusted = { enabledCommands: typeof command === 'string' ? [command] : command };
  return linked;
}
