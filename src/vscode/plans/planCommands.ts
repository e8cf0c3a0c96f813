import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../../core/errors';
import type { Log } from '../../core/ports';
import { titleOf, type Plan } from '../../core/tools/plans/plan';
import type { Plans } from '../../core/tools/plans/plans';
import { newChat, openChat } from '../chat/openChat';
import { createRegisterCommand } from '../commands';
import type { Lasting } from '../memory/lasting';
import { inform, offer, offerLater } from '../notify';
import { planIdOf, type PlanFiles } from './planFiles';

/** What a button below an answer, the plan's editor, or a row of the Memory view hands over; nothing from the palette. */
type Chosen =
  | number
  | vscode.Uri
  | { readonly subject: { readonly kind: string; readonly id?: unknown } }
  | undefined;

/** What people do with a plan (N3): Start, Start Fresh with This Plan, Save Plan…, Close Plan and Show Plan. */
export function registerPlanCommands(options: {
  readonly plans: Plans;
  readonly files: PlanFiles;
  /** Whether the present conversation could be left for a fresh one. */
  readonly leave: () => Promise<boolean>;
  readonly log: Log;
}): vscode.Disposable {
  const { plans, files, log } = options;
  const command = createRegisterCommand(log);

  /** The one that is meant, with what the user has written into it and not saved yet. */
  async function chosenPlan(chosen: Chosen): Promise<Plan> {
    await files.saveEditors();
    const id = idOf(chosen);
    const [newest] = await plans.list();
    const plan = typeof id === 'number' ? await plans.get(id) : newest;
    if (plan) return plan;
    throw new UserError(typeof id === 'number' ? l10n.t('This plan is no longer there.') : noPlan());
  }

  async function start(chosen: Chosen): Promise<void> {
    const { id } = await chosenPlan(chosen);
    await plans.start(id);
    await openChat({ question: startMessage(), isLocal: typeof chosen === 'number', isSent: true });
  }

  async function startFresh(chosen: Chosen): Promise<void> {
    const { id } = await chosenPlan(chosen);
    if (!(await options.leave())) return;
    await plans.start(id);
    // In a chat of its own: what the present one shows is not known any more.
    await newChat();
    await openChat({ question: startMessage(), isLocal: true, isSent: true });
  }

  async function save(chosen: Chosen): Promise<void> {
    const { text } = await chosenPlan(chosen);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      title: l10n.t('Save Plan'),
      filters: { Markdown: ['md'] },
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, fileName(text)) }),
    });
    if (!target) return;
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    const sentence = l10n.t('The plan is saved to {0}.', vscode.workspace.asRelativePath(target));
    offerLater(log, sentence, l10n.t('Open'), () => vscode.window.showTextDocument(target));
  }

  async function close(chosen: Chosen): Promise<void> {
    const plan = await chosenPlan(chosen);
    if (plan.isClosed) {
      void inform(l10n.t('This plan is closed already.'));
      return;
    }
    await plans.close(plan.id);
    const sentence = l10n.t('The plan is closed: Claude no longer gets it. The Memory view keeps it.');
    offerLater(log, sentence, l10n.t('Undo'), () => plans.reopen(plan.id));
  }

  return vscode.Disposable.from(
    command('showPlan', async (chosen) => files.show(await chosenPlan(chosen))),
    command('startPlan', start),
    command('startFreshWithPlan', startFresh),
    command('savePlan', save),
    command('closePlan', close),
  );
}

function idOf(chosen: Chosen): number | undefined {
  if (chosen instanceof vscode.Uri) return planIdOf(chosen);
  return typeof chosen === 'object' ? Number(chosen.subject.id) : chosen;
}

/** Plans, in the question of Clear. They go with all conversations. */
export function lastingPlans(plans: Plans): Lasting {
  return {
    async describe() {
      // Where they cannot be read, it has been told of.
      const { length } = await plans.list().catch(() => []);
      return length === 0 ? undefined : planCount(length);
    },
    buttons: { clear: () => l10n.t('Clear, and Erase Plans') },
    async erase() {
      const erased = await plans.erase((await plans.list()).map(({ id }) => id));
      return () => plans.restore(erased);
    },
  };
}

/** What the button below `/clear` does. */
export async function erasePlans(plans: Plans): Promise<void> {
  const { length } = await plans.list();
  if (length === 0) {
    void inform(noPlan());
    return;
  }
  const bringBack = await lastingPlans(plans).erase();
  await offer(l10n.t('Erased, too: {0}.', planCount(length)), l10n.t('Undo'), bringBack);
}

function noPlan(): string {
  return l10n.t('There is no plan. Ask for one with @assistant /plan and what you want done.');
}

function planCount(count: number): string {
  return count === 1 ? l10n.t('1 plan') : l10n.t('{0} plans', count);
}

/** As if the user had typed it. The plan itself goes with it. */
function startMessage(): string {
  return l10n.t('Start the plan.');
}

function fileName(text: string): string {
  const name = titleOf(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name.slice(0, 60) || 'plan'}.md`;
}
