import * as vscode from 'vscode';
import type { MemoryLimits } from '../../core/conversation/retention';
import { timeSpan } from '../../core/timeSpan';
import { pickOne } from '../quickPick';

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
  readonly arguments?: readonly unknown[];
}

/** What the status bar item opens: all that can be done, in one list. Commands that are not there are left out. */
export async function showMenu(limits: MemoryLimits): Promise<void> {
  const known = new Set(await vscode.commands.getCommands(true));
  const chosen = await pickOne(
    entries(limits).filter(({ command }) => command === undefined || known.has(command)),
    { title: vscode.l10n.t('Claude Assistant'), placeHolder: vscode.l10n.t('Choose what to do') },
  );
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
}

function entries({ maxTurns, timeoutSeconds }: MemoryLimits): readonly Entry[] {
  const { t } = vscode.l10n;
  const turns = maxTurns > 0 ? t('now {0}', maxTurns) : t('now none');
  const timeout = timeoutSeconds > 0 ? t('now {0}', timeSpan(timeoutSeconds * 1000, t)) : t('now never');
  return [
    entry('ask', 'comment', t('Ask Assistant')),
    entry('showMemory', 'list-tree', t('Show Memory')),
    entry('showUsage', 'graph', t('Show Usage')),
    heading(t('Conversation')),
    entry('startFresh', 'add', t('Start Fresh Conversation')),
    entry('resumeConversation', 'history', t('Resume Conversation…')),
    entry('exportConversation', 'export', t('Export Conversation…')),
    entry('importConversation', 'desktop-download', t('Import Conversation…')),
    entry('clearConversation', 'clear-all', t('Clear Conversation')),
    heading(t('Settings')),
    entry('setTurnLimit', 'list-ordered', t('Set Turn Limit…'), turns),
    entry('setConversationTimeout', 'watch', t('Set Conversation Timeout…'), timeout),
    entry('setApiKey', 'key', t('Set API Key…')),
    {
      command: 'workbench.action.openSettings',
      arguments: ['@ext:claude-assistant.claude-assistant'],
      iconPath: new vscode.ThemeIcon('settings-gear'),
      label: t('Open Settings'),
    },
    entry('showLog', 'output', t('Show Log')),
  ];
}

function entry(command: string, icon: string, label: string, description = ''): Entry {
  return { command: `assistant.${command}`, iconPath: new vscode.ThemeIcon(icon), label, description };
}

function heading(label: string): Entry {
  return { kind: vscode.QuickPickItemKind.Separator, label };
}
