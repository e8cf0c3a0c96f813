import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { MemoryNode, MemorySubject } from '../../core/conversation/reports/memoryRow';
import { memoryTree } from '../../core/conversation/reports/memoryTree';
import { nextEnding, nothingCurrent, redrawAfter } from '../../core/conversation/reports/statusText';
import type { ConversationId } from '../../core/conversation/turn';
import type { Notes } from '../../core/tools/notes/notes';
import type { Plans } from '../../core/tools/plans/plans';
import type { Conversations } from './conversations';

/** The Memory view, as its commands use it. */
export interface MemoryView extends vscode.Disposable {
  /** The row with the keyboard's focus. */
  focused(): Promise<MemoryNode | undefined>;
  refresh(): void;
  setRevealed(subject: Extract<MemorySubject, { kind: 'value' }>, isRevealed: boolean): void;
}

/** Nothing is read before the view is opened, and no timer runs while it is hidden. */
export function registerMemoryView(
  options: Pick<Conversations, 'memory' | 'threads' | 'archive' | 'limits' | 'onDidChange'> & {
    readonly notes: Notes;
    readonly plans: Pick<Plans, 'list' | 'onDidChange'>;
    readonly nameOfModel: (id: string) => string;
  },
): MemoryView {
  const { memory, threads, archive, limits, notes, plans, nameOfModel } = options;
  const changed = new vscode.EventEmitter<void>();
  const revealed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let shown = '';

  /** Only where something has changed: rows that are drawn again lose a click that is under way. */
  const update = async () => {
    if (!view.visible) return;
    // What goes wrong is told where VS Code asks for the rows.
    const rows = JSON.stringify(await readRows().catch(() => []));
    if (rows === shown) return;
    shown = rows;
    changed.fire();
  };

  const readRows = async (): Promise<readonly MemoryNode[]> => {
    await memory.refresh();
    const views = [...memory.views().values()];
    const now = Date.now();
    const current = threads.current();
    const rows = memoryTree(views, await archive.list(), {
      limits: limits(),
      now,
      current,
      notes: await notes.known(),
      // Where they cannot be read, it has been told of.
      plans: await plans.list().catch(() => []),
      isRevealed: (conversation, name) => revealed.has(keyOf(conversation, name)),
      nameOfModel,
    });
    const ending = nextEnding(views) ?? 60_000;
    view.message = messageFor(rows, current);
    clearTimeout(timer);
    if (view.visible && rows.length > 0) timer = setTimeout(() => void update(), redrawAfter(ending));
    return rows;
  };
  const draw = async (): Promise<MemoryNode[]> => {
    const rows = await readRows();
    shown = JSON.stringify(rows);
    return [...rows];
  };
  const view = vscode.window.createTreeView<MemoryNode>('assistant.memory', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => (node ? [...node.children] : draw()),
      getTreeItem: toTreeItem,
    },
  });
  const subscriptions = vscode.Disposable.from(
    view,
    changed,
    options.onDidChange(() => {
      const questions = memory.conversations().filter(({ waiting }) => waiting).length;
      view.badge =
        questions > 0 ? { value: questions, tooltip: l10n.t('Claude waits for your answer') } : undefined;
      void update();
    }),
    notes.onDidChange(() => void update()),
    plans.onDidChange(() => void update()),
    view.onDidChangeVisibility(({ visible }) => {
      clearTimeout(timer);
      revealed.clear();
      if (visible) void update();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('assistant')) void update();
    }),
  );
  return {
    async focused() {
      // VS Code tells extensions which rows are selected, not which one has the focus. Toggling its selection shows it.
      const before = view.selection;
      await vscode.commands.executeCommand('list.toggleSelection');
      const after = view.selection;
      await vscode.commands.executeCommand('list.toggleSelection');
      return difference(after, before) ?? difference(before, after);
    },
    refresh: () => void update(),
    setRevealed({ conversation, name }, isRevealed) {
      if (isRevealed) revealed.add(keyOf(conversation, name));
      else revealed.delete(keyOf(conversation, name));
      void update();
    },
    dispose() {
      clearTimeout(timer);
      subscriptions.dispose();
    },
  };
}

