import * as vscode from 'vscode';
import { withoutIcons } from '../core/text/plainText';

/** The one door to lists to choose from (A32): what entries say is shown as it is written. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions & { readonly canPickMany?: false },
): Thenable<Item | undefined> {
  return vscode.window.showQuickPick(items.map(literalItem), options);
}

/** The same with ticks. */
export function pickSome<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Thenable<readonly Item[] | undefined> {
  return vscode.window.showQuickPick(items.map(literalItem), { ...options, canPickMany: true });
}

/** A list that its caller keeps up to date, with entries that went through `literalItem`. */
export function createList<Item extends vscode.QuickPickItem>(): vscode.QuickPick<Item> {
  return vscode.window.createQuickPick<Item>();
}

export function literalItem<Item extends vscode.QuickPickItem>(item: Item): Item {
  const { label, description, detail } = item;
  return {
    ...item,
    label: withoutIcons(label),
    ...(description !== undefined && { description: withoutIcons(description) }),
    ...(detail !== undefined && { detail: withoutIcons(detail) }),
  };
}
