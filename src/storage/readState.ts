import {
  decodeParamWrite,
  decodeStub,
  decodeSummary,
  decodeWaiting,
  isCount,
  isName,
  isTime,
} from '../core/conversation/decode';
import type { ArchivedHeader, MemoryState, RunningTurn } from '../core/conversation/store';
import { inOrder, type ArchivedId, type Conversation, type StoredTurn } from '../core/conversation/turn';
import { isObject } from '../core/text/json';
import { parsedJson, type Row, type Sqlite } from './sqlite';

const maxSpare = 50;

/** Turns as they were last read or written: what has not changed is not decoded again. */
export class TurnCache {
  readonly #turns = new Map<string, { readonly changed: number; readonly turn: StoredTurn }>();

  get(conversation: string, id: string, changed: number): StoredTurn | undefined {
    const known = this.#turns.get(keyOf(conversation, id));
    return known?.changed === changed ? known.turn : undefined;
  }

  set(conversation: string, turn: StoredTurn, changed: number): void {
    this.#turns.set(keyOf(conversation, turn.id), { changed, turn });
  }

  clear(): void {
    this.#turns.clear();
  }

  /** Lets go of turns that are no longer remembered, once they are the greater part. */
  trim({ conversations }: MemoryState): void {
    const all = [...conversations.values()];
    const count = all.reduce((sum, { turns, summarized }) => sum + turns.length + summarized.length, 0);
    if (this.#turns.size <= 2 * count + maxSpare) return;
    const present = new Set(all.flatMap(({ turns, summarized }) => turns.concat(summarized)));
    for (const [key, { turn }] of this.#turns) if (!present.has(turn)) this.#turns.delete(key);
  }

  get size(): number {
    return this.#turns.size;
  }
}

function keyOf(conversation: string, id: string): string {
  return JSON.stringify([conversation, id]);
}

export function readState(sqlite: Sqlite, cache: TurnCache): MemoryState {
  const heads = sqlite.all('SELECT * FROM conversations WHERE ending IS NULL');
  const conversations = heads.flatMap((head) => toConversation(head, readTurns(sqlite, head, cache)) ?? []);
  const running = sqlite
    .all('SELECT turn, head FROM running')
    .flatMap((row) => readRunning(sqlite, row) ?? []);
  return {
    conversations: new Map(conversations.map((one) => [one.id, one])),
    running: new Map(running.map((turn) => [turn.id, turn])),
  };
}

/** Newest first. */
export function readArchive(sqlite: Sqlite): readonly ArchivedHeader[] {
  const rows = sqlite.all(
    `SELECT key, id, ending, lineage, first_cut, title, last_active, (
       SELECT count(*) FROM turns WHERE conversation = key AND state = 'remembered') AS turns
     FROM conversations WHERE ending IS NOT NULL ORDER BY key DESC`,
  );
  return rows.map(
    ({ key, id, ending, lineage, first_cut: firstCut, title, last_active: endedAt, turns }) => ({
      id: String(key),
      conversationId: String(id),
      lineage: String(lineage),
      ending:
        ending === 'branch'
          ? { kind: ending, firstCut: String(firstCut) }
          : { kind: ending === 'ended' ? ending : 'left' },
      title: String(title),
      endedAt: Number(endedAt),
      turns: isCount(turns) ? turns : 0,
    }),
  );
}

export function readArchived(sqlite: Sqlite, id: ArchivedId): Conversation | undefined {
  const head = sqlite.get('SELECT * FROM conversations WHERE key = ? AND ending IS NOT NULL', id);
  return head && toConversation(head, readTurns(sqlite, head, new TurnCache()));
}

/** A conversation without its turns. */
export function readHead(sqlite: Sqlite, key: string): Conversation | undefined {
  const head = sqlite.get('SELECT * FROM conversations WHERE key = ?', key);
  return head && toConversation(head, { turns: [], summarized: [] });
}

function readTurns(
  sqlite: Sqlite,
  { key }: Row,
  cache: TurnCache,
): Pick<Conversation, 'turns' | 'summarized'> {
  const conversation = String(key);
  const [turns, summarized]: [StoredTurn[], StoredTurn[]] = [[], []];
  const rows = sqlite.all(
    "SELECT id, state, changed FROM turns WHERE conversation = ? AND state IN ('remembered', 'summarized')",
    conversation,
  );
  for (const { id, state, changed } of rows) {
    const turn =
      cache.get(conversation, String(id), Number(changed)) ?? readTurn(sqlite, conversation, String(id));
    if (!turn) continue;
    cache.set(conversation, turn, Number(changed));
    (state === 'summarized' ? summarized : turns).push(turn);
  }
  return { turns: inOrder(turns), summarized: inOrder(summarized) };
}

/** What is no longer remembered of a conversation that goes on. */
export function readEvicted(sqlite: Sqlite, conversation: string): readonly StoredTurn[] {
  const rows = sqlite.all(
    "SELECT turn FROM turns WHERE conversation = ? AND state NOT IN ('remembered', 'summarized')",
    conversation,
  );
  return inOrder(rows.flatMap(({ turn }) => decodeStub(parsedJson(turn)) ?? []));
}

function readTurn(sqlite: Sqlite, conversation: string, id: string): StoredTurn | undefined {
  const row = sqlite.get('SELECT turn FROM turns WHERE conversation = ? AND id = ?', conversation, id);
  return decodeStub(parsedJson(row?.['turn']));
}

function toConversation(
  { id, lineage, last_active: lastActive, head: text }: Row,
  turns: Pick<Conversation, 'turns' | 'summarized'>,
): Conversation | undefined {
  if (!isName(id) || !isTime(lastActive)) return undefined;
  const parsed = parsedJson(text);
  // Its turns are there all the same.
  const head = isObject(parsed) ? parsed : {};
  const summary = decodeSummary(head['summary']);
  const waiting = decodeWaiting(head['waiting']);
  const writes: readonly unknown[] = Array.isArray(head['params']) ? head['params'] : [];
  return {
    id,
    ...(isName(lineage) && { lineage }),
    lastActive,
    ...turns,
    params: writes.flatMap((write) => decodeParamWrite(write) ?? []),
    ...(summary && { summary }),
    ...(waiting && { waiting }),
  };
}

function readRunning(sqlite: Sqlite, { turn: id, head }: Row): RunningTurn | undefined {
  const raw = parsedJson(head);
  if (!isObject(raw) || !isName(id) || !isSound(raw)) return undefined;
  const rounds = sqlite.all('SELECT message FROM rounds WHERE turn = ? ORDER BY position', id);
  const messages = rounds.map(({ message }) => parsedJson(message)).filter(isObject);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by us, and repaired before it is used
  return { ...raw, id, messages } as unknown as RunningTurn;
}

/** What is not is nobody's turn. */
function isSound({ conversation, activation, startedAt, order, at, owner }: Row): boolean {
  const { pid, startedAt: began } = isObject(owner) ? owner : {};
  return (
    [conversation, activation].every(isName) && [startedAt, order, at, began].every(isTime) && isCount(pid)
  );
}
