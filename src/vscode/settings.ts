import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { describeProblem, parseSettings, type SettingProblem, type Settings } from '../core/settings';
import { warn } from './notify';

/** Reads the settings afresh at each call, so that a change holds from the next request on. */
export function createSettingsReader(): () => Settings {
  const warned = new Set<string>();
  return () => {
    const configuration = vscode.workspace.getConfiguration('assistant');
    const { settings, problems } = parseSettings((name) => configuration.get(name));
    for (const problem of problems) warnOnce(problem, warned);
    return settings;
  };
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
