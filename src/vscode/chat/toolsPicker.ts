import type * as vscode from 'vscode';

/**
 * Names of the tools that the person switched off in the chat's tools picker. VS Code hands the picker's state over at
 * run time only: a map from each tool to whether it is on.
 */
export function switchedOffTools(request: vscode.ChatRequest): readonly string[] {
  const picked: unknown = 'tools' in request ? request.tools : undefined;
  if (!(picked instanceof Map)) return [];
  return [...picked].flatMap(([tool, isOn]) => (isOn === false ? nameOf(tool) : []));
}

/** The words that go with a message to which tools were attached with `#`; nothing without any. */
export function attachedToolsNote({ toolReferences }: vscode.ChatRequest): string {
  if (toolReferences.length === 0) return '';
  const names = toolReferences.map(({ name }) => name).join(', ');
  return `\n\n(Tools that the person attached, to be preferred where they fit: ${names}.)`;
}

function nameOf(tool: unknown): readonly string[] {
  const name: unknown = typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : tool;
  return typeof name === 'string' ? [name] : [];
}
