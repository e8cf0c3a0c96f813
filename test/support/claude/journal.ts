import type Anthropic from '@anthropic-ai/sdk';
import type { ApiProblem } from './problem';

/** One request as it arrived, and what became of it. */
export interface JournalEntry {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** As sent, with the key masked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly body: unknown;
  readonly arrivedAt: number;
  readonly outcome: Outcome;
  /** Settles when the response has ended, whichever way. */
  readonly ended: Promise<void>;
}

interface Outcome {
  /** `aborted`: the client went away first. `dropped`: the stand-in broke off, as its script said. */
  readonly state: 'open' | 'answered' | 'aborted' | 'dropped';
  readonly status?: number;
  readonly problem?: ApiProblem;
  readonly usage?: Anthropic.Usage;
  /** Nothing in the script was left for it. */
  readonly isUnexpected?: boolean;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Only those to `/v1/messages`, whether accepted or not. */
  readonly messages: readonly JournalEntry[];
  /** What was refused for being wrong or unexpected: empty at the end of a good test. */
  readonly refused: readonly JournalEntry[];
  /** The next request to `/v1/messages` in order of arrival, each given out once. */
  next(): Promise<JournalEntry>;
  /** The first entry that fits, now or as soon as there is one. */
  waitFor(fits: (entry: JournalEntry) => boolean): Promise<JournalEntry>;
}

/** The side of the journal that the server writes on. */
export interface JournalWriter extends Journal {
  add(request: Omit<JournalEntry, 'outcome' | 'ended'>): RequestRecord;
  clear(): void;
}

export interface RequestRecord {
  readonly entry: JournalEntry;
  note(outcome: Partial<Outcome>): void;
}

export function createJournal(): JournalWriter {
  let entries: JournalEntry[] = [];
  let given = 0;
  let watchers: (() => boolean)[] = [];

  const changed = (): void => {
    watchers = watchers.filter((isDone) => !isDone());
  };
  const messages = (): readonly JournalEntry[] => entries.filter(({ path }) => path === '/v1/messages');
  const when = (find: () => JournalEntry | undefined): Promise<JournalEntry> =>
    new Promise((resolve) => {
      const isDone = (): boolean => {
        const entry = find();
        if (entry) resolve(entry);
        return entry !== undefined;
      };
      if (!isDone()) watchers.push(isDone);
    });

  return {
    get entries() {
      return entries;
    },
    get messages() {
      return messages();
    },
    get refused() {
      return entries.filter(({ outcome }) => outcome.problem !== undefined || outcome.isUnexpected === true);
    },
    next() {
      const index = given++;
      return when(() => messages()[index]);
    },
    waitFor: (fits) => when(() => entries.find(fits)),
    add(request) {
      let outcome: Outcome = { state: 'open' };
      let end!: () => void;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const entry: JournalEntry = {
        ...request,
        ended,
        get outcome() {
          return outcome;
        },
      };
      entries.push(entry);
      changed();
      return {
        entry,
        note(news) {
          outcome = { ...outcome, ...news };
          if (outcome.state !== 'open') end();
          changed();
        },
      };
    },
    clear() {
      entries = [];
      given = 0;
    },
  };
}
