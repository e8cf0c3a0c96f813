import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Message } from '../../src/core/messages';
import { refusal } from '../support/conversation/accepted';
import { validTurn } from '../support/conversation/storedMessages';
import { exchange, TestWorkspace, type TestWindow } from '../support/conversation/testWorkspace';
import { byteChange, changeBytes, changeValue, valueChange } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** What was stored comes back changed: `workspaceState`, or the write-ahead files of windows that are gone. */
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
      to: fc.constant('lines'),
      changes: fc.array(fc.tuple(fc.nat(), valueChange), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ to: fc.constant('files'), changes: fc.array(byteChange, { minLength: 1, maxLength: 4 }) }),
  ),
});
type Accident = typeof accident extends fc.Arbitrary<infer T> ? T : never;

async function survive(input: Accident): Promise<void> {
  const workspace = new TestWorkspace();
  workspace.limits = { ...workspace.limits, maxTurns: 0, timeoutSeconds: 0 };
  await fill(workspace, input);
  await doDamage(workspace, input.damage);
  const marks = marksIn(workspace);

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
  const kept = allText(workspace);
  assert.deepEqual(
    marks.filter((mark) => !kept.includes(mark)),
    [],
    'what could not be read is not thrown away',
  );
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

/** The state alone or the files alone: what both hold survives when one of them is whole. */
async function doDamage(workspace: TestWorkspace, damage: Accident['damage']): Promise<void> {
  const { files } = workspace.journals;
  const store = workspace.state.openWindow();
  if (damage.to === 'state') {
    files.clear();
    await store.update(key, changeValue(store.get(key), damage.changes));
  } else {
    await store.update(key, undefined);
    for (const [name, bytes] of files) {
      files.set(
        name,
        Buffer.from(
          damage.to === 'files' ? changeBytes(bytes, damage.changes) : changedLines(bytes, damage.changes),
        ),
      );
    }
  }
  store.flush();
}

function changedLines(
  bytes: Buffer,
  changes: readonly (readonly [number, Parameters<typeof changeValue>[1][number]])[],
): Buffer {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  for (const [at, change] of changes) {
    const index = at % lines.length;
    const line = lines[index];
    if (line) lines[index] = JSON.stringify(changeValue(JSON.parse(line), [change])) ?? '';
  }
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

/**
 * The words that are there after the damage; of a file only its complete lines are promised anything, and of a turn that
 * was written again only its last line.
 */
function marksIn(workspace: TestWorkspace): readonly string[] {
  const complete = [...workspace.journals.files.values()].flatMap((bytes) => {
    const lines = bytes.toString('utf8', 0, bytes.lastIndexOf('\n') + 1).split('\n');
    const turns = lines.map(turnOf);
    return lines.filter((_, index) => !turns[index] || turns.lastIndexOf(turns[index]) === index);
  });
  const text = [stateText(workspace), ...complete].join('\n');
  return [...new Set(text.match(/mark-turn-\d+\./g))];
}

/** Which turn a line is about, if it still says so. */
function turnOf(line: string): string | undefined {
  return /^\{.*"kind":"turn".*"id":"(t\d+)"/.exec(line)?.[1];
}

function allText(workspace: TestWorkspace): string {
  return stateText(workspace) + workspace.journals.text;
}

function stateText(workspace: TestWorkspace): string {
  const store = workspace.state.openWindow();
  return store
    .keys()
    .map((name) => JSON.stringify(store.get(name)))
    .join('\n');
}
