import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { MemoryLimits } from '../../core/conversation/view';
import { timeSpan } from '../../core/text/timeSpan';
import type { PermissionMode } from '../../core/tools/permissions';
import { labelOfMode } from '../permissionMode';
import { pickOne } from '../quickPick';

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
  readonly arguments?: readonly unknown[];
}

/** What the status bar item opens: all that can be done, in one list. Commands that are not there are left out. */
export async function showMenu(limits: MemoryLimits, mode: PermissionMode): Promise<void> {
  const known = new Set(await vscode.commands.getCommands(true));
  const chosen = await pickOne(
    entries(limits, mode).filter(({ command }) => command === undefined || known.has(command)),
    { title: l10n.t('Claude Assistant'), placeHolder: l10n.t('Choose what to do') },
  );
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
}

function entries({ maxTurns, timeoutSeconds }: MemoryLimits, mode: PermissionMode): readonly Entry[] {
  const turns = maxTurns > 0 ? l10n.t('now {0}', maxTurns) : l10n.t('no limit');
  const timeout = timeoutSeconds > 0 ? l10n.t('now {0}', timeSpan(timeoutSeconds * 1000)) : l10n.t('never');
  return [
    entry('ask', 'comment', l10n.t('Ask Assistant')),
    entry('showMemory', 'list-tree', l10n.t('Show Memory')),
    entry('showPlan', 'checklist', l10n.t('Show Plan')),
    entry('showUsage', 'graph', l10n.t('Show Usage')),
    heading(l10n.t('Conversation')),
    entry('startFresh', 'add', l10n.t('Start Fresh Conversation')),
    entry('resumeConversation', 'history', l10n.t('Resume Conversation…')),
    entry('searchConversations', 'search', l10n.t('Search Conversations…')),
    entry('exportConversation', 'export', l10n.t('Export Conversation…')),
    entry('importConversation', 'desktop-download', l10n.t('Import Conversation…')),
    entry('clearConversation', 'clear-all', l10n.t('Clear Conversation')),
    heading(l10n.t('Settings')),
    entry(
      'setPermissionMode',
      'shield',
      l10n.t('Set Permission Mode…'),
      l10n.t('now {0}', labelOfMode(mode)),
    ),
    entry('setTurnLimit', 'list-ordered', l10n.t('Set Turn Limit…'), turns),
    entry('setConversationTimeout', 'watch', l10n.t('Set Conversation Timeout…'), timeout),
    entry('setApiKey', 'key', l10n.t('Set API Key…')),
    {
      command: 'workbench.action.openSettings',
      arguments: ['@ext:claude-assistant.claude-assistant'],
      iconPath: new vscode.ThemeIcon('settings-gear'),
      label: l10n.t('Open Settings'),
    },
    entry('showLog', 'output', l10n.t('Show Log')),
  ];
}

function entry(command: string, icon: string, label: string, description = ''): Entry {
  return { command: `assistant.${command}`, iconPath: new vscode.ThemeIcon(icon), label, description };
}

function heading(label: string): Entry {
  return { kind: vscode.QuickPickItemKind.Separator, label };
}
