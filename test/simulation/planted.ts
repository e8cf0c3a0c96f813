/** A fault to be put into the code: one piece of text in one file below `src`. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const memory = 'core/conversation/memory';

/** Defects that there once were, as far as this store can have them, and others that are easily made. */
export const planted: readonly Planted[] = [
  {
    name: 'H1: news that could not be read count as read',
    file: 'storage/memoryDatabase.ts',
    before: 'const [state, number] = [readState(sqlite, cache), sequence()];',
    after: 'seenVersion = dataVersion(); const [state, number] = [readState(sqlite, cache), sequence()];',
  },
  {
    name: 'H2: the results beside a question are stored as they are',
    file: 'core/agent/turnKeeper.ts',
    before: 'results: keptResults(results),',
    after: 'results,',
  },
  {
    name: 'H5: a change that cannot be written fails the message',
    file: `${memory}/sharedState.ts`,
    before: 'const draft = build(this.#state, false);',
    after: "const draft = build(this.#state, false); if (draft) throw new StoreError('failed');",
  },
  {
    name: 'H6: a resumed conversation leaves the archive, also when memory has not all of it',
    file: 'core/conversation/archive/archive.ts',
    before:
      'if (there.length === conversation.turns.length && there.every(isWhole)) draft.unarchive(archivedId, id);',
    after: 'draft.unarchive(archivedId);',
  },
  {
    name: 'M2: Clear leaves what was taken back before',
    file: 'storage/eraser.ts',
    before: "for (const branch of branches) removeConversation(String(branch['key']));",
    after: 'void branches;',
  },
  {
    name: 'M8: a process is known by its id alone',
    file: `${memory}/memory.ts`,
    before: '(turn) => turn.owner.pid !== owner.pid || turn.owner.startedAt !== owner.startedAt,',
    after: '(turn) => turn.owner.pid !== owner.pid,',
  },
  {
    name: 'M9: summaries and params are outside of the size bound',
    file: 'core/conversation/fitSize.ts',
    before: 'return jsonBytes(rest) + jsonBytes(stubs) + 2 * jsonBytes(conversation.id) + 32;',
    after: 'return rest && stubs ? 32 : 0;',
  },
  {
    name: 'M10: a conversation ends in mid-turn',
    file: 'core/conversation/view.ts',
    before: 'return ![...running.values()].some(({ conversation }) => conversation === id);',
    after: 'return running !== undefined || id !== undefined;',
  },
  {
    name: 'a missing sync',
    file: 'storage/sqlite.ts',
    before: 'PRAGMA synchronous = FULL',
    after: 'PRAGMA synchronous = NORMAL',
  },
  {
    name: 'one turn too many under the cap',
    file: 'core/conversation/view.ts',
    before: 'const over = turns.length - maxTurns;',
    after: 'const over = turns.length - maxTurns - 1;',
  },
  {
    name: 'one turn too few under the cap',
    file: 'core/conversation/view.ts',
    before: 'const over = turns.length - maxTurns;',
    after: 'const over = turns.length - maxTurns + (turns.length > maxTurns ? 1 : 0);',
  },
  {
    name: 'a lost rewind',
    file: `${memory}/createHandle.ts`,
    before: "draft.put(id, rewound(known, cut), 'rewind');",
    after: 'void rewound;',
  },
  {
    name: 'what expires is not archived',
    file: 'core/conversation/draft.ts',
    before: "this.archive(stored, { kind: 'ended' });",
    after: '',
  },
  {
    name: 'a change that could not be written is not made again',
    file: `${memory}/sharedState.ts`,
    before: 'if (!this.#isOff) this.#pending = [...this.#pending, change];',
    after: '',
  },
  {
    name: 'what was erased is not overwritten',
    file: `${memory}/sharedState.ts`,
    before: 'if (committed) this.#scrub();',
    after: '',
  },
  {
    name: 'a window that died leaves nothing of its turn',
    file: `${memory}/memory.ts`,
    before: "if (!turn.messages.slice(1).some(({ role }) => role === 'user')) continue;",
    after: 'continue;',
  },
  {
    name: 'a turn that was changed elsewhere is taken from the cache',
    file: 'storage/readState.ts',
    before: 'return known?.changed === changed ? known.turn : undefined;',
    after: 'return changed > 0 ? known?.turn : undefined;',
  },
  {
    name: 'pinned turns go first',
    file: 'core/conversation/view.ts',
    before: 'for (const turn of older) if (!turn.isPinned) yield turn;',
    after: 'for (const turn of older) if (turn.isPinned) yield turn;',
  },
  {
    name: 'an interrupted turn keeps a call without a result',
    file: 'core/conversation/view.ts',
    before: 'messages: repairedMessages(turn.messages, usedIds)',
    after: 'messages: turn.messages.slice(0, usedIds.size + 2)',
  },
  {
    name: 'the state that VS Code keeps is one change behind',
    file: `${memory}/sharedState.ts`,
    before: 'await this.#home.save(this.#state.conversations.values(),',
    after: 'await this.#home.save(this.#base.state.conversations.values(),',
  },
  {
    name: 'a question is forgotten with its window',
    file: 'core/conversation/changes.ts',
    before: 'waiting: isWhole ? waiting : asRemembered(waiting),',
    after: '',
  },
  {
    name: 'the words of a deleted turn stay in the index',
    file: 'storage/schema.ts',
    before: 'DELETE FROM said WHERE rowid = old.number;',
    after: 'SELECT 1;',
  },
  {
    name: 'a turn that is written cannot be found',
    file: 'storage/writeState.ts',
    before: "indexTurn(sqlite, Number(row?.['number']), turn);",
    after: '',
  },
  {
    name: 'a change that is judged before it happens is lost',
    file: 'core/tools/changes/changes.ts',
    before: 'const row = known ?? addChange(table, noted.turnId, noted.planned, clock());',
    after: 'const row = known; if (!row) return;',
  },
  {
    name: 'a place that somebody edited since is undone all the same',
    file: 'core/tools/changes/hunks.ts',
    before: 'if (before.end > range.start) return undefined;',
    after: 'if (before.end > range.start) continue;',
  },
  {
    name: 'two changes are one, whatever the person wrote in between',
    file: 'core/tools/changes/fileChange.ts',
    before: ': second.before === was.after;',
    after: ': second.before !== undefined;',
  },
  {
    name: 'Claude writes over words in a plan that Claude has not seen',
    file: 'core/tools/plans/plans.ts',
    before: 'if (open.id !== seen?.id || open.revision !== seen.revision)',
    after: 'if (open.id !== (seen?.id ?? open.id))',
  },
  {
    name: 'the person saves over words in a plan that they have not read',
    file: 'core/tools/plans/plans.ts',
    before: 'if (known.revision !== revision)',
    after: 'if (known.revision < revision)',
  },
  {
    name: 'what the person wrote into a plan is not kept when Claude takes it out',
    file: 'core/tools/plans/plans.ts',
    before: 'const isCopied = isOther && (open.isEdited || open.startedAt !== undefined);',
    after: 'const isCopied = isOther && open.startedAt !== undefined;',
  },
  {
    name: 'a deleted plan or a forgotten note stands in the file',
    file: 'storage/tableStore.ts',
    before: 'isScrubDue = true;',
    after: '',
  },
  {
    name: 'a note that was forgotten is still there',
    file: 'core/tools/notes/notes.ts',
    before: 'for (const { id } of meant) table.remove(id);',
    after: 'for (const { id } of meant.slice(1)) table.remove(id);',
  },
  {
    name: 'an edited note keeps its old text',
    file: 'core/tools/notes/notes.ts',
    before: 'if (note) table.replace({ ...note, text: noteText(text), editedAt: clock() });',
    after: '',
  },
];
