import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { reply, text } from '../claude/script';
import type { StandIn } from '../claude/standIn';
import { late } from '../late';
import { until } from '../until';
import type { DrivenWindow, LastingVsCode } from './lastingVsCode';
import { historyOf } from './sentMessages';
import { readState, storageFolder, writeState, type StoredState } from './storedState';
import { withLastingVsCode } from './withWindow';

/** A window that has stored a turn, and what is done to its memory while it is away. */
export interface StoredMemory {
  readonly standIn: StandIn;
  readonly vscode: LastingVsCode;
  readonly window: DrivenWindow;
  /** Asks, and gives the history that went along. */
  readonly turn: (question: string) => Promise<readonly string[]>;
  /** The file of the database. */
  readonly database: () => string;
  readonly removeDatabase: () => void;
  /** Leaves VS Code, does something with what it keeps, and comes back. */
  readonly away: (act?: () => unknown) => Promise<void>;
  /** As if this state had been found, with no database beside it. */
  readonly find: (state: StoredState) => Promise<void>;
  /** The state as it is once VS Code has written it down. */
  readonly stored: (isWritten: (state: string) => boolean) => Promise<StoredState>;
}

export function withStoredMemory(): StoredMemory {
  const { standIn, vscode } = withLastingVsCode();
  let opened: DrivenWindow | undefined;
  const window = late(() => opened);

  async function turn(question: string): Promise<readonly string[]> {
    standIn.reset();
    standIn.script(reply(text(`Answer to ${question}`)));
    await window.host.chat(question);
    return historyOf(standIn.journal.messages[0]!);
  }

  const database = () => join(storageFolder(vscode.workplace.dataFolder), 'memory.db');

  function removeDatabase(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
  }

  async function away(act: () => unknown = () => undefined): Promise<void> {
    await window.replaceHost(async () => {
      await window.page.goto(`${vscode.url}/version`);
      await window.host.gone;
      await act();
      await window.page.goto(`${vscode.url}/?folder=${encodeURIComponent(vscode.workplace.folder)}`);
    });
  }

  async function stored(isWritten: (state: string) => boolean): Promise<StoredState> {
    let state: StoredState | undefined;
    await until(async () => {
      state = await readState(window.page);
      return state !== undefined && isWritten(JSON.stringify(state));
    });
    return state!;
  }

  before(async () => {
    opened = await vscode.openWindow();
    await turn('Is there a state?');
    await stored((json) => json.includes('Answer to'));
  });

  return {
    ...{ standIn, vscode, window, turn, database, removeDatabase, away, stored },
    find: (state) =>
      away(async () => {
        removeDatabase();
        await writeState(window.page, state);
      }),
  };
}

/** The text of a file that is being written. */
export async function textOnceWritten(file: string): Promise<string> {
  const watcher = watch(dirname(file));
  try {
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await once(watcher, 'change');
    return readFileSync(file, 'utf8');
  } finally {
    watcher.close();
  }
}
