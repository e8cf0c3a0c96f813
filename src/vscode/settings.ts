import * as vscode from 'vscode';
import { describeProblem, parseSettings, type SettingProblem, type Settings } from '../core/settings';

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
  const openSettings = vscode.l10n.t('Open Settings');
  void vscode.window.showWarningMessage(sentence, openSettings).then((choice) => {
    if (choice === openSettings) {
      void vscode.commands.executeCommand('workbench.action.openSettings', `assistant.${problem.setting}`);
    }
  });
}
