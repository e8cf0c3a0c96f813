import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../core/ports';
import { visibleLine } from '../../core/text/plainText';
import { offeredRules, type OfferedRule } from '../../core/tools/offeredRules';
import {
  isPermissionRule,
  type CallInQuestion,
  type PermissionRule,
  type Permissions,
} from '../../core/tools/permissions';
import { commandLink, type LinkedCommand } from '../commandLink';
import { createRegisterCommand } from '../commands';
import { complain, inform } from '../notify';
import { pickOne } from '../quickPick';

const commandName = 'allowAlways';
const command = `assistant.${commandName}`;
/** More cards than are ever open at once. */
const keptCalls = 50;

/** Turns a question into a rule, once the user has seen the rule (R4). */
export interface RuleOffers extends vscode.Disposable {
  /** Whether a rule could spare the question about a call. */
  has(call: CallInQuestion): boolean;
  /** A link for the card about a call, where a rule could spare it. It holds a number: nothing in it could be a rule. */
  link(call: CallInQuestion): LinkedCommand | undefined;
  /** Shows the rules that would spare this question, adds the one that is chosen, and says whether there is one. */
  choose(call: CallInQuestion): Promise<boolean>;
}

export function createRuleOffers(options: {
  readonly permissions: () => Permissions;
  readonly nextId: () => string;
  readonly log: Log;
}): RuleOffers {
  const { permissions, nextId, log } = options;
  const calls = new Map<string, CallInQuestion>();
  const registration = createRegisterCommand(log)(commandName, async (id: unknown) => {
    const call = typeof id === 'string' ? calls.get(id) : undefined;
    if (call === undefined) void inform(l10n.t('This question is no longer open.'));
    else await choose(call);
  });

  /** By the rules as they are now: others may have come since the question was put. */
  const choose = (call: CallInQuestion) => chooseRule(offeredRules(call, permissions()));

  const has = (call: CallInQuestion) => offeredRules(call, permissions()).length > 0;

  return {
    has,
    link(call) {
      if (!has(call)) return undefined;
      const id = nextId();
      calls.set(id, call);
      const oldest = calls.keys().next();
      if (calls.size > keptCalls && !oldest.done) calls.delete(oldest.value);
      return { command, markdown: `[${allowAlways()}](${commandLink(command, id)})` };
    },
    choose,
    dispose: () => void registration.dispose(),
  };
}

/** The words of the button, or link, that leads to the rules. */
export function allowAlways(): string {
  return l10n.t('Always Allow…');
}

async function chooseRule(offered: readonly OfferedRule[]): Promise<boolean> {
  const chosen = await pickOne(
    offered.map((offer) => ({
      label: visibleLine(showRule(offer.rule)),
      detail: describe(offer),
      offer,
    })),
    {
      title: l10n.t('Always Allow'),
      placeHolder: l10n.t('Choose the rule to add to your settings. It counts in every workspace.'),
      ignoreFocusOut: true,
    },
  );
  if (!chosen) return false;
  return addRule(chosen.offer);
}

function describe({ about }: OfferedRule): string {
  if (about === 'file') return l10n.t('This file');
  return about === 'folder'
    ? l10n.t('This folder and those below it, but for secrets and places that run code')
    : l10n.t('Everything that this tool does, but for secrets and places that run code');
}

/** Into the user's own settings, where no workspace can write. */
async function addRule({ rule, index }: OfferedRule): Promise<boolean> {
  const configuration = vscode.workspace.getConfiguration('assistant');
  const written: unknown = configuration.inspect('permissions')?.globalValue ?? [];
  // What cannot be read may be there to forbid something, and is not ours to remove.
  if (!Array.isArray(written) || !written.every(isPermissionRule)) {
    void sayWithSettings(complain, l10n.t('One of your rules cannot be read, so none was added.'));
    return false;
  }
  const rules = written.toSpliced(index, 0, rule);
  await configuration.update('permissions', rules, vscode.ConfigurationTarget.Global);
  const [number, shown] = [index + 1, visibleLine(showRule(rule))];
  void sayWithSettings(
    inform,
    l10n.t('Rule {0} of assistant.permissions is now {1}, from the next call on.', number, shown),
  );
  return true;
}

async function sayWithSettings(say: typeof inform, sentence: string): Promise<void> {
  const openSettings = l10n.t('Open Settings');
  if ((await say(sentence, openSettings)) === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'assistant.permissions');
  }
}

function showRule({ tool, path, decision }: PermissionRule): string {
  const values = Object.entries({ tool, path, decision }).filter(([, value]) => value !== undefined);
  return `{ ${values.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(', ')} }`;
}
