import type * as vscode from 'vscode';

/** How much the person lets VS Code do in this chat without asking. There at run time only, in newer versions. */
export function permissionLevelOf(request: vscode.ChatRequest): 'default' | 'autoApprove' | 'autopilot' {
  const level: unknown = 'permissionLevel' in request ? request.permissionLevel : undefined;
  return level === 'autoApprove' || level === 'autopilot' ? level : 'default';
}
