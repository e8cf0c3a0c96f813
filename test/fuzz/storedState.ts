import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Message } from '../../src/core/messages';
import { Sqlite } from '../../src/storage/sqlite';
import { refusal } from '../support/conversation/accepted';
import { validTurn } from '../support/conversation/storedMessages';
import { exchange, TestWorkspace, type TestWindow } from '../support/conversation/testWorkspace';
import { byteChange, changeBytes, changeValue, valueChange } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** What was stored comes back changed: `workspaceState`, rows of the database, or bytes of its file. */
export function storedStateTarget(): FuzzTarget {
  return fuzzTarget({ name: 'stored state', share: 30, input: accident, holds: survive });
}

const accident = fc.record({
  turns: fc.array(validTurn, { minLength: 1, maxLength: 4 }),
  isRunning: fc.boolean(),
  isWaiting: fc.boolean(),
  damage: fc.oneof(
    fc.record({ to: fc.constant('state'), changes: fc.array(valueChange, { minLength: 1, maxLength: 4 }) }),
    fc.record({
      to: fc.constant('rows'),
      changes: fc.array(fc.tuple(fc.nat(), valueChange), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ to: fc.constant('bytes'), changes: fc.array(byteChange, { minLength: 1, maxLength: 4 }) }),
  ),
});
type Accident = typeof accident extends fc.Arbitrary<infer T> ? T : never;

async function survive(input: Accident): Promise<void> {
  const workspace = new TestWorkspace();
  workspace.limits = { ...workspace.limits, maxTurns: 0, timeoutSeconds: 0 };
  await fill(workspace, input);
  await doDamage(workspace, input.damage);
  const marks = await marksIn(workspace, input.damage.to);

  const window = await workspace.reopen();
  assertAccepted(window);
  await window.memory.refresh();
  await window.chat.saveTurn(workspace.turn('new'));
  assertAccepted(window);
  assert.deepEqual(window.chat.history().slice(-2), exchange('new'), 'what is said now is remembered');
  assert.ok(window.problems.length <= 3 + input.turns.length * 3, 'a few problems are told, not a flood');
  window.close();

  // Twice: what an activation tidies up at its start, it may tidy up wrongly.
  for (const _ of [1, 2]) {
    workspace.now += 3_000;
    const later = await workspace.reopen();
    workspace.now += 3_000;
    await later.memory.refresh();
    assertAccepted(later);
    assert.deepEqual(later.chat.history().slice(-2), exchange('new'), 'no acknowledged turn is lost');
    later.close();
  }
  // One byte makes a database that of a newer version, which nobody here may read.
  const kept = marks.length > 0 ? await allText(workspace) : '';
  assert.deepEqual(
    marks.filter((mark) => !kept.includes(mark)),
    [],
    'what could not be read is not thrown away',
  );
  rmSync(workspace.folder, { recursive: true });
}

function assertAccepted({ memory }: TestWindow): void {
  for (const { id } of memory.conversations()) {
    assert.equal(refusal(memory.forConversation(id).history()), undefined);
    assert.equal(typeof memory.forConversation(id).params(), 'object');
  }
}

async function fill(workspace: TestWorkspace, { turns, isRunning, isWaiting }: Accident): Promise<void> {
  const { chat, close } = await workspace.reopen();
  for (const [number, messages] of turns.entries()) {
    workspace.now += 1_000;
    await chat.saveTurn(workspace.turn(`t${number}`, marked(messages as Message[], number)));
  }
  await chat.merge({ order: 'O-1' }, 't0');
  if (isWaiting) {
    await chat.setWaiting({
      param: 'colour',
      question: 'Which?',
      turnId: 't0',
      askedAt: workspace.now,
      tries: 1,
      toolUse: { type: 'tool_use', id: 'toolu_ask', name: 'ask_user', input: {} },
      results: [],
    });
  }
  if (isRunning) await chat.begin(workspace.turn('running')).record(round);
  close();
}

const round: readonly Message[] = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_run', name: 'edit_file', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_run', content: 'edited' }] },
];

/** Each turn has words of its own, by which it is found again wherever it went. */
function marked(messages: readonly Message[], number: number): readonly Message[] {
  const [, ...rest] = messages;
  return [{ role: 'user', content: `mark-turn-${number}.` }, ...rest];
}

const key = 'assistant.memory';

/** The state alone or the database alone: what both hold survives when one of them is whole. */
async function doDamage(workspace: TestWorkspace, damage: Accident['damage']): Promise<void> {
  const store = workspace.state.openWindow();
  if (damage.to === 'state') {
    rmSync(workspace.folder, { recursive: true });
    await store.update(key, changeValue(store.get(key), damage.changes));
  } else {
    await store.update(key, undefined);
    if (damage.to === 'rows') await changeRows(workspace, damage.changes);
    else writeFileSync(workspace.file, changeBytes(readFileSync(workspace.file), damage.changes));
  }
  store.flush();
}

const texts = [
  ['turns', 'turn'],
  ['conversations', 'head'],
  ['running', 'head'],
  ['rounds', 'message'],
] as const;

async function changeRows(
  { file }: TestWorkspace,
  changes: readonly (readonly [number, Parameters<typeof changeValue>[1][number]])[],
): Promise<void> {
  const sqlite = await Sqlite.open(file);
  const cells = texts.flatMap(([table, column]) =>
    sqlite
      .all(`SELECT rowid AS rowid, ${column} AS text FROM ${table}`)
      .map((row) => Object.assign({ table, column }, row)),
  );
  for (const [at, change] of changes) {
    const { table, column, rowid, text } = cells[at % cells.length] as (typeof cells)[number];
    const changed = JSON.stringify(changeValue(JSON.parse(String(text)), [change])) ?? '';
    sqlite.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, changed, Number(rowid));
  }
  sqlite.scrub();
  sqlite.close();
}

/** The words that are there after the damage. Where bytes are wrong, only SQLite can say what is there. */
async function marksIn(workspace: TestWorkspace, to: Accident['damage']['to']): Promise<readonly string[]> {
  if (to === 'bytes') return [];
  return [...new Set((await allText(workspace)).match(/mark-turn-\d+\./g))];
}

/** In the state, in the database, and in what was moved aside. */
async function allText(workspace: TestWorkspace): Promise<string> {
  const store = workspace.state.openWindow();
  const state = store.keys().map((name) => JSON.stringify(store.get(name)));
  if (!existsSync(workspace.file)) return state.join('\n');
  const names = readdirSync(workspace.folder).filter((name) => name.includes('.damaged-'));
  const aside = names.map((name) => readFileSync(join(workspace.folder, name), 'latin1'));
  const tables = texts.map(([table, column]) => workspace.rows(`SELECT ${column} AS text FROM ${table}`));
  const rows = (await Promise.all(tables)).flat().map(({ text }) => String(text));
  return [...state, ...aside, ...rows].join('\n');
}
