import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { labeled } from '../core/text/joined';
import type { PermissionMode } from '../core/tools/permissions';
import { inform } from './notify';
import { pickOne } from './quickPick';

/** Lets the user choose how much is asked (R1), and writes it where no workspace can. */
export async function setPermissionMode(current: PermissionMode): Promise<void> {
  const chosen = await pickOne(
    modes().map(({ mode, label, detail }) => ({
      mode,
      label,
      detail,
      description: mode === current ? l10n.t('current') : '',
    })),
    {
      title: l10n.t('Set Permission Mode'),
      placeHolder: l10n.t('What Claude may do without asking, in every workspace'),
      matchOnDetail: true,
    },
  );
  if (!chosen || chosen.mode === current) return;
  const configuration = vscode.workspace.getConfiguration('assistant');
  await configuration.update('permissionMode', chosen.mode, vscode.ConfigurationTarget.Global);
  void inform(labeled(chosen.label, chosen.detail));
}

/** The name of a mode, for people. */
export function labelOfMode(mode: PermissionMode): string {
  return modes().find((one) => one.mode === mode)?.label ?? mode;
}

function modes(): readonly {
  readonly mode: PermissionMode;
  readonly label: string;
  readonly detail: string;
}[] {
  return [
    {
      mode: 'ask',
      label: l10n.t('Ask'),
      detail: l10n.t('You are asked before everything with side effects.'),
    },
    {
      mode: 'edits',
      label: l10n.t('Edits'),
      detail: l10n.t('Files are edited, created and renamed unasked. The rest is asked about.'),
    },
    {
      mode: 'readOnly',
      label: l10n.t('Read Only'),
      detail: l10n.t('Nothing with side effects runs, and you are not asked.'),
    },
  ];
}
