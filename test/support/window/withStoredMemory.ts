import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { reply, text } from '../claude/script';
import type { StandIn } from '../claude/standIn';
import { late } from '../late';
import { until } from '../until';
import type { DrivenWindow, LastingVsCode } from './lastingVsCode';
import { historyOf } from './sentMessages';
import { extensionId, readState, storageFolder, type StoredState } from './storedState';
import { withLastingVsCode } from './withWindow';

/** A window that has stored a turn, and what is done to its memory between two extension hosts. */
export interface StoredMemory {
  readonly standIn: StandIn;
  readonly vscode: LastingVsCode;
  readonly window: DrivenWindow;
  /** Asks, and gives the history that went along. */
  readonly turn: (question: string) => Promise<readonly string[]>;
  /** The file of the database. */
  readonly database: () => string;
  /** Ends the extension host, does something with what it keeps, and begins a new chat with the next one. */
  readonly restart: (act: () => void) => Promise<void>;
  /** As if this state had been found, with no database beside it, but perhaps with other files. */
  readonly find: (state: StoredState, act?: () => void) => Promise<void>;
  /** The state as it is once VS Code has written it down. */
  readonly stored: (isWritten: (state: string) => boolean) => Promise<StoredState>;
}

export function withStoredMemory(): StoredMemory {
  const { standIn, vscode } = withLastingVsCode();
  let opened: DrivenWindow | undefined;
  let lastAnswer = '';
  const window = late(() => opened);

  async function turn(question: string): Promise<readonly string[]> {
    standIn.reset();
    lastAnswer = `Answer to ${question}`;
    standIn.script(reply(text(lastAnswer)));
    await window.host.chat(question);
    return historyOf(standIn.journal.messages[0]!);
  }

  const database = () => join(storageFolder(vscode.workplace.dataFolder), 'memory.db');

  async function restart(act: () => void): Promise<void> {
    await window.host.execute('notifications.clearAll');
    await window.replaceHost(async () => {
      // VS Code starts the next one as soon as this one has gone.
      window.host.freeze();
      act();
      window.host.kill();
      await window.host.gone;
    });
    await window.host.execute('workbench.action.chat.newChat');
  }

  async function find(state: StoredState, act?: () => void): Promise<void> {
    await stored((json) => json.includes(lastAnswer));
    await window.host.breakState(true);
    await window.host.setState(extensionId, state);
    await restart(() => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${database()}${end}`, { recursive: true, force: true });
      act?.();
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
  });

  return { standIn, vscode, window, turn, database, restart, find, stored };
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
