import type { DatabaseSync } from 'node:sqlite';
import type { Owner } from '../../src/core/conversation/store';
import type { StoredTurn, Waiting } from '../../src/core/conversation/turn';

/** Where everything is that is kept, read from the tables and not by the code that is under test. */
export interface Whereabouts {
  readonly number: number;
  readonly live: ReadonlyMap<string, LiveConversation>;
  readonly archived: ReadonlyMap<string, ArchivedConversation>;
  readonly running: ReadonlyMap<string, Running>;
  /** All values that are remembered anywhere. */
  readonly values: ReadonlySet<string>;
  /** Turns that are not in the index, and what is in the index and no turn any more. */
  readonly misindexed: number;
}

export interface LiveConversation {
  readonly lastActive: number;
  readonly turns: readonly PlacedTurn[];
  readonly waiting: string | undefined;
  /** Of all but its turns, in characters. */
  readonly size: number;
}

export interface PlacedTurn {
  readonly id: string;
  /** `remembered`, `summarized`, or why it was evicted. */
  readonly state: string;
  readonly order: number;
  readonly isPinned: boolean;
  /** In characters. */
  readonly size: number;
}

interface ArchivedConversation {
  readonly ending: string;
  readonly turns: ReadonlySet<string>;
}

interface Running {
  readonly conversation: string;
  readonly owner: Owner;
  /** Rounds of tools that were done. */
  readonly rounds: number;
  /** In characters. */
  readonly size: number;
}

export const nowhere: Whereabouts = {
  number: 0,
  live: new Map(),
  archived: new Map(),
  running: new Map(),
  values: new Set(),
  misindexed: 0,
};

/** All that is kept as one text, and the same with what is under way: a turn goes on with what it began with. */
export function readTexts(database: DatabaseSync): { readonly kept: string; readonly all: string } {
  const textOf = (...tables: string[]) =>
    JSON.stringify(tables.flatMap((table) => database.prepare(`SELECT * FROM ${table}`).all()));
  const kept = textOf('conversations', 'turns');
  return { kept, all: kept + textOf('rounds') };
}

export function readWhereabouts(database: DatabaseSync): Whereabouts {
  const [live, archived] = [new Map<string, LiveConversation>(), new Map<string, ArchivedConversation>()];
  const values = new Set<string>();
  const rows = database.prepare('SELECT conversation, id, state, turn FROM turns').all();
  const turnsOf = (key: unknown) => rows.filter((row) => row['conversation'] === key);
  for (const row of database.prepare('SELECT * FROM conversations').all()) {
    const { key, id, ending, head, last_active: lastActive } = row;
    const { params = [], waiting } = parsed<Head>(head);
    for (const { value } of params) if (value !== null) values.add(value);
    if (ending !== null) {
      const turns = new Set(turnsOf(key).map((turn) => String(turn['id'])));
      archived.set(String(key), { ending: String(ending), turns });
      continue;
    }
    live.set(String(id), {
      lastActive: Number(lastActive),
      turns: turnsOf(key).map(placed).toSorted(byOrder),
      waiting: waiting?.turnId,
      size: String(head).length,
    });
  }
  const running = database
    .prepare(
      `SELECT running.turn, head, count(message) AS rounds, sum(length(message)) AS size
       FROM running LEFT JOIN rounds ON rounds.turn = running.turn GROUP BY running.turn`,
    )
    .all()
    .map(({ turn, head, rounds, size }): [string, Running] => [
      String(turn),
      {
        ...parsed<Omit<Running, 'rounds' | 'size'>>(head),
        ...{ rounds: Math.floor((Number(rounds) - 1) / 2), size: Number(size ?? 0) },
      },
    ]);
  const number = Number(database.prepare('SELECT number FROM sequence').get()?.['number']);
  const misindexed = database
    .prepare(
      `SELECT (SELECT count(*) FROM turns WHERE number NOT IN (SELECT id FROM said_docsize)) +
              (SELECT count(*) FROM said_docsize WHERE id NOT IN (SELECT number FROM turns)) AS count`,
    )
    .get()?.['count'];
  return { number, live, archived, running: new Map(running), values, misindexed: Number(misindexed) };
}

interface Head {
  readonly params?: readonly { readonly value: string | null }[];
  readonly waiting?: Waiting;
}

function placed({ id, state, turn }: Readonly<Record<string, unknown>>): PlacedTurn {
  const { order, isPinned = false } = parsed<StoredTurn>(turn);
  return { id: String(id), state: String(state), order, isPinned, size: String(turn).length };
}

function byOrder(a: PlacedTurn, b: PlacedTurn): number {
  return a.order - b.order || (a.id < b.id ? -1 : 1);
}

/** What our own code has just written. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each row has a type of its own
function parsed<T>(text: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test that reads something else fails anyway
  return JSON.parse(String(text)) as T;
}

/** Where one turn is. */
export interface Place {
  /** Its state in the conversation that goes on. */
  readonly live: string | undefined;
  readonly archived: readonly string[];
  readonly isRunning: boolean;
}

export function placeOf(id: string, { live, archived, running }: Whereabouts): Place {
  const found = [...live.values()].flatMap(({ turns }) => turns.filter((turn) => turn.id === id));
  return {
    live: found[0]?.state,
    archived: [...archived].flatMap(([key, { turns }]) => (turns.has(id) ? [key] : [])),
    isRunning: running.has(id),
  };
}

export function turnsIn({ live, archived, running }: Whereabouts): ReadonlySet<string> {
  const ids = new Set(running.keys());
  for (const { turns } of live.values()) for (const { id } of turns) ids.add(id);
  for (const { turns } of archived.values()) for (const id of turns) ids.add(id);
  return ids;
}

/** The turns that a request has to tell of, as they were or in the summary. */
export function toldOf(id: string, { live }: Whereabouts): readonly string[] {
  const turns = live.get(id)?.turns ?? [];
  return turns.flatMap((turn) =>
    turn.state === 'remembered' || turn.state === 'summarized' ? [turn.id] : [],
  );
}
