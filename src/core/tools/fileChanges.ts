import { ToolError } from '../errors';
import type { KeptChanges } from './keptChanges';
import { readWholeText } from './readText';
import type { ChangeOutcome, Workspace, WorkspaceChange } from './workspace';
import type { FileChange } from './workspaceTool';

/** More than this is not kept: the oldest changes can then no longer be taken back by us. */
const characterLimit = 50_000_000;

/** What Claude changed, with what was there before, so that a rewind can offer to take it back. */
export interface FileChanges {
  record(change: FileChange): void;
  /** The changes of these calls that can still be taken back, oldest first. */
  changesOf(callIds: readonly string[]): Promise<readonly FileChange[]>;
  /** Takes the changes of these calls back, the newest first, and says of each that could not be why. */
  undo(callIds: readonly string[], signal: AbortSignal): Promise<UndoReport>;
}

export interface UndoReport {
  readonly undone: readonly FileChange[];
  readonly kept: readonly { readonly change: FileChange; readonly why: string }[];
}

/** With `storage`, changes are found again by the next window. */
export function createFileChanges(workspace: Workspace, storage?: KeptChanges): FileChanges {
  let changes: readonly FileChange[] = [];
  const ofThisWindow = (callIds: readonly string[]) =>
    changes.filter(({ callId }) => callIds.includes(callId));

  async function changesOf(callIds: readonly string[]): Promise<readonly FileChange[]> {
    const known = ofThisWindow(callIds);
    const others = callIds.filter((id) => !known.some(({ callId }) => callId === id));
    return [...((await storage?.of(others)) ?? []), ...known];
  }

  async function takeBack(change: FileChange, signal: AbortSignal): Promise<ChangeOutcome> {
    const inverse = invert(change);
    if (inverse === undefined) return refused('what was there before was not kept; look in the trash');
    if (inverse.kind === 'delete' && !(await isUntouched(change, inverse, signal))) {
      return refused('it has changed since');
    }
    return workspace.apply(inverse, signal);
  }

  async function isUntouched(
    { after }: FileChange,
    { place }: Extract<WorkspaceChange, { kind: 'delete' }>,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      return (await readWholeText(workspace, { place, shown: place.path }, signal)).text === after;
    } catch (error) {
      if (error instanceof ToolError) return false;
      throw error;
    }
  }

  return {
    record(change) {
      changes = [...changes, change];
      while (changes.length > 1 && sizeOf(changes) > characterLimit) changes = changes.slice(1);
      void storage?.keep(ofThisWindow([change.callId]));
    },
    changesOf,
    async undo(callIds, signal) {
      const undone: FileChange[] = [];
      const kept: { readonly change: FileChange; readonly why: string }[] = [];
      for (const change of (await changesOf(callIds)).toReversed()) {
        const outcome = await takeBack(change, signal);
        if (outcome.kind === 'refused') kept.push({ change, why: outcome.why });
        else undone.push(change);
      }
      changes = changes.filter((change) => !undone.includes(change));
      await storage?.forget(undone.map(({ callId }) => callId));
      return { undone, kept };
    },
  };
}

function refused(why: string): ChangeOutcome {
  return { kind: 'refused', why };
}

/** The change that leads back, made for exactly what Claude left: what somebody did since is not overwritten. */
function invert({ change, before, after, encoding }: FileChange): WorkspaceChange | undefined {
  if (change.kind === 'rename') return { kind: 'rename', from: change.to, to: change.from };
  const { place } = change;
  if (change.kind === 'create') return { kind: 'delete', place };
  if (before === undefined) return undefined;
  if (change.kind === 'delete') return { kind: 'create', place, text: before, encoding };
  return { kind: 'edit', place, before: after ?? change.after, after: before, encoding };
}

function sizeOf(changes: readonly FileChange[]): number {
  return changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0), 0);
}
