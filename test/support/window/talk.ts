import { reply, text } from '../claude/script';
import type { StandIn } from '../claude/standIn';
import { historyOf } from './sentMessages';
import type { VsCodeWindow } from './vscodeWindow';

/** Messages in a window, each told by what went along with it as history. */
export interface Talk {
  /** Does what sends a message, waits for its answer, and gives the questions that went along. */
  readonly asking: (act: () => Promise<unknown>) => Promise<readonly string[]>;
  readonly ask: (question: string) => Promise<readonly string[]>;
}

export function talkIn(standIn: StandIn, window: VsCodeWindow): Talk {
  let count = 0;
  async function asking(act: () => Promise<unknown>): Promise<readonly string[]> {
    standIn.reset();
    const answer = `Answer ${++count}.`;
    standIn.script(reply(text(answer)));
    await act();
    const entry = await standIn.journal.next();
    await window.panel.lastAnswer.getByText(answer).waitFor();
    await window.panel.finished();
    return historyOf(entry).flatMap((line) => /^user: (.*)$/.exec(line)?.[1] ?? []);
  }
  return { asking, ask: (question) => asking(() => window.panel.send(question)) };
}

/** Each test begins in a new chat, with nothing remembered and the settings of its suite. */
export function inNewChats(window: VsCodeWindow): void {
  before(() => window.panel.ready());
  beforeEach(async () => {
    await window.changeSettings({});
    await window.panel.newChat();
    await window.panel.ask('/clear');
  });
}
