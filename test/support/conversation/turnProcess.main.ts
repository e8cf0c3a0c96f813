// A window that runs the turns it is told to, of the real loop over HTTP, until it is killed.
import { createClaude } from '../../../src/claude/client';
import { createAssistant } from '../../../src/core/assistant';
import { createMemory } from '../../../src/core/conversation/memory/memory';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { isAlive, thisProcess } from '../../../src/storage/processes';
import { Sqlite } from '../../../src/storage/sqlite';
import { tool } from '../turns';
import { noLimits } from './limits';
import { WorkspaceState } from './workspaceState';

/** What goes in is a message; this comes back. */
export type TurnProcessMessage =
  | { readonly kind: 'history'; readonly messages: ReturnType<typeof history> }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'logged'; readonly level: 'info' | 'warn' | 'error'; readonly line: string };

const [file = '', baseUrl = '', activationId = ''] = process.argv.slice(2);
const send = (message: TurnProcessMessage) => void process.send?.(message);
const logAs = (level: 'info' | 'warn' | 'error') => (line: string) => send({ kind: 'logged', level, line });
const log = { info: logAs('info'), warn: logAs('warn'), error: logAs('error') };
let ids = 0;
const own = {
  clock: () => Date.now(),
  ids: () => `${activationId}-${++ids}`,
  wait: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
  log,
};
const memory = createMemory({
  ...own,
  store: new WorkspaceState().openWindow(),
  open: async () => createMemoryDatabase(await Sqlite.open(file)),
  settings: () => noLimits,
  activationId,
  owner: thisProcess,
  isAlive,
  onProblem: ({ kind }) => log.error(kind),
});
const assistant = createAssistant({ ...own, memory });
const model = createClaude({ apiKey: async () => 'sk-ant-kill', baseUrl });

function history() {
  return memory.forConversation('workspace').history();
}

process.on('message', (userContent: string) => {
  void (async () => {
    const request = {
      conversationId: 'workspace',
      model,
      modelId: 'claude-sonnet-5-5',
      system: [{ type: 'text', text: 'Be kind.' }],
      tools: ['read_file', 'find_files'].map((name) => tool(name, () => ({ content: 'Found.' }))),
      userContent,
      maxRounds: 25,
      yieldRequested: () => false,
      wait: own.wait,
      random: () => 0,
    } as const;
    const { events } = assistant.answer(request, new AbortController().signal);
    for await (const event of events) {
      if (event.type === 'turn-end' && event.end.reason === 'answered') send({ kind: 'acknowledged' });
    }
  })();
});

void memory.load().then(() => send({ kind: 'history', messages: history() }));
