import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  describeProblem,
  isBudget,
  parseSettings,
  strictest,
  type SettingProblem,
  type Settings,
} from '../core/settings';
import { warn } from './notify';

/** Gives the same settings until one of them changes. */
export function createSettingsReader(subscriptions: vscode.Disposable[]): () => Settings {
  const warned = new Set<string>();
  let current: Settings | undefined;
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('assistant')) current = undefined;
    }),
  );
  return () => {
    if (current) return current;
    const configuration = vscode.workspace.getConfiguration('assistant');
    const { settings, problems } = parseSettings((name) => readValue(configuration, name));
    for (const problem of problems) warnOnce(problem, warned);
    current = settings;
    return settings;
  };
}

function readValue(configuration: vscode.WorkspaceConfiguration, name: string): unknown {
  if (!isBudget(name)) return configuration.get(name);
  const set = configuration.inspect(name);
  return strictest(set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue);
}

function warnOnce(problem: SettingProblem, warned: Set<string>): void {
  const sentence = describeProblem(problem);
  if (warned.has(sentence)) return;
  warned.add(sentence);
  void offerSettings(sentence, problem);
}

async function offerSettings(sentence: string, { setting }: SettingProblem): Promise<void> {
  const openSettings = l10n.t('Open Settings');
  const choice = await warn(sentence, openSettings);
  if (choice !== openSettings) return;
  await vscode.commands.executeCommand('workbench.action.openSettings', `assistant.${setting}`);
}
