import * as vscode from 'vscode';
import { isObject } from '../../core/json';
import type { HostTool, ToolExtension } from '../../core/tools/chooseHostTools';

/** The tools that VS Code lists, each with the extension that contributes it, as far as it runs beside us. */
export function readHostTools(): readonly HostTool[] {
  const extensions = new Map<string, ToolExtension>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    for (const { name, referenceName } of contributedTools(packageJSON)) {
      const fullName = `${id.toLowerCase()}/${referenceName}`;
      extensions.set(name, {
        id,
        label: labelOf(packageJSON) ?? id,
        isBuiltIn: isObject(packageJSON) && packageJSON['isBuiltin'] === true,
        isAlwaysAsked: () => isAlwaysAsked(fullName),
      });
    }
  }
  return vscode.lm.tools.map(({ name, description, inputSchema, tags }) => ({
    name,
    description,
    inputSchema,
    tags,
    extension: extensions.get(name),
  }));
}

function isAlwaysAsked(fullName: string): boolean {
  const eligible: unknown = vscode.workspace.getConfiguration('chat.tools').get('eligibleForAutoApproval');
  return isObject(eligible) && eligible[fullName] === false;
}

function contributedTools(
  manifest: unknown,
): readonly { readonly name: string; readonly referenceName: string }[] {
  const contributes = isObject(manifest) ? manifest['contributes'] : undefined;
  const tools = isObject(contributes) ? contributes['languageModelTools'] : undefined;
  return (Array.isArray(tools) ? tools : []).filter(isObject).flatMap((tool) => {
    const { name, toolReferenceName, displayName } = tool;
    if (typeof name !== 'string') return [];
    const referenceName = [toolReferenceName, displayName].find((one) => typeof one === 'string');
    return [{ name, referenceName: typeof referenceName === 'string' ? referenceName : name }];
  });
}

function labelOf(manifest: unknown): string | undefined {
  const label = isObject(manifest) ? manifest['displayName'] : undefined;
  return typeof label === 'string' && label.trim() !== '' ? label : undefined;
}
