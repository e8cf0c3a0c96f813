import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { StoredState } from '../support/window/storedState';
import { textOnceWritten, withStoredMemory } from '../support/window/withStoredMemory';

const key = 'assistant.memory';
const hour = 3_600_000;

describe('stored memory that is not as expected', () => {
  const { standIn, vscode, window, turn, away, find, stored } = withStoredMemory();

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
    await away();
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
    await away();
    assert.deepEqual(await turn('Told twice?'), ['user: Fresh?', 'assistant: Answer to Fresh?']);
    assert.equal(await workbench.notification(/conversation memory/).count(), 0);
  });

  describe('when its clock was an hour ahead, with orphans and a bad turn among its turns', () => {
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
      await find(aged(state, hour));
    });
    after(() => window.host.execute('notifications.clearAll'));

    it('F22: sets the bad turn aside, says so, and loads the others', async () => {
      await window.workbench.notification(/could not be read \(a turn of conversation/).waitFor();
      first = await turn('How many?');
      assert.deepEqual(
        first.filter((line) => line.startsWith('user')),
        ['user: A use', 'user: A result'],
      );
      const state = await stored((json) => json.includes('How many?'));
      assert.match(JSON.stringify(Object.entries(state).filter(([name]) => name !== key)), /half a turn/);
    });

    it('F20: repairs the orphans before it sends them, each time alike', async () => {
      assert.deepEqual((await turn('Accepted?')).slice(0, first.length), first);
      assert.match(standIn.journal.messages[0]!.bodyText, /"tool_use_id":"toolu_lost"/);
      assert.doesNotMatch(standIn.journal.messages[0]!.bodyText, /of nobody/);
    });

    it('F28: has no negative age', async () => {
      const { conversations } = (await stored((json) => json.includes('Accepted?')))[key] as {
        conversations: Record<string, { lastActive: number }>;
      };
      assert.ok(conversations['workspace']!.lastActive <= Date.now());
    });
  });

  it('F28: a day of silence ends the conversation', async () => {
    const messages = [
      { role: 'user', content: 'From long ago' },
      { role: 'assistant', content: 'So it seems' },
    ];
    await find(aged(memoryOf(messages), -24 * hour));
    assert.deepEqual(await turn('And now?'), []);
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
