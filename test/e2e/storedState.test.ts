import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { reply, text } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { startLastingVsCode, type DrivenWindow, type LastingVsCode } from '../support/window/lastingVsCode';
import { historyOf } from '../support/window/sentMessages';
import { memoryFolder, readState, writeState, type StoredState } from '../support/window/storedState';

const key = 'assistant.memory';

describe('stored memory that is not as expected', () => {
  let standIn: StandIn;
  let vscode: LastingVsCode;
  let window: DrivenWindow;

  before(async () => {
    standIn = await startStandIn();
    vscode = await startLastingVsCode({
      env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-e2e' },
    });
    window = await vscode.openWindow();
    await turn('Is there a state?');
    await stored((json) => json.includes('Answer to'));
  });
  after(async () => {
    await vscode?.close();
    await standIn?.close();
  });

  async function turn(question: string): Promise<readonly string[]> {
    standIn.reset();
    standIn.script(reply(text(`Answer to ${question}`)));
    await window.host.chat(question);
    assert.deepEqual(standIn.journal.refused, []);
    return historyOf(standIn.journal.messages[0]!);
  }

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

  /** As if this state had been found, with no write-ahead file beside it. */
  async function find(state: StoredState): Promise<void> {
    await away(async () => {
      rmSync(memoryFolder(vscode.workplace.dataFolder), { recursive: true, force: true });
      await writeState(window.page, state);
    });
  }

  /** The state as it is once VS Code has written it down. */
  async function stored(isWritten: (state: string) => boolean): Promise<StoredState> {
    for (;;) {
      const state = await readState(window.page);
      if (state && isWritten(JSON.stringify(state))) return state;
    }
  }

  it('M4, M14: is plain JSON of one version under one key', async () => {
    const state = await stored((json) => json.includes('Answer to'));
    assert.deepEqual(Object.keys(state), [key]);
    const { version, conversations } = state[key] as {
      version: number;
      conversations: Record<string, { turns: { messages: unknown }[] }>;
    };
    assert.equal(version, 2);
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
    assert.equal(state.version, 2);
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

  it('M10, F21: sets a damaged state aside, with one warning that offers an export', async () => {
    const damaged = { version: 2, conversations: 'half a st' };
    await find({ [key]: damaged });
    const { workbench } = window;
    const warning = /Part of the stored conversation memory could not be read/;
    await workbench.notification(warning).waitFor();
    await window.screenshot('damaged-memory');
    assert.equal(await workbench.notification(/conversation memory/).count(), 1);
    assert.deepEqual(await turn('Fresh?'), []);

    await workbench.pressInNotification(warning, 'Export…');
    const file = join(vscode.workplace.folder, 'damaged-memory.json');
    await workbench.answerInputBox(file);
    const exported = JSON.parse(await textOnceWritten(file)) as { value: { data: { data: unknown }[] } }[];
    assert.deepEqual(exported[0]?.value.data[0]?.data, damaged);

    const state = await stored((json) => json.includes('Fresh?'));
    const aside = Object.keys(state).filter((name) => name.startsWith(`${key}.quarantine.`));
    assert.equal(aside.length, 1);
    await away(() => Promise.resolve());
    assert.deepEqual(await turn('Told twice?'), ['user: Fresh?', 'assistant: Answer to Fresh?']);
    assert.equal(await workbench.notification(/conversation memory/).count(), 0);
  });

  it('F27: answers and remembers when the write-ahead file cannot be written, and says so once', async () => {
    const folder = memoryFolder(vscode.workplace.dataFolder);
    await away(async () => {
      rmSync(folder, { recursive: true, force: true });
      // A file in the place of the folder: not even root can write below it.
      writeFileSync(folder, '');
    });
    const { workbench } = window;
    await workbench.notification(/write-ahead file .* could not be written/).waitFor();
    const before = await turn('Without a file?');
    assert.deepEqual(await turn('Still there?'), [
      ...before,
      'user: Without a file?',
      'assistant: Answer to Without a file?',
    ]);
    assert.equal(await workbench.notification(/write-ahead file/).count(), 1);
    await stored((json) => json.includes('Answer to Still there?'));
    await away(() => Promise.resolve(rmSync(folder)));
    assert.deepEqual((await turn('And after?')).slice(-2), [
      'user: Still there?',
      'assistant: Answer to Still there?',
    ]);
  });
});

async function textOnceWritten(file: string): Promise<string> {
  const watcher = watch(dirname(file));
  try {
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await once(watcher, 'change');
    return readFileSync(file, 'utf8');
  } finally {
    watcher.close();
  }
}
