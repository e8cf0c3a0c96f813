import * as vscode from 'vscode';
import { ToolError } from '../../core/errors';
import { characterStart } from '../../core/text/cutText';
import type { DecodedText, UnwritableCharacter } from '../../core/tools/workspace';

/**
 * The text of a file as the editor reads it: as it is open now, by its byte order mark, by the settings of its folder and
 * language, or by a guess where the person wants one. What is shown, edited and written is then in the same encoding.
 */
export async function decodeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<DecodedText> {
  const utf8 = asUtf8(bytes);
  const shown = shownDocument(uri);
  if (utf8 !== undefined && shown === undefined && isReadAsUtf8(uri)) return exactUtf8(utf8);
  const now = await decodeAs(await encodingOf(uri, bytes), bytes);
  const open = shown && shown.encoding !== now.encoding ? await decodeAs(shown.encoding, bytes) : now;
  const best = open.isExact || !now.isExact ? open : now;
  // Read as a code page of single bytes, UTF-8 looks like `Ã¤`, which nobody writes. In other encodings its bytes can be
  // ordinary words, so that the setting counts as long as it makes sense of them.
  const isUtf8 = utf8 !== undefined && utf8 !== best.text && (!best.isExact || isSingleByte(best.encoding));
  return isUtf8 ? exactUtf8(utf8) : best;
}

async function decodeAs(encoding: string, bytes: Uint8Array): Promise<DecodedText> {
  const text = await readable(vscode.workspace.decode(bytes, { encoding }));
  const back = await vscode.workspace.encode(text, { encoding });
  return { text, encoding, isExact: Buffer.compare(back, bytes) === 0 };
}

function exactUtf8(text: string): DecodedText {
  return { text, encoding: 'utf8', isExact: true };
}

/**
 * The encoding in which VS Code would open a file now. A document that nobody looks at is kept for a while in the one
 * that it was opened in, whatever the settings say since.
 */
async function encodingOf(uri: vscode.Uri, bytes: Uint8Array): Promise<string> {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return mark;
  const files = vscode.workspace.getConfiguration('files', uri);
  const isGuessed = files.get('autoGuessEncoding') === true;
  if (!isGuessed && !bytes.includes(0) && isForAllLanguages(files)) return configured(files);
  const document = await readable(vscode.workspace.openTextDocument(uri));
  const own = vscode.workspace.getConfiguration('files', { uri, languageId: document.languageId });
  const isByContent = own.get('autoGuessEncoding') === true || bytes.includes(0);
  return isByContent ? document.encoding : configured(own);
}

/** The bytes that the editor would write; without an encoding, for a new file. */
export async function encodeFile(uri: vscode.Uri, text: string, encoding?: string): Promise<Uint8Array> {
  return encoding === undefined
    ? vscode.workspace.encode(text, { uri })
    : vscode.workspace.encode(text, { encoding });
}

/**
 * A new text as `files.eol` and `files.insertFinalNewline` want it. With `auto`, VS Code's default, lines end as they
 * were written; a text that has other line ends than `\n` means them.
 */
export function newFileText(uri: vscode.Uri, text: string): string {
  const files = vscode.workspace.getConfiguration('files', uri);
  const isComplete = text === '' || text.endsWith('\n') || files.get('insertFinalNewline') !== true;
  const whole = isComplete ? text : `${text}${text.includes('\r\n') ? '\r\n' : '\n'}`;
  return files.get('eol') === '\r\n' && !text.includes('\r') ? whole.replaceAll('\n', '\r\n') : whole;
}

/** The first character that the encoding does not have; without an encoding, that of a new file. */
export async function findUnwritable(
  uri: vscode.Uri,
  text: string,
  encoding?: string,
): Promise<UnwritableCharacter | undefined> {
  const name = encoding ?? String(vscode.workspace.getConfiguration('files', uri).get('encoding'));
  if (name.startsWith('utf') && (encoding !== undefined || isReadAsUtf8(uri)) && text.isWellFormed())
    return undefined;
  const bytes = await encodeFile(uri, text, encoding);
  const wanted = text.replace(/^\uFEFF/, '');
  // For a new file the settings of its language count as well, and a guess at its encoding may be wrong.
  if (encoding === undefined && (await vscode.workspace.decode(bytes, { uri })) === wanted) return undefined;
  const back = await vscode.workspace.decode(bytes, { encoding: name });
  return back === wanted ? undefined : { encoding: name, character: firstDifference(wanted, back) };
}

/** The encoding of the files in a folder as ripgrep calls it; undefined for UTF-8 and what ripgrep does not know. */
export function ripgrepEncoding(folder: vscode.Uri): string | undefined {
  const name = String(vscode.workspace.getConfiguration('files', folder).get('encoding'));
  const [, page] = /^windows(\d+)$/.exec(name) ?? [];
  if (page !== undefined) return `windows-${page}`;
  if (/^iso8859\d+$|^gb(k|2312|18030)$|^cp866$/.test(name)) return name;
  return otherRipgrepNames[name];
}

const otherRipgrepNames: Readonly<Record<string, string>> = {
  big5hkscs: 'big5-hkscs',
  cp949: 'euc-kr',
  cp950: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  macroman: 'x-mac-roman',
  shiftjis: 'shift-jis',
  utf16be: 'utf-16be',
  utf16le: 'utf-16le',
};

/** What VS Code takes for binary, or cannot open, the model can read about. */
async function readable<T>(thenable: Thenable<T>): Promise<T> {
  try {
    return await thenable;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(`VS Code cannot read the file as text: ${reason}`, { cause });
  }
}

/** A document in a tab, or with unsaved changes. */
function shownDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  const document = vscode.workspace.textDocuments.find(
    (one) => !one.isClosed && one.uri.toString() === wanted,
  );
  const isInTab = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === wanted);
  return document?.isDirty === true || isInTab ? document : undefined;
}

/** Whether VS Code reads every file without a byte order mark as UTF-8, which is its default. */
function isReadAsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  return (
    files.get('encoding') === 'utf8' && files.get('autoGuessEncoding') !== true && isForAllLanguages(files)
  );
}

function isForAllLanguages(files: vscode.WorkspaceConfiguration): boolean {
  return ['encoding', 'autoGuessEncoding'].every(
    (name) => (files.inspect(name)?.languageIds ?? []).length === 0,
  );
}

/** `utf8bom` is for new files: one without a mark is read, and written again, without. */
function configured(files: vscode.WorkspaceConfiguration): string {
  const name = String(files.get('encoding'));
  return name === 'utf8bom' ? 'utf8' : name;
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf8bom';
  if (first === 0xff && second === 0xfe) return 'utf16le';
  return first === 0xfe && second === 0xff ? 'utf16be' : undefined;
}

/** As VS Code names them. */
function isSingleByte(encoding: string): boolean {
  return /^(windows|iso8859|koi8|macroman)|^cp(437|850|852|865|866|1125)$/.test(encoding);
}

/** Undefined for what is not UTF-8, starts with a byte order mark, or may be UTF-16 without one. */
function asUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith('\uFEFF') ? undefined : text;
  } catch {
    return undefined;
  }
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a.charAt(at) === b.charAt(at)) at++;
  // Two characters beyond the basic plane can share their first half.
  return String.fromCodePoint(a.codePointAt(characterStart(a, at)) ?? 0xfffd);
}
