import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reply, text } from '../support/claude/script';
import { until } from '../support/until';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { historyOf } from '../support/window/sentMessages';
import { readState, storageFolder, writeState, type StoredState } from '../support/window/storedState';
import { withLastingVsCode } from '../support/window/withWindow';

const key = 'assistant.memory';

describe('stored memory that is not as expected', () => {
  const { standIn, vscode } = withLastingVsCode();
  let window: DrivenWindow;

  before(async () => {
    window = await vscode.openWindow();
    await turn('Is there a state?');
    await stored((json) => json.includes('Answer to'));
  });

  async function turn(question: string): Promise<readonly string[]> {
    standIn.reset();
    standIn.script(reply(text(`Answer to ${question}`)));
    await window.host.chat(question);
    return historyOf(standIn.journal.messages[0]!);
  }

  const database = () => join(storageFolder(vscode.workplace.dataFolder), 'memory.db');

  /** Leaves VS Code, does something with what it keeps, and comes back. */
  async function away<T>(act: () => Promise<T>): Promise<T> {
    let result!: T;
    await window.replaceHost(async () => {
      await window.page.goto(`${vscode.url}/version`);
      await window.host.gone;
      result = await act();
      await window.page.goto(`${vscode.url}/?folder=${encodeURIComponent(vscode.workplace.folder)}`);
    });
    return result;
  }

  /** As if this state had been found, with no database beside it. */
  async function find(state: StoredState): Promise<void> {
    await away(async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
      await writeState(window.page, state);
    });
  }

  /** The state as it is once VS Code has written it down. */
  async function stored(isWritten: (state: string) => boolean): Promise<StoredState> {
    let state: StoredState | undefined;
    await until(async () => {
      state = await readState(window.page);
      return state !== undefined && isWritten(JSON.stringify(state));
    });
    return state!;
  }

  it('M4, M14: is plain JSON of one version under one key', async () => {
    const state = await stored((json) => json.includes('Answer to'));
    assert.deepEqual(Object.keys(state), [key]);
    const { version, conversations } = state[key] as {
      version: number;
      conversations: Record<string, { turns: { messages: unknown }[] }>;
    };
    assert.equal(version, 3);
    assert.deepEqual(
      conversations['workspace']?.turns.map(({ messages }) => messages),
      [
        [
          { role: 'user', content: 'Is there a state?' },
          { role: 'assistant', content: [{ type: 'text', text: 'Answer to Is there a state?' }] },
        ],
      ],
    );
  });

  it('M10: migrates an older version', async () => {
    const messages = [
      { role: 'user', content: 'An old question' },
      { role: 'assistant', content: 'An old answer' },
    ];
    const at = Date.now() - 60_000;
    const conversations = { workspace: { lastActive: at, turns: [{ id: 'old', at, messages }] } };
    await find({ [key]: { version: 1, conversations } });
    assert.deepEqual(await turn('And now?'), ['user: An old question', 'assistant: An old answer']);
    const state = (await stored((json) => json.includes('And now?')))[key] as { version: number };
    assert.equal(state.version, 3);
  });

  it('M10: leaves a newer version untouched, says so, and goes on beside it', async () => {
    const newer = { version: 99, conversations: { workspace: { from: 'the future' } }, more: [1, 2] };
    await find({ [key]: newer });
    await window.workbench.notification(/written by a newer version of Claude Assistant/).waitFor();
    await window.screenshot('newer-memory');
    assert.deepEqual(await turn('Do you work?'), []);
    assert.deepEqual((await stored((json) => json.includes('Do you work?')))[key], newer);
    await away(() => Promise.resolve());
    assert.deepEqual(await turn('Still?'), ['user: Do you work?', 'assistant: Answer to Do you work?']);
  });

  it('M10, F21, S7: sets a damaged state aside, with one warning that offers an export, without the key', async () => {
    const damaged = { version: 2, conversations: 'half a st sk-ant-e2e' };
    await find({ [key]: damaged });
    const { workbench } = window;
    const warning = /Part of the stored conversation memory could not be read/;
    await workbench.notification(warning).waitFor();
    await window.screenshot('damaged-memory');
    assert.equal(await workbench.notification(/conversation memory/).count(), 1);
    assert.deepEqual(await turn('Fresh?'), []);

    await workbench.pressInNotification(warning, 'Export…');
    const file = join(vscode.workplace.folder, 'damaged-memory.json');
    await workbench.enterPath(file);
    const exported = JSON.parse(await textOnceWritten(file)) as { value: { data: { data: unknown }[] } }[];
    assert.deepEqual(exported[0]?.value.data[0]?.data, { version: 2, conversations: 'half a st [key]' });

    const state = await stored((json) => json.includes('Fresh?'));
    const aside = Object.keys(state).filter((name) => name.startsWith(`${key}.quarantine.`));
    assert.equal(aside.length, 1);
    await away(() => Promise.resolve());
    assert.deepEqual(await turn('Told twice?'), ['user: Fresh?', 'assistant: Answer to Fresh?']);
    assert.equal(await workbench.notification(/conversation memory/).count(), 0);
  });

  it('F20: repairs stored orphans of tool uses and results before it sends them, each time alike', async () => {
    const lostResult = { type: 'tool_use', id: 'toolu_lost', name: 'read_file', input: {} };
    const lostUse = { type: 'tool_result', tool_use_id: 'toolu_gone', content: 'of nobody' };
    await find(
      memoryOf(
        [
          { role: 'user', content: 'A use' },
          { role: 'assistant', content: [lostResult] },
        ],
        [
          { role: 'user', content: [lostUse, { type: 'text', text: 'A result' }] },
          { role: 'assistant', content: 'Fine' },
        ],
      ),
    );
    const first = await turn('Accepted?');
    assert.deepEqual(
      first.filter((line) => line.startsWith('user')),
      ['user: A use', 'user: A result'],
    );
    assert.match(standIn.journal.messages[0]!.bodyText, /"tool_use_id":"toolu_lost"/);
    assert.doesNotMatch(standIn.journal.messages[0]!.bodyText, /of nobody/);
    assert.deepEqual((await turn('Again?')).slice(0, first.length), first);
  });

  it('F22: sets one bad turn among others aside, and loads the others', async () => {
    const good = (words: string) => [
      { role: 'user', content: words },
      { role: 'assistant', content: `Answer to ${words}` },
    ];
    await find(memoryOf(good('One'), 'half a turn', good('Three')));
    await window.workbench.notification(/could not be read \(a turn of conversation/).waitFor();
    assert.deepEqual(
      (await turn('How many?')).filter((line) => line.startsWith('user')),
      ['user: One', 'user: Three'],
    );
    const state = await stored((json) => json.includes('How many?'));
    assert.match(JSON.stringify(Object.entries(state).filter(([name]) => name !== key)), /half a turn/);
    await window.host.execute('notifications.clearAll');
  });

  it('F28: a clock that was an hour ahead loses nothing, and a day of silence ends the conversation', async () => {
    const hour = 3_600_000;
    const messages = [
      { role: 'user', content: 'From the future' },
      { role: 'assistant', content: 'So it seems' },
    ];
    await find(aged(memoryOf(messages), hour));
    assert.deepEqual(await turn('What time is it?'), ['user: From the future', 'assistant: So it seems']);
    const { conversations } = (await stored((json) => json.includes('What time')))[key] as {
      conversations: Record<string, { lastActive: number }>;
    };
    assert.ok(conversations['workspace']!.lastActive <= Date.now(), 'no negative age');
    await find(aged(memoryOf(messages), -24 * hour));
    assert.deepEqual(await turn('And now?'), []);
  });

  it('X4, M10: takes over what an older version wrote ahead, and reads on past what is no block', async () => {
    const before = await turn('Before it?');
    const at = Date.now() - 60_000;
    const line = {
      ...{ v: 2, kind: 'running', conversation: 'workspace', id: 'x', startedAt: at, order: at },
      ...{ revision: 1, at, keep: 0, messages: [{ role: 'user', content: [null] }] },
    };
    const messages = [
      { role: 'user', content: 'Written ahead?' },
      { role: 'assistant', content: 'Yes' },
    ];
    const ahead = {
      id: 'y',
      order: at,
      revision: 1,
      startedAt: at,
      endedAt: at,
      outcome: 'finished',
      messages,
    };
    const turnLine = { v: 2, kind: 'turn', conversation: 'workspace', turn: ahead, at };
    const folder = join(storageFolder(vscode.workplace.dataFolder), 'memory');
    const file = join(folder, 'wal-0dead0-4194303-0123abcd-1.jsonl');
    await away(async () => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(line)}\n${JSON.stringify(turnLine)}\n`);
    });
    await window.workbench.notification(/could not be read \(a line of a write-ahead file/).waitFor();
    assert.deepEqual(await turn('Still here?'), [
      'user: Written ahead?',
      'assistant: Yes',
      ...before,
      'user: Before it?',
      'assistant: Answer to Before it?',
    ]);
    assert.ok(!existsSync(file), 'it is in the database now');
    await window.host.execute('notifications.clearAll');
  });

  it('M10: moves a damaged database aside, says so once, exports it, and goes on with what the state has', async () => {
    const before = [...(await turn('Before the damage?')), 'user: Before the damage?'];
    await stored((json) => json.includes('Answer to Before the damage?'));
    await away(async () => {
      for (const end of ['-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
      writeFileSync(database(), 'This is no database. '.repeat(500));
    });
    const { workbench } = window;
    const warning = /The stored conversation memory is damaged/;
    await workbench.notification(warning).waitFor();
    assert.deepEqual((await turn('And after it?')).slice(0, -1), before);
    assert.equal(await workbench.notification(warning).count(), 1);
    await workbench.pressInNotification(warning, 'Export…');
    const file = join(vscode.workplace.folder, 'damaged-memory.db');
    await workbench.enterPath(file);
    assert.match(await textOnceWritten(file), /^This is no database/);
    await away(() => Promise.resolve());
    assert.equal((await turn('Told twice?')).at(-2), 'user: And after it?');
    assert.equal(await workbench.notification(warning).count(), 0);
  });

  it('F27: answers and remembers when VS Code refuses to store it, says so once, and stores it later', async () => {
    const before = [...(await turn('Before?')), 'user: Before?', 'assistant: Answer to Before?'];
    await window.host.breakState(true);
    assert.deepEqual(await turn('On a full disk?'), before);
    const warning = window.workbench.notification(/The conversation could not be stored/);
    await warning.waitFor();
    await window.screenshot('store-failed');
    const more = ['user: On a full disk?', 'assistant: Answer to On a full disk?'];
    assert.deepEqual(await turn('Still known?'), [...before, ...more]);
    await window.workbench.showNotifications();
    await warning.first().waitFor();
    assert.equal(await warning.count(), 1);
    await window.host.breakState(false);
    await turn('Room again?');
    const state = await stored((json) => json.includes('Room again?'));
    assert.match(JSON.stringify(state), /On a full disk\?[^]*Still known\?/);
    await window.host.execute('notifications.clearAll');
  });

  it('F27: answers and remembers when the database cannot be written, and says so once', async () => {
    await away(async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
      // A folder in the place of the file: not even root can write to it.
      mkdirSync(database());
    });
    const { workbench } = window;
    const warning = workbench.notification(/The conversation could not be written to the disk/);
    await warning.waitFor();
    await turn('Without a file?');
    assert.deepEqual((await turn('Still there?')).slice(-2), [
      'user: Without a file?',
      'assistant: Answer to Without a file?',
    ]);
    await workbench.showNotifications();
    await warning.first().waitFor();
    assert.equal(await warning.count(), 1);
    await stored((json) => json.includes('Answer to Still there?'));
    await away(() => Promise.resolve(rmdirSync(database())));
    assert.deepEqual((await turn('And after?')).slice(-2), [
      'user: Still there?',
      'assistant: Answer to Still there?',
    ]);
  });
});

/** A state with these turns, a minute old; some of them may be no turns at all. */
function memoryOf(...turns: readonly unknown[]): StoredState {
  const at = Date.now() - 60_000;
  const stored = turns.map((messages, index) => ({
    id: `t${index}`,
    order: at + index,
    revision: 1,
    startedAt: at + index,
    endedAt: at + index,
    outcome: 'finished',
    messages,
  }));
  const workspace = { lastActive: at, turns: stored, params: {}, waitingRevision: 0 };
  return { [key]: { version: 2, conversations: { workspace } } };
}

/** The same state with all its times moved. */
function aged(state: StoredState, ms: number): StoredState {
  const times = new Set(['lastActive', 'order', 'startedAt', 'endedAt']);
  return JSON.parse(JSON.stringify(state), (name, value: unknown) =>
    times.has(name) && typeof value === 'number' ? value + ms : value,
  ) as StoredState;
}

async function textOnceWritten(file: string): Promise<string> {
  const watcher = watch(dirname(file));
  try {
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await once(watcher, 'change');
    return readFileSync(file, 'utf8');
  } finally {
    watcher.close();
  }
}
