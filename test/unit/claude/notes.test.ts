import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { createSystemPrompt } from '../../../src/core/agent/systemPrompt';
import { createAssistant } from '../../../src/core/assistant';
import type { Usage } from '../../../src/core/messages';
import type { Note } from '../../../src/core/tools/notes/note';
import type { ClaudeRequest } from '../../support/claude/request';
import { reply, text } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import { sessionTools } from '../../support/session';

describe('notes over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());

  it('L9, M28: the same notes are read from the cache with all else, and a change costs one write', async () => {
    const workspace = new TestWorkspace();
    const { memory } = await workspace.reopen();
    let ids = 0;
    const assistant = createAssistant({
      memory,
      clock: () => workspace.now,
      ids: () => `turn-${++ids}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const model = createClaude({ apiKey: async () => 'sk-ant-notes', baseUrl: standIn.url });
    const ask = async (notes: readonly Note[]): Promise<Usage> => {
      standIn.script(reply(text('It takes orders and hands them on. '.repeat(12))));
      const turn = assistant.answer(
        {
          conversationId: 'workspace',
          model,
          modelId: 'claude-sonnet-5-5',
          system: createSystemPrompt({ folders: ['shop'], platform: 'linux' }),
          notes,
          tools: sessionTools,
          userContent: `Question ${ids}: how does this part of the shop work?`,
          maxRounds: 25,
          yieldRequested: () => false,
          wait: () => Promise.resolve(),
          random: () => 0,
        },
        new AbortController().signal,
      );
      for await (const event of turn.events) if (event.type === 'turn-end') return event.usage;
      throw new Error('The turn did not end.');
    };
    const noteOf = (id: number, said: string): Note => ({
      id,
      text: said,
      at: id,
      origin: { isAskedFor: true, after: [] },
    });
    const notes = Array.from({ length: 10 }, (_, at) =>
      noteOf(at + 1, `Convention ${at}: ${'so '.repeat(30)}`),
    );
    const changed = [...notes, noteOf(11, 'We use tabs.')];
    const usages: Usage[] = [];
    for (const sent of [notes, notes, changed, changed, changed]) usages.push(await ask(sent));
    const whole = usages.map(({ cacheRead, cacheWrite }) => cacheRead + cacheWrite);

    const [, same, written, ...later] = usages;
    assert.equal(same?.cacheRead, whole[0]);
    // All that comes before the end of the notes is one piece, so that it is written again, once.
    assert.equal(written?.cacheRead, 0);
    assert.deepEqual(
      later.map(({ cacheRead }) => cacheRead),
      whole.slice(2, 4),
    );
    const prefixes = standIn.journal.messages.map(({ body }) => {
      const { system, tools } = body as ClaudeRequest;
      return JSON.stringify([system, tools]);
    });
    assert.equal(new Set(prefixes.slice(0, 2)).size, 1);
    assert.equal(new Set(prefixes.slice(2)).size, 1);
    assert.deepEqual(standIn.journal.refused, []);
  });
});
