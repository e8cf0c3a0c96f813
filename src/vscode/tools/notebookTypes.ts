import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { isObject } from '../../core/text/json';
import { compileGlob } from '../../core/tools/paths/glob';
import type { Place } from '../../core/tools/workspace';

/** What the extension calls its notebooks that opens a file of this name as one, unless the person wants it otherwise. */
export function notebookTypeOf({ path }: Place): string | undefined {
  for (const { packageJSON } of vscode.extensions.all) {
    for (const { type, displayName, priority, selector } of notebooksOf(packageJSON)) {
      if (priority === 'option' || typeof type !== 'string') continue;
      if (listOf(selector).some((one) => isSelected(one, path)))
        return typeof displayName === 'string' ? displayName : type;
    }
  }
  return undefined;
}

function notebooksOf(manifest: unknown) {
  const contributes = isObject(manifest) ? manifest['contributes'] : undefined;
  return listOf(isObject(contributes) ? contributes['notebooks'] : undefined).filter(isObject);
}

/** As VS Code reads it: a pattern without a slash is about the file's name, and capital letters do not count. */
function isSelected(selector: unknown, path: string): boolean {
  const fits = (pattern: unknown): boolean => {
    if (typeof pattern !== 'string') return false;
    const name = pattern.includes('/') ? path : basename(path);
    return compileGlob(pattern, { isCaseSensitive: false })(name);
  };
  if (!isObject(selector)) return fits(selector);
  return fits(selector['filenamePattern']) && !fits(selector['excludeFileNamePattern']);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
