import * as l10n from '@vscode/l10n';
import type { Log } from '../../ports';
import { wordList } from '../../text/joined';
import type { StoreError } from '../store';

/** Something the user should hear of once. */
export interface MemoryProblem {
  readonly kind: 'damaged' | 'newer-version' | 'store-failed' | 'database-failed';
  /** A sentence for the user; holds no text of theirs. */
  readonly message: string;
  /** The key of the state under which damaged data was set aside. */
  readonly key?: string;
  /** Where a damaged database was moved to. */
  readonly file?: string;
}

/** Tells of each kind of problem once, until that has worked again. */
export class Problems {
  readonly #log: Log;
  readonly #onProblem: ((problem: MemoryProblem) => void) | undefined;
  readonly #told = new Set<MemoryProblem['kind']>();

  constructor(options: { readonly log: Log; readonly onProblem?: (problem: MemoryProblem) => void }) {
    this.#log = options.log;
    this.#onProblem = options.onProblem;
  }

  tell(problem: MemoryProblem): void {
    if (this.#told.has(problem.kind) && problem.kind !== 'damaged') return;
    this.#told.add(problem.kind);
    this.#log.warn(`memory: ${problem.kind}`);
    try {
      this.#onProblem?.(problem);
    } catch (cause) {
      this.#log.error('memory: a listener failed', cause);
    }
  }

  end(kind: MemoryProblem['kind']): void {
    this.#told.delete(kind);
  }
}

export function notStored(): MemoryProblem {
  return {
    kind: 'store-failed',
    message: l10n.t(
      'The conversation could not be stored. It goes on in this window, and storing is tried again with every turn.',
    ),
  };
}

export function unreadableFiles(files: readonly string[]): MemoryProblem {
  return {
    kind: 'damaged',
    message: l10n.t(
      'Files of the conversation memory could not be read and are left where they are: {0}',
      wordList(files),
    ),
  };
}

export function problemOf({ kind, file }: StoreError): MemoryProblem {
  switch (kind) {
    case 'newer':
      return {
        kind: 'newer-version',
        message: l10n.t(
          'The conversation memory of this workspace was written by a newer version of Claude Assistant. It is left untouched: until you update, this version keeps only what fits into VS Code’s own workspace state, and no archive.',
        ),
      };
    case 'damaged':
      return {
        kind,
        message: l10n.t(
          'The stored conversation memory is damaged. It was moved to {0}, and the chat goes on with what VS Code still has of it; archived conversations, notes, plans and the Undo of changes are missing.',
          file ?? '',
        ),
        ...(file !== undefined && { file }),
      };
    default:
      return {
        kind: 'database-failed',
        message: l10n.t(
          'The conversation could not be written to the disk. It goes on in this window, and writing is tried again with every turn.',
        ),
      };
  }
}
