// A window that does nothing but work: runs turns with tool rounds one after another until it is killed, or for so many
// turns, and prints the id of each turn that was acknowledged and of each round that was recorded.
import { createMemory } from '../../../src/core/conversation/memory/memory';
import type { Message } from '../../../src/core/messages';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { isAlive, thisProcess } from '../../../src/storage/processes';
import { Sqlite } from '../../../src/storage/sqlite';
import { noLimits } from './limits';
import { WorkspaceState } from './workspaceState';

const [file = '', activationId = '', turns = '1000000'] = process.argv.slice(2);
const memory = createMemory({
  store: new WorkspaceState().openWindow(),
  open: async () => createMemoryDatabase(await Sqlite.open(file)),
  clock: () => Date.now(),
  ids: () => `${activationId}-id`,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  settings: () => noLimits,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  activationId,
  owner: thisProcess,
  isAlive,
  onProblem: ({ kind }) => process.stdout.write(`problem ${kind}\n`),
});

async function work(): Promise<void> {
  const chat = memory.forConversation('c');
  for (let number = 0; number < Number(turns); number++) {
    await memory.refresh();
    const turn = { id: `${activationId}-${number}`, startedAt: Date.now() };
    const running = chat.begin(turn);
    const messages: Message[] = [{ role: 'user', content: turn.id }];
    for (let round = 0; round < 3; round++) {
      const id = `${turn.id}-${round}`;
      messages.push(
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'edit_file', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(500) }] },
      );
      await running.record([...messages]);
      process.stdout.write(`recorded ${id}\n`);
    }
    messages.push({ role: 'assistant', content: 'done' });
    await chat.saveTurn({ ...turn, endedAt: Date.now(), outcome: 'finished', messages });
    process.stdout.write(`acknowledged ${turn.id}\n`);
  }
}

void work();
