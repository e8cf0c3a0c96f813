import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { settingRules, type Settings } from '../../core/settings';
import { timeSpan } from '../../core/text/timeSpan';
import { inform } from '../notify';

type LimitName = 'maxTurns' | 'conversationTimeout';

/** Asks for one of the limits and writes the setting. */
export async function setLimit(name: LimitName, readSettings: () => Settings): Promise<void> {
  const rule = settingRules()[name];
  const { describe, ...words } = name === 'maxTurns' ? turnLimit() : timeout();
  const text = await vscode.window.showInputBox({
    ...words,
    value: String(readSettings()[name]),
    validateInput: (input) =>
      rule.accepts(toNumber(input)) ? undefined : l10n.t('It takes {0}.', rule.allowed),
  });
  if (text === undefined) return;
  const value = toNumber(text);
  await writeSetting(name, value);
  void inform(describe(value));
}

function turnLimit() {
  return {
    title: l10n.t('Set Turn Limit'),
    prompt: l10n.t('How many turns to remember. 0 remembers all that fit.'),
    describe: (turns: number): string => {
      if (turns === 0) return l10n.t('All turns are remembered, as far as they fit.');
      if (turns === 1) return l10n.t('The last turn is remembered.');
      return l10n.t('The last {0} turns are remembered.', turns);
    },
  };
}

function timeout() {
  return {
    title: l10n.t('Set Conversation Timeout'),
    prompt: l10n.t(
      'After how many seconds without a message the conversation ends: 1800 is half an hour, 28800 a working day, 0 never.',
    ),
    describe: (seconds: number): string => {
      if (seconds === 0) return l10n.t('The conversation never ends by itself.');
      const span = seconds % 60 === 0 ? timeSpan(seconds * 1000) : l10n.t('{0} s', seconds);
      return l10n.t('The conversation ends after {0} without a message.', span);
    },
  };
}

/** NaN for anything that is not written as a whole number: `Number` would take an empty input for 0. */
function toNumber(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Writes where the user has the setting now: a value for all windows would not count below one of the workspace. */
async function writeSetting(name: LimitName, value: number): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('assistant');
  const isInWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update(name, value, isInWorkspace ? Workspace : Global);
}
