import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storageFolder } from '../support/window/storedState';
import { textOnceWritten, withStoredMemory } from '../support/window/withStoredMemory';

describe('stored memory that cannot be read or written', () => {
  const { vscode, window, turn, database, removeDatabase, away, stored } = withStoredMemory();

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
    await away(() => {
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
    await away(() => {
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
    await away();
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
    await away(() => {
      removeDatabase();
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
    await away(() => rmdirSync(database()));
    assert.deepEqual((await turn('And after?')).slice(-2), [
      'user: Still there?',
      'assistant: Answer to Still there?',
    ]);
  });
});
