import { ToolError } from '../errors';
import { isObject, parseJson, type JsonObject } from '../text/json';
import type { AllowedPlace } from './paths/pathPolicy';
import type { Place, Workspace } from './workspace';

/**
 * Throws ToolError for a change that would leave a notebook which nobody can open. One of Jupyter is edited as the JSON
 * that it is, as long as it stays a notebook; of all others nobody knows the format here.
 */
export function refuseBrokenNotebook(
  workspace: Pick<Workspace, 'notebookType'>,
  { place, named, shown }: Pick<AllowedPlace, 'place' | 'shown'> & { readonly named: string },
  { before, after }: { readonly before?: string; readonly after: string },
): void {
  // By the name of a link, too: the editor goes by the path that a file was opened by.
  const places: readonly Place[] = [place, { ...place, path: named }];
  if (!places.some(({ path }) => path.toLowerCase().endsWith('.ipynb'))) {
    const type = places.map((one) => workspace.notebookType(one)).find((one) => one !== undefined);
    if (type === undefined) return;
    throw new ToolError(
      `${shown} is a notebook (${type}), which text edits could break: tell the person what to change in which cell.`,
    );
  }
  const wasBroken = before !== undefined && parseJson(before) === undefined;
  const fault = faultOf(after);
  if (fault === undefined || wasBroken || (before !== undefined && fault === faultOf(before))) return;
  throw new ToolError(
    `${shown} would be no notebook that opens: ${fault}. Write valid JSON of nbformat 4: each cell has cell_type, metadata ` +
      'and source (lines as JSON strings that end in \\n, quotes escaped), each code cell also outputs and ' +
      'execution_count. Make all edits that belong together in one call.',
  );
}

/** What keeps Jupyter from opening a text; undefined for a notebook. */
function faultOf(text: string): string | undefined {
  const notebook = parseJson(text);
  if (!isObject(notebook)) return notebook === undefined ? 'it is not JSON' : 'it is not a JSON object';
  const { nbformat, nbformat_minor, metadata, cells, worksheets } = notebook;
  if (typeof nbformat !== 'number') return 'nbformat is missing';
  if (nbformat < 4) return Array.isArray(worksheets) ? undefined : 'worksheets are missing';
  if (typeof nbformat_minor !== 'number') return 'nbformat_minor is missing';
  if (!isObject(metadata)) return 'metadata is missing';
  if (!Array.isArray(cells)) return 'cells are missing';
  for (const [at, cell] of cells.entries()) {
    const fault = isObject(cell) ? cellFault(cell) : 'is not an object';
    if (fault !== undefined) return `cell ${at + 1} ${fault}`;
  }
  return undefined;
}

function cellFault({
  cell_type,
  metadata,
  source,
  outputs,
  execution_count,
}: JsonObject): string | undefined {
  if (cell_type !== 'code' && cell_type !== 'markdown' && cell_type !== 'raw') return 'has no cell_type';
  if (!isObject(metadata)) return 'has no metadata';
  const isText = typeof source === 'string';
  const isLines = Array.isArray(source) && source.every((line) => typeof line === 'string');
  if (!isText && !isLines) return 'has no source';
  if (cell_type !== 'code') return undefined;
  if (!Array.isArray(outputs)) return 'has no outputs';
  return execution_count === null || typeof execution_count === 'number'
    ? undefined
    : 'has no execution_count';
}
