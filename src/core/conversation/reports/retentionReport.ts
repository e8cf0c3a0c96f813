import * as l10n from '@vscode/l10n';
import { paragraph } from '../../text/joined';

/** What is kept, where, for how long, and how to end it. The README says the same; a test compares them. */
export function retentionReport(): string {
  const entries = [
    l10n.t(
      '**The conversation**: its turns and values, in VS Code’s state of this workspace and in `memory.db` below its storage folder. The last 10 turns (`assistant.maxTurns`), until half an hour has passed without a message (`assistant.conversationTimeout`). **Forget** in the Memory view ends it for one of them, **Clear Conversation** for all.',
    ),
    l10n.t(
      '**What has left it**: conversations that ended, turns that were dropped or summarized, and what a rewind in the chat took back, in `memory.db`, with an index of their words. The newest 100 conversations (`assistant.archiveSize`), and of one that goes on the last 10,000 turns. You find it with **Search Conversations…**, Claude with its tool `recall` (`assistant.recall`), though not what a rewind took back. **Delete** in the Memory view ends it for one conversation, **Delete All Conversations…** for all; with `assistant.archiveSize` at 0 nothing is kept.',
    ),
    l10n.t(
      '**Notes**, in `memory.db`, until you forget them. **Clear Conversation** and **Delete All Conversations…** ask about them.',
    ),
    l10n.t(
      '**Plans**, in `memory.db`: the open one, and the last 20 that were closed. **Forget** in the Memory view ends it, and so does **Delete All Conversations…**; **Clear Conversation** asks.',
    ),
    l10n.t(
      '**Changes by Claude**: the texts before and after them, in `memory.db`, until you keep or undo them; those before take at most 50 MB. **Delete All Conversations…** erases them as well: what was changed stays, without Undo.',
    ),
    l10n.t(
      '**What was sent**: for the last 300 answers names and numbers, in `memory.db`, without the words. **Delete All Conversations…** ends it.',
    ),
    l10n.t(
      '**What no command ends**: what was spent on each of the last 100 days, in `memory.db`; the path of the folder and its repositories, in `project.json` beside it, by which a moved folder is recognized; and in VS Code’s state the ids of chats in which a workspace told VS Code to run tools without asking, and that a hint was shown. **Damaged data** that was set aside goes with **Delete All Conversations…**.',
    ),
    l10n.t(
      '**Permissions**: which tools of others you allowed, in VS Code’s state, until **Reset Tool Approvals**. **Your key**, in VS Code’s secret storage, until **Remove API Key**.',
    ),
    l10n.t(
      '**Not ours**: VS Code’s own chats and pasted images, which **Delete VS Code’s Chats…** deletes, a button after Clear and Delete All; files that you exported or saved; and what the Claude API or your gateway received, under their terms.',
    ),
  ];
  const erased = l10n.t(
    'What is erased is overwritten in all files of this extension before you are told so; where a file cannot be written just then, at its next use. There is no telemetry: Claude Assistant itself sends only what goes to Claude. What commands and tools of others send, they decide.',
  );
  const withoutFolder = l10n.t(
    'In a window without a folder there is no `memory.db`: what would be in it is gone after a reload.',
  );
  const defaults = l10n.t('A limit that stands beside a setting is the default of that setting.');
  return [...entries.map((entry) => `- ${entry}`), '', paragraph([erased, withoutFolder, defaults])].join(
    '\n',
  );
}
