import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../support/until';
import { storageFolder, type StoredState } from '../support/window/storedState';
import { textOnceWritten, withStoredMemory } from '../support/window/withStoredMemory';

const key = 'assistant.memory';
const hour = 3_600_000;

/** One story: each test finds what the one before it left. */
describe('stored memory that is not as expected, or cannot be read or written', () => {
  const { standIn, vscode, window, turn, database, restart, find, stored } = withStoredMemory();
  const notification = (text: RegExp) => window.workbench.notification(text);
  const newer = { version: 99, conversations: { workspace: { from: 'the future' } }, more: [1, 2] };

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

  it('F27: answers and remembers when VS Code refuses to store it, says so once, and stores it later', async () => {
    const before = ['user: Is there a state?', 'assistant: Answer to Is there a state?'];
    await window.host.breakState(true);
    assert.deepEqual(await turn('On a full disk?'), before);
    const warning = notification(/The conversation could not be stored/);
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
  });

  it('M10, F32: moves a damaged database aside, says so once, exports it, and goes on with what the state has', async () => {
    await restart(() => {
      for (const end of ['-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
      writeFileSync(database(), 'This is no database. '.repeat(500));
    });
    const warning = /The stored conversation memory is damaged/;
    await notification(warning).waitFor();
    assert.deepEqual((await turn('And after it?')).slice(-2), [
      'user: Room again?',
      'assistant: Answer to Room again?',
    ]);
    assert.equal(await notification(warning).count(), 1);
    await window.workbench.pressInNotification(warning, 'Export…');
    const file = join(vscode.workplace.folder, 'damaged-memory.db');
    await window.workbench.enterPath(file);
    assert.match(await textOnceWritten(file), /^This is no database/);
  });

  it('F32: says so where a damaged database can no longer be exported', async () => {
    const folder = dirname(database());
    const before = new Set(readdirSync(folder));
    await restart(() => {
      for (const end of ['-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
      writeFileSync(database(), 'No database again. '.repeat(500));
    });
    const warning = /The stored conversation memory is damaged/;
    await notification(warning).waitFor();
    for (const name of readdirSync(folder))
      if (name.includes('.damaged-') && !before.has(name)) rmSync(join(folder, name));
    await window.workbench.pressInNotification(warning, 'Export…');
    await window.workbench.enterPath(join(vscode.workplace.folder, 'gone.db'));
    await notification(/That did not work/).waitFor();
  });

  it('M26: Clear says that what was moved aside may still hold it, and Delete All erases that', async () => {
    const { panel } = window;
    const aside = () => readdirSync(dirname(database())).filter((name) => name.includes('.damaged-'));
    assert.equal(aside().length, 1);
    assert.match(await panel.ask('/clear'), /Damaged data that was set aside may still hold it/);
    await window.workbench.runCommand('Assistant: Delete All Conversations…');
    await window.workbench.pressInDialog('Delete All');
    await until(() => aside().length === 0);
    assert.deepEqual(await turn('Anything left?'), []);
  });

  it('M10, F21, S7: sets a damaged state aside, with one warning that offers an export, without the key', async () => {
    await find({ [key]: { version: 2, conversations: 'half a st sk-ant-e2e' } });
    const warning = /Part of the stored conversation memory could not be read/;
    await notification(warning).waitFor();
    await window.screenshot('damaged-memory');
    assert.equal(await notification(/conversation memory/).count(), 1);
    assert.deepEqual(await turn('Fresh?'), []);

    await window.workbench.pressInNotification(warning, 'Export…');
    const file = join(vscode.workplace.folder, 'damaged-memory.json');
    await window.workbench.enterPath(file);
    const exported = JSON.parse(await textOnceWritten(file)) as { value: { data: { data: unknown }[] } }[];
    assert.deepEqual(exported[0]?.value.data[0]?.data, { version: 2, conversations: 'half a st [key]' });
  });

  it('M10: leaves a newer version untouched, says so, and tells of nothing again that is set aside', async () => {
    const aside = Object.entries(await stored((json) => json.includes('Answer to Fresh?'))).filter(([name]) =>
      name.startsWith(`${key}.quarantine.`),
    );
    assert.equal(aside.length, 1);
    await find({ ...Object.fromEntries(aside), [key]: newer });
    await notification(/written by a newer version of Claude Assistant/).waitFor();
    await window.screenshot('newer-memory');
    assert.equal(await notification(/conversation memory/).count(), 1);
    assert.deepEqual(await turn('Do you work?'), []);
    assert.deepEqual((await stored((json) => json.includes('Answer to Do you work?')))[key], newer);
  });

  it('M10, F27, F33: goes on beside it when the database cannot be written, and says so once', async () => {
    await find({ [key]: newer });
    await turn('Before it?');
    await restart(() => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
      // A folder in the place of the file: not even root can write to it.
      mkdirSync(database());
    });
    const warning = notification(/The conversation could not be written to the disk/);
    await warning.waitFor();
    const beside = ['user: Before it?', 'assistant: Answer to Before it?'];
    assert.deepEqual(await turn('Without a file?'), beside);
    assert.deepEqual(await turn('Still there?'), [
      ...beside,
      'user: Without a file?',
      'assistant: Answer to Without a file?',
    ]);
    await window.workbench.showNotifications();
    await warning.first().waitFor();
    assert.equal(await warning.count(), 1);
    assert.deepEqual((await stored((json) => json.includes('Answer to Still there?')))[key], newer);
  });

  it('F28: a day of silence ends the conversation', async () => {
    const messages = [
      { role: 'user', content: 'From long ago' },
      { role: 'assistant', content: 'So it seems' },
    ];
    await find(aged(memoryOf(messages), -24 * hour));
    assert.deepEqual(await turn('And now?'), []);
  });

  describe('of an older version, whose clock was an hour ahead, with orphans and a bad turn', () => {
    let file: string;
    let first: readonly string[];

    before(async () => {
      const lostResult = { type: 'tool_use', id: 'toolu_lost', name: 'read_file', input: {} };
      const lostUse = { type: 'tool_result', tool_use_id: 'toolu_gone', content: 'of nobody' };
      const state = memoryOf(
        [
          { role: 'user', content: 'A use' },
          { role: 'assistant', content: [lostResult] },
        ],
        'half a turn',
        [
          { role: 'user', content: [lostUse, { type: 'text', text: 'A result' }] },
          { role: 'assistant', content: 'Fine' },
        ],
      );
      const folder = join(storageFolder(vscode.workplace.dataFolder), 'memory');
      file = join(folder, 'wal-0dead0-4194303-0123abcd-1.jsonl');
      await find(aged(state, hour), () => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, writtenAhead());
      });
    });

    it('M10, X4, F22: takes it over with what was written ahead, sets aside what is no turn or block, and says so once', async () => {
      await notification(/could not be read \(a .* and 1 more\)/).waitFor();
      assert.equal(await notification(/could not be read/).count(), 1);
      first = await turn('How many?');
      assert.deepEqual(
        first.filter((line) => line.startsWith('user')),
        ['user: Written ahead?', 'user: A use', 'user: A result'],
      );
      const state = await stored((json) => json.includes('How many?'));
      assert.equal((state[key] as { version: number }).version, 3);
      const aside = JSON.stringify(Object.entries(state).filter(([name]) => name !== key));
      assert.match(aside, /half a turn/);
      assert.match(aside, /\[null\]/);
      assert.ok(!existsSync(file), 'it is in the database now');
    });

    it('F20: repairs the orphans before it sends them, each time alike', async () => {
      assert.deepEqual((await turn('Accepted?')).slice(0, first.length), first);
      assert.match(standIn.journal.messages[0]!.bodyText, /"tool_use_id":"toolu_lost"/);
      assert.doesNotMatch(standIn.journal.messages[0]!.bodyText, /of nobody/);
    });

    it('F28: has no negative age', async () => {
      const { conversations } = (await stored((json) => json.includes('Answer to Accepted?')))[key] as {
        conversations: Record<string, { lastActive: number }>;
      };
      assert.ok(conversations['workspace']!.lastActive <= Date.now());
    });
  });
});

/** A state with these turns, a minute old; some of them may be no turns at all. */
function memoryOf(...turns: readonly unknown[]): StoredState {
  const at = Date.now() - 60_000;
  const stored = turns.map((messages, index) => turnOf(`t${index}`, at + index, messages));
  const workspace = { lastActive: at, turns: stored, params: {}, waitingRevision: 0 };
  return { [key]: { version: 2, conversations: { workspace } } };
}

function turnOf(id: string, at: number, messages: unknown): object {
  return { id, order: at, revision: 1, startedAt: at, endedAt: at, outcome: 'finished', messages };
}

/** What a version before the database left in its write-ahead file: something that is no block, and a turn. */
function writtenAhead(): string {
  const at = Date.now() - 60_000;
  const running = {
    ...{ v: 2, kind: 'running', conversation: 'workspace', id: 'x', startedAt: at, order: at },
    ...{ revision: 1, at, keep: 0, messages: [{ role: 'user', content: [null] }] },
  };
  const turn = turnOf('y', at, [
    { role: 'user', content: 'Written ahead?' },
    { role: 'assistant', content: 'Yes' },
  ]);
  const finished = { v: 2, kind: 'turn', conversation: 'workspace', turn, at };
  return `${JSON.stringify(running)}\n${JSON.stringify(finished)}\n`;
}

/** The same state with all its times moved. */
function aged(state: StoredState, ms: number): StoredState {
  const times = new Set(['lastActive', 'order', 'startedAt', 'endedAt']);
  return JSON.parse(JSON.stringify(state), (name, value: unknown) =>
    times.has(name) && typeof value === 'number' ? value + ms : value,
  ) as StoredState;
}
