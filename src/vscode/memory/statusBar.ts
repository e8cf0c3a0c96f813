import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Meter } from '../../core/agent/meter';
import type { Today } from '../../core/conversation/reports/daySum';
import type { NextMessage } from '../../core/conversation/reports/nextMessage';
import { statusText } from '../../core/conversation/reports/statusText';
import { tokensOf } from '../../core/conversation/view';
import type { PermissionMode } from '../../core/tools/permissions';
import { withLinksTo } from '../commandLink';
import { formatTimeOfDay } from '../formats';
import type { Conversations } from './conversations';

/**
 * `6/10 · 24 min · 18 %` in the status bar (P6), and a permission mode that does not ask about everything (R1). It comes
 * with the first thing that is remembered or with such a mode, and stays for the window; until then it would say nothing.
 * A timer runs only while there is a time to show.
 */
export function registerStatusBar(
  conversations: Pick<Conversations, 'memory' | 'threads' | 'limits' | 'onDidChange' | 'loaded'>,
  options: {
    readonly mode: () => PermissionMode;
    readonly meter: Pick<Meter, 'next'>;
    /** What the next message takes before any was sent in this window. */
    readonly afterReload: (historyTokens: number) => Promise<NextMessage | undefined>;
    readonly today: () => Promise<Today>;
    readonly nameOfModel: (id: string) => string;
  },
): vscode.Disposable {
  const { mode, meter, nameOfModel, afterReload } = options;
  const { memory, threads, limits } = conversations;
  let item: vscode.StatusBarItem | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isMemoryNoted = false;
  let isDisposed = false;

  /** The walkthrough ticks its step when there really is something to remember. */
  const noteMemory = () => {
    if (isMemoryNoted) return;
    isMemoryNoted = true;
    void vscode.commands.executeCommand('setContext', 'assistant.hasMemory', true);
  };

  let today: Today | undefined;
  let reloaded: NextMessage | undefined;

  /** Shows what is known, and the rest as soon as it is read. */
  const update = () => {
    draw();
    if (item) void read().then(draw, () => undefined);
  };

  const read = async () => {
    today = await options.today();
    if (forecast()) return;
    const remembered = memory.views().get(threads.current());
    reloaded = await afterReload(remembered ? tokensOf(remembered.conversation) : 0);
  };

  const forecast = () => meter.next(memory.forConversation(threads.current()).history());

  const draw = () => {
    clearTimeout(timer);
    const remembered = memory.views();
    if (isDisposed) return;
    if (!item && remembered.size === 0 && mode() === 'ask') return;
    item ??= createItem();
    if (remembered.size > 0) noteMemory();
    const { text, tooltip, spoken, isWaiting, redrawAfter } = statusText(remembered, {
      current: threads.current(),
      limits: limits(),
      mode: mode(),
      next: forecast() ?? reloaded,
      today,
      now: Date.now(),
      nameOfModel,
      timeOfDay: formatTimeOfDay,
    });
    item.text = `${isWaiting ? '$(question)' : '$(comment-discussion)'} ${text}`;
    item.tooltip = withLinks(tooltip);
    item.accessibilityInformation = { label: l10n.t('Claude Assistant. {0}', spoken) };
    item.show();
    if (redrawAfter !== undefined) timer = setTimeout(update, redrawAfter);
  };

  if (mode() !== 'ask') update();
  void conversations.loaded.then(update);
  return vscode.Disposable.from(
    conversations.onDidChange(update),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('assistant')) update();
    }),
    {
      dispose: () => {
        isDisposed = true;
        clearTimeout(timer);
        item?.dispose();
      },
    },
  );
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('assistant.memory', vscode.StatusBarAlignment.Right, 100);
  item.name = l10n.t('Claude Assistant');
  item.command = 'assistant.showMenu';
  return item;
}

function withLinks(tooltip: string): vscode.MarkdownString {
  const show = l10n.t('Show Memory');
  return withLinksTo('assistant.showMemory', `${tooltip}\n\n[${show}](command:assistant.showMemory)`);
}
