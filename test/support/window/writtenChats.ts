import { join } from 'node:path';
import { until } from '../until';
import { filesBelow } from './filesBelow';
import type { VsCodeWindow } from './vscodeWindow';

/** VS Code has written this down with its chats, so that the panel shows it again after a reload. */
export async function isWritten({ workplace }: VsCodeWindow, words: string): Promise<void> {
  const storage = join(workplace.dataFolder, 'data/User/workspaceStorage');
  await until(() =>
    filesBelow(storage).some(({ path, content }) => path.includes('chatSessions') && content.includes(words)),
  );
}
