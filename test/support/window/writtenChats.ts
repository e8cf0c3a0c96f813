import { join } from 'node:path';
import { until } from '../until';
import { filesBelow } from './filesBelow';
import type { VsCodeWindow } from './vscodeWindow';

/**
 * VS Code has written this down as a message or an answer, so that the panel shows it again after a reload. What only
 * stands in the input is written down with the chats as well.
 */
export async function isWritten(window: VsCodeWindow, words: string): Promise<void> {
  await chatsHold(window, new RegExp(String.raw`"(text|value)":\s*"[^"]*${words}`));
}

/** What VS Code has written down of its chats holds this. */
export async function chatsHold({ workplace }: VsCodeWindow, said: RegExp): Promise<void> {
  const storage = join(workplace.dataFolder, 'data/User/workspaceStorage');
  await until(() =>
    filesBelow(storage).some(({ path, content }) => path.includes('chatSessions') && said.test(content)),
  );
}
