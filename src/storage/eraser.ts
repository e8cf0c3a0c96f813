import type { Conversation, ConversationId } from '../core/conversation/turn';
import { isObject } from '../core/text/json';
import { parsedJson, type Row, type Sqlite } from './sqlite';

/** Takes conversations and turns out of all tables, copies in the archive included. */
export function createEraser(sqlite: Sqlite) {
  function removeConversation(key: string): void {
    sqlite.run('DELETE FROM conversations WHERE key = ?', key);
    sqlite.run('DELETE FROM turns WHERE conversation = ?', key);
  }

  /** With all that was ever said in it: evicted turns, copies, and branches that were cut from it. */
  function eraseConversation(erased: Conversation, isThere: boolean): void {
    const key = liveKey(erased.id);
    const rows = isThere ? sqlite.all('SELECT id FROM turns WHERE conversation = ?', key) : [];
    const known = [...erased.turns, ...erased.summarized];
    eraseArchivedTurns([...rows.map(({ id }) => String(id)), ...known.map(({ id }) => id)]);
    const branches = sqlite.all(
      "SELECT key FROM conversations WHERE ending = 'branch' AND lineage = ?",
      erased.lineage ?? key,
    );
    for (const branch of branches) removeConversation(String(branch['key']));
    if (isThere) removeConversation(key);
  }

  /** From wherever they are kept, but for conversations that go on: what they remember is written by itself. */
  function eraseTurns(ids: readonly string[]): void {
    eraseArchivedTurns(ids);
    for (const id of ids)
      sqlite.run("DELETE FROM turns WHERE id = ? AND state NOT IN ('remembered', 'summarized')", id);
  }

  /** From the archive, where summaries must not tell of them either. A conversation that goes on, a fork, keeps its own. */
  function eraseArchivedTurns(ids: readonly string[]): void {
    for (const id of ids) {
      // Which folders it looked into, and what it ran, would tell of it.
      sqlite.run(
        "UPDATE answers SET record = json_remove(record, '$.guidance') WHERE turn = ? AND json_valid(record)",
        id,
      );
      const all = sqlite.all('SELECT conversation, state FROM turns WHERE id = ?', id);
      for (const { conversation, state } of all) {
        const key = String(conversation);
        if (key.startsWith(livePrefix)) continue;
        sqlite.run('DELETE FROM turns WHERE conversation = ? AND id = ?', key, id);
        if (state === 'summarized') dropSummary(key);
        if (!hasTurns(key)) sqlite.run("UPDATE turns SET state = 'remembered' WHERE conversation = ?", key);
        if (hasTurns(key)) retitle(key);
        else removeConversation(key);
      }
    }
  }

  /** What was evicted from it takes the place of what is gone. */
  function hasTurns(key: string): boolean {
    return (
      sqlite.get("SELECT 1 FROM turns WHERE conversation = ? AND state = 'remembered'", key) !== undefined
    );
  }

  function dropSummary(key: string): void {
    changeHead(key, ({ params }) => ({ params }));
    sqlite.run("UPDATE turns SET state = 'remembered' WHERE conversation = ? AND state = 'summarized'", key);
  }

  /** A title is made of words of a turn. */
  function retitle(key: string): void {
    const first = sqlite.get(
      `SELECT words FROM turns WHERE conversation = ? AND state = 'remembered'
       ORDER BY id = (SELECT first_cut FROM conversations WHERE key = conversation) DESC, position LIMIT 1`,
      key,
    );
    sqlite.run('UPDATE conversations SET title = ? WHERE key = ?', String(first?.['words']), key);
  }

  /** Values that were forgotten for good: branches still have them. */
  function eraseValues(was: Conversation, now: Conversation): void {
    const kept = new Set(now.params.map(({ name }) => name));
    const names = new Set<unknown>(was.params.flatMap(({ name }) => (kept.has(name) ? [] : [name])));
    if (names.size === 0) return;
    const rows = sqlite.all(
      'SELECT key FROM conversations WHERE ending IS NOT NULL AND lineage = ?',
      was.lineage ?? liveKey(was.id),
    );
    for (const { key } of rows) {
      changeHead(String(key), ({ params, ...rest }) => {
        const writes: readonly unknown[] = Array.isArray(params) ? params : [];
        return { ...rest, params: writes.filter((one) => !isObject(one) || !names.has(one['name'])) };
      });
    }
  }

  function changeHead(key: string, change: (head: Row) => Row): void {
    const head = parsedJson(sqlite.get('SELECT head FROM conversations WHERE key = ?', key)?.['head']);
    const text = JSON.stringify(change(isObject(head) ? head : {}));
    sqlite.run('UPDATE conversations SET head = ? WHERE key = ?', text, key);
  }

  return { removeConversation, eraseConversation, eraseTurns, eraseValues };
}

export const livePrefix = 'live/';

export function liveKey(id: ConversationId): string {
  return `${livePrefix}${id}`;
}