function difference(rows: readonly MemoryNode[], others: readonly MemoryNode[]): MemoryNode | undefined {
  return rows.find(({ id }) => !others.some((other) => other.id === id));
}

function keyOf(conversation: string, name: string): string {
  return `${conversation}/${name}`;
}

function messageFor(rows: readonly MemoryNode[], current: ConversationId): string {
  const first = rows.find(({ subject }) => subject.kind !== 'plan' && subject.kind !== 'plans');
  const hasPlan = rows.some(({ subject }) => subject.kind === 'plan');
  if (first?.subject.kind === 'notes')
    return hasPlan
      ? l10n.t('No conversation is remembered now, only this plan and these notes.')
      : l10n.t('No conversation is remembered now, only these notes.');
  if (hasPlan && first?.subject.kind !== 'conversation')
    return l10n.t('No conversation is remembered now, only this plan.');
  if (first?.subject.kind === 'archive')
    return l10n.t('Nothing is remembered. Your next message starts a fresh conversation.');
  if (first && !vscode.workspace.workspaceFolders)
    return l10n.t('No folder is open, so this memory belongs to no project.');
  if (first?.subject.kind === 'conversation' && first.subject.conversation !== current)
    return nothingCurrent();
  return '';
}

/**
 * Context values, for the menus in package.json:
 * `conversation`, `summary`, `turn`, `pinnedTurn`, `question`, `hiddenValue`, `shownValue`, `note`, `noteOfTurn`,
 * `archived`, `draftPlan`, `startedPlan`, `closedPlan`; the others have no actions.
 */
function toTreeItem({
  id,
  subject,
  label,
  description,
  tooltip,
  spoken,
  children,
}: MemoryNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label, collapsibleState(subject, children.length));
  item.id = id;
  item.description = description;
  item.tooltip = new vscode.MarkdownString(tooltip);
  item.accessibilityInformation = { label: spoken };
  item.contextValue = contextValue(subject);
  item.iconPath = new vscode.ThemeIcon(iconOf(subject));
  const open = openCommands[subject.kind];
  if (open) item.command = { command: open, title: l10n.t('Open'), arguments: [{ subject }] };
  return item;
}

/** What a click or Enter does. */
const openCommands: { readonly [Kind in MemorySubject['kind']]?: string } = {
  turn: 'assistant.openRow',
  summary: 'assistant.openRow',
  note: 'assistant.editNote',
  plan: 'assistant.openRow',
  archived: 'assistant.openRow',
  question: 'assistant.ask',
};

function collapsibleState({ kind }: MemorySubject, children: number): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (children === 0) return None;
  return kind === 'archive' || kind === 'plans' ? Collapsed : Expanded;
}

function contextValue(subject: MemorySubject): string {
  switch (subject.kind) {
    case 'turn':
      return subject.isPinned ? 'pinnedTurn' : 'turn';
    case 'value':
      return subject.isRevealed ? 'shownValue' : 'hiddenValue';
    case 'note':
      return subject.turn ? 'noteOfTurn' : 'note';
    case 'plan':
      return `${subject.state}Plan`;
    default:
      return subject.kind;
  }
}

const icons: { readonly [Kind in MemorySubject['kind']]: string } = {
  conversation: 'comment-discussion',
  summary: 'note',
  turn: 'comment',
  question: 'question',
  values: 'bookmark',
  value: 'symbol-constant',
  notes: 'notebook',
  note: 'quote',
  plan: 'checklist',
  plans: 'archive',
  archive: 'archive',
  archived: 'history',
};

function iconOf(subject: MemorySubject): string {
  if (subject.kind !== 'turn') return icons[subject.kind];
  return subject.isPinned ? 'pinned' : subject.isInterrupted ? 'debug-disconnect' : icons.turn;
}
