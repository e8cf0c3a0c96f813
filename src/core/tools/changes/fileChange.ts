import type { Place } from '../workspace';
import { textChange, withHunks, type TextChange } from './hunks';

/** What a turn did to one file, until the person has judged all of it (C1). */
export interface FileChange extends ListedChange {
  /** Undefined where there was nothing, or no copy is kept of it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What `before` was written in, or a new file is. */
  readonly encoding: string | undefined;
  readonly judged: Judged;
}

/** As it is listed: without its texts. */
export interface ListedChange {
  readonly id: number;
  readonly turnId: string;
  /** What the person wrote for that turn, shortened; empty when it is no longer, or not yet, known. */
  readonly words: string;
  readonly at: number;
  readonly kind: 'edit' | 'create' | 'delete' | 'rename';
  /** Where the file is now, or was last. */
  readonly place: Place;
  /** Where a renamed file was before. */
  readonly from: Place | undefined;
  /** Lines that are still to be judged. */
  readonly added: number;
  readonly removed: number;
  /** False where no copy of the text before is kept: a secret, not a text, or too large (C4). */
  readonly canBeUndone: boolean;
}

/** What became of each hunk, in order; all are open where nothing is said. */
export type Judged = readonly ('open' | 'kept' | 'undone')[];

/** A new file has come in place of nothing, and a deleted one has left nothing. */
export function textOf({ kind, before, after }: Pick<FileChange, 'kind' | 'before' | 'after'>): TextChange {
  return textChange(kind === 'create' ? '' : (before ?? ''), kind === 'delete' ? '' : (after ?? ''));
}

export function isOpen(judged: Judged, index: number): boolean {
  return (judged[index] ?? 'open') === 'open';
}

/** The text as it was, with what was kept since; and as it was left, without what was undone. */
export function openTexts(change: FileChange): { readonly before: string; readonly after: string } {
  const text = textOf(change);
  const { judged } = change;
  return {
    before: withHunks(text, (index) => judged[index] === 'kept').lines.join(''),
    after: withHunks(text, (index) => judged[index] !== 'undone').lines.join(''),
  };
}

/** Lines that are still to be judged. */
export function countLines(
  change: Pick<FileChange, 'kind' | 'before' | 'after'> & { readonly judged?: Judged },
): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const [index, { before, after }] of textOf(change).hunks.entries()) {
    if (!isOpen(change.judged ?? [], index)) continue;
    added += after.end - after.start;
    removed += before.end - before.start;
  }
  return { added, removed };
}

/**
 * Two changes of one turn to one file as one, which is what the person judges. `apart` where somebody else changed the
 * text in between, or there is nothing to compare; `nothing` where the second took the first back.
 */
export function join(
  first: FileChange,
  second: Pick<FileChange, 'kind' | 'before' | 'after' | 'encoding'>,
): 'apart' | 'nothing' | Pick<FileChange, 'kind' | 'before' | 'after' | 'encoding' | 'judged'> {
  if (!first.canBeUndone || first.kind === 'rename' || second.kind === 'rename') return 'apart';
  const was = openTexts(first);
  // A text that comes back in another encoding is not the same bytes.
  const isNext =
    first.kind === 'delete'
      ? second.kind === 'create' && second.encoding === first.encoding
      : second.before === was.after;
  if (!isNext) return 'apart';
  const isNew = first.kind === 'create';
  const isGone = second.kind === 'delete';
  const before = isNew ? undefined : was.before;
  const after = isGone ? undefined : second.after;
  if (before === after) return 'nothing';
  const kind = isNew ? 'create' : isGone ? 'delete' : 'edit';
  return { kind, before, after, encoding: first.encoding ?? second.encoding, judged: [] };
}
