import type { Clock, IdSource, Log, StateStore } from '../../ports';
import type { MemoryDatabase, OlderData } from '../store';
import type { ConversationId, ArchivedId } from '../turn';
import type { MemoryLimits } from '../view';
import type { OlderHome } from './home';
import type { MemoryProblem } from './problems';

export interface SharedStateOptions {
  readonly store: StateStore;
  /** Nothing where there is no folder for it. Rejects with a `StoreError`. */
  readonly open: () => Promise<MemoryDatabase | undefined>;
  /** What older versions have stored. */
  readonly readOlder?: (home: OlderHome | undefined) => Promise<OlderData | undefined>;
  readonly removeOlder?: (older: OlderData) => Promise<void>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly wait: (ms: number) => Promise<void>;
  /** Asked at every use, so that a changed setting holds at once. */
  readonly settings: () => MemoryLimits;
  readonly log: Log;
  /** Called once for each problem. */
  readonly onProblem?: (problem: MemoryProblem) => void;
}

export interface ChangeOptions {
  readonly isErasing?: boolean;
  /** All that it erases are turns that it forgets by name. */
  readonly isByName?: boolean;
  /** Not removed from the archive to make room. */
  readonly sparing?: ArchivedId;
}

export interface Watching {
  /** When a message has last come for a conversation in this window; 0 for never. */
  readonly activeAt: (id: ConversationId) => number;
  readonly onChange: () => void;
}
