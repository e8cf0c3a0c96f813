import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { checkImage, looksLikeImage, toImageBlock } from '../media';
import { codeSpan } from '../text/markdown';
import { confirmReading } from './confirmation';
import { integer, objectOf, string } from './inputSchema';
import { numberLines, splitLines } from './lines';
import type { AllowedPlace } from './paths/pathPolicy';
import {
  looksBinary,
  readWholeText,
  showSize,
  statFile,
  unsavedText,
  utf16Mark,
  wholeFileLimit,
  type WholeText,
} from './readText';
import { scanLines } from './scanLines';
import type { ToolOutput } from './tool';
import type { Workspace } from './workspace';
import { defineTool, openable, touching, type ToolContext } from './workspaceTool';

interface Input {
  readonly path: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly start_character?: number;
}

const imageLimit = 8 * 1024 * 1024;
/** As long as a magic number and a look for binary data need. */
const headLength = 8192;

export const readFile = defineTool<Input>({
  name: 'read_file',
  title: () => l10n.t('Read File'),
  description:
    'Read a text file of the workspace, or look at an image (PNG, JPEG, GIF, WebP). Text comes back with line numbers ' +
    'and a tab before each line; they are not part of the file. Unsaved changes in open editors are included. A file of ' +
    'up to some 500 lines comes whole and is best read whole; of a longer one the last line says how to get the next ' +
    'part, and search_text or get_symbols which part to read. Read several files in one answer. Files that look like ' +
    'secrets are read after the person has agreed.',
  effect: 'reads',
  files: { use: 'reads', inputs: ['path'] },
  inputSchema: objectOf(
    {
      path: string(
        'Relative to the workspace folder, such as src/index.ts; with several folders it starts with the folder name.',
      ),
    },
    {
      start_line: integer('First line to read, counted from 1.', { minimum: 1 }),
      end_line: integer('Last line to read, included.', { minimum: 1 }),
      start_character: integer('Where to go on in a very long first line, counted from 1.', { minimum: 1 }),
    },
  ),
  async prepare(request, context, signal) {
    refuseEmptyRange(request);
    const allowed = await context.policy.forReading(request.path, signal);
    return {
      progress: l10n.t('Reading {0}', codeSpan(allowed.shown)),
      touches: touching(allowed),
      ...(allowed.isSecret && { confirmation: confirmReading(allowed) }),
      run: async (_, running) => ({
        ...(await read(allowed, request, context, running)),
        ...openable(allowed),
      }),
    };
  },
});

async function read(
  allowed: AllowedPlace,
  request: Input,
  { workspace, known }: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if ((await unsavedText(workspace, allowed.place, signal)) === undefined) {
    const { size } = await statFile(workspace, allowed, signal);
    const head = await workspace.readBytes(allowed.place, 0, Math.min(size, headLength), signal);
    if (looksLikeImage(head)) return readImage(workspace, allowed, size, signal);
    if (looksBinary(head)) throw binaryFile(allowed, head, size);
    if (size > wholeFileLimit) {
      const bytes = (start: number, length: number) =>
        workspace.readBytes(allowed.place, start, length, signal);
      return readHuge(allowed, request, { size, encoding: utf16Mark(head) ?? 'utf-8', bytes });
    }
  }
  const whole = await readWholeText(workspace, allowed, signal);
  known.saw(allowed.place, whole.text);
  return showText(allowed, request, whole);
}

async function readImage(
  workspace: Workspace,
  { place, shown }: AllowedPlace,
  size: number,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const bytes = await workspace.readBytes(place, 0, Math.min(size, imageLimit), signal);
  const check = checkImage(bytes);
  if (check.type === 'refused')
    throw new ToolError(`${shown} is an image that Claude cannot take: ${check.reason}.`);
  return { content: [toImageBlock(bytes, check.image.type)] };
}

async function readHuge(
  { shown }: AllowedPlace,
  { start_line: first = 1, end_line: last = Number.MAX_SAFE_INTEGER, start_character: start }: Input,
  file: {
    readonly size: number;
    readonly encoding: string;
    readonly bytes: (start: number, length: number) => Promise<Uint8Array>;
  },
): Promise<ToolOutput> {
  const { size, encoding } = file;
  const range = { size, encoding, first, last, firstCharacter: start ?? 1 };
  const { lines, isEnd } = await scanLines(file.bytes, range);
  if (lines.length === 0) {
    throw new ToolError(
      `${shown} (${showSize(size)}) has no line ${first} within reach. Use search_text to find the right part.`,
    );
  }
  // The lines begin where the request does, so that of the first one all is wanted.
  const view = numberLines(lines, {
    firstLine: first,
    firstCharacter: start === undefined ? undefined : 1,
    isLengthUnknown: true,
  });
  const isAll = isEnd && view.lastLine === first + lines.length - 1;
  const notes = [`Lines ${first}–${view.lastLine} of a file of ${showSize(size)}`];
  if (view.cut !== undefined) {
    const before = view.cut.line === first ? (start ?? 1) - 1 : 0;
    notes.push(cutNote({ line: view.cut.line, character: view.cut.character + before }));
  }
  notes.push(isAll ? 'end of the file' : `go on with start_line: ${view.lastLine + 1}, or use search_text`);
  if (view.text.includes('\uFFFD')) notes.push(`each \uFFFD may stand for bytes that are not ${encoding}`);
  return { content: `${view.text}\n[${notes.join('; ')}.]` };
}

function showText(allowed: AllowedPlace, request: Input, whole: WholeText): ToolOutput {
  const { text, encoding, isExact, isUnsaved } = whole;
  if (text === '') return { content: `[${allowed.shown} is empty.]` };
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  const first = request.start_line ?? 1;
  if (first > lines.length) {
    throw new ToolError(`${allowed.shown} has only ${lines.length} lines: use a smaller start_line.`);
  }
  const wanted = lines.slice(first - 1, request.end_line);
  const view = numberLines(wanted, { firstLine: first, firstCharacter: request.start_character });
  const notes: string[] = [];
  if (isUnsaved) notes.push('with unsaved changes of the editor');
  if (!isExact && text.includes('\uFFFD')) {
    notes.push(
      `each \uFFFD may stand for bytes that are not ${encoding}, in which the editor reads this file (setting files.encoding)`,
    );
  }
  if (view.cut !== undefined) notes.push(cutNote(view.cut));
  if (view.lastLine < lines.length && request.end_line !== view.lastLine) {
    notes.push(`go on with start_line: ${view.lastLine + 1}`);
  }
  const isPart = first > 1 || view.lastLine < lines.length;
  if (!isPart && notes.length === 0) return { content: view.text };
  return {
    content: `${view.text}\n[${[`Lines ${first}–${view.lastLine} of ${lines.length}`, ...notes].join('; ')}.]`,
  };
}

function cutNote({ line, character }: { readonly line: number; readonly character: number }): string {
  return `line ${line} is cut: go on with start_line: ${line}, start_character: ${character}`;
}

function refuseEmptyRange({ start_line: start = 1, end_line: end = Infinity }: Input): void {
  if (end < start) throw new ToolError(`end_line ${end} lies before start_line ${start}.`);
}

function binaryFile({ shown }: AllowedPlace, head: Uint8Array, size: number): ToolError {
  const isPdf = String.fromCharCode(...head.subarray(0, 5)) === '%PDF-';
  const advice = isPdf ? ' It is a PDF: ask the person to attach it to the chat.' : '';
  return new ToolError(`${shown} is a binary file (${showSize(size)}), not text.${advice}`);
}
