import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { createAssistant, type Assistant, type AssistantRequest } from '../../../src/core/assistant';
import type { ConversationMemory } from '../../../src/core/conversation/memory/memory';
import { decodeRecord } from '../../../src/core/ledger/decodeRecord';
import { ledgerReport } from '../../../src/core/ledger/ledgerReport';
import type { AnswerRecord } from '../../../src/core/ledger/record';
import { usageView } from '../../../src/core/ledger/usageView';
import { reply, text, thinking, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import { tool } from '../../support/turns';

describe('why the cache missed', () => {
  let standIn: StandIn;
  let workspace: TestWorkspace;
  let memory: ConversationMemory;
  let records: AnswerRecord[];
  let assistant: Assistant;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    standIn = await startStandIn({ clock: () => workspace.now });
    ({ memory } = await workspace.reopen());
    records = [];
    let ids = 0;
    assistant = createAssistant({
      memory,
      clock: () => workspace.now,
      ids: () => `turn-${++ids}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ledger: { add: (record) => void records.push(record) },
    });
  });
  afterEach(() => standIn.close());

  const look = tool('look', () => ({ content: 'a garden '.repeat(300) }));

  async function ask(more: Partial<AssistantRequest> = {}): Promise<AnswerRecord['cacheMiss']> {
    standIn.script(reply(thinking('Where?'), toolUse('look', {})), reply(text('There. '.repeat(200))));
    workspace.now += 60_000;
    const turn = assistant.answer(
      {
        conversationId: 'workspace',
        model: createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url }),
        modelId: 'claude-sonnet-5-5',
        system: [{ type: 'text', text: 'Be kind. '.repeat(1500) }],
        tools: [look],
        userContent: 'look around',
        maxRounds: 25,
        yieldRequested: () => false,
        wait: () => Promise.resolve(),
        random: () => 0,
        ...more,
      },
      new AbortController().signal,
    );
    for await (const event of turn.events)
      if (event.type === 'turn-end') assert.equal(event.end.reason, 'answered');
    return records.at(-1)?.cacheMiss;
  }

  it('P6: says nothing while each message finds what the one before has left', async () => {
    for (let turn = 0; turn < 6; turn++) assert.equal(await ask(), undefined);
  });

  const note = { id: 1, text: 'Tabs.', at: 1, origin: { isAskedFor: true, after: [] } };
  const changes: Readonly<Record<string, Partial<AssistantRequest>>> = {
    model: { modelId: 'claude-opus-5-5' },
    tools: { tools: [look, tool('listen', () => ({ content: 'birds' }))] },
    instructions: { system: [{ type: 'text', text: 'Be brief. '.repeat(1500) }] },
    notes: { notes: [note] },
  };
  for (const [reason, change] of Object.entries(changes)) {
    it(`P6: names what has changed: ${reason}`, async () => {
      for (let turn = 0; turn < 3; turn++) await ask();
      assert.equal(await ask(change), reason);
      assert.equal(await ask(change), undefined);
    });
  }

  it('P6: names a pause of more than five minutes', async () => {
    for (let turn = 0; turn < 3; turn++) await ask();
    workspace.now += 300_000;
    assert.equal(await ask(), 'pause');
  });

  it('P6: names turns that are no longer sent', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 3 };
    for (let turn = 0; turn < 4; turn++) await ask();
    assert.equal(await ask(), 'history');
  });

  it('P6: names a pause of more than an hour', async () => {
    for (let turn = 0; turn < 3; turn++) await ask();
    workspace.now += 3_600_000;
    assert.equal(await ask(), 'absence');
  });

  it('P6: names a pause that only the history did not survive: the rest was kept for an hour', async () => {
    // Whoever has paused for long before gets the longer life.
    for (let turn = 0; turn < 3; turn++) await ask();
    for (let pause = 0; pause < 3; pause++) {
      workspace.now += 400_000;
      await ask();
    }
    workspace.now += 400_000;
    assert.equal(await ask(), 'short-pause');
    assert.ok((records.at(-1)?.usage.cacheRead ?? 0) > 0);
  });

  it('P6: asks the API by the message before, and says that it has dropped what did not change', async () => {
    for (let turn = 0; turn < 3; turn++) await ask();
    const ids = standIn.journal.messages.map(({ body }) =>
      String(/"previous_message_id":("\w+"|null)/.exec(JSON.stringify(body))?.[1]),
    );
    assert.equal(ids.length, 6);
    assert.equal(ids[0], 'null');
    assert.equal(new Set(ids).size, 6);
    assert.ok(ids.slice(1).every((id) => id.startsWith('"msg_')));
    standIn.dropCache();
    assert.equal(await ask(), 'dropped');
  });

  it('P6: the API knows better what has arrived: here a tool that is no longer deferred', async () => {
    const others = (deferral?: 'other') =>
      Array.from({ length: 3 }, (_, index) =>
        tool(`other_${index}`, () => ({ content: 'x' }), {
          description: 'Looks elsewhere. '.repeat(100),
          ...(deferral && { deferral }),
        }),
      );
    for (let turn = 0; turn < 3; turn++) await ask({ tools: [look, ...others('other')] });
    assert.equal(await ask({ tools: [look, ...others()] }), 'tools');
  });

  it('P6: names what became of the cache in the middle of a turn: a long wait, or a drop', async () => {
    const waits = (ms: number) =>
      tool('look', () => {
        workspace.now += ms;
        if (ms === 0) standIn.dropCache();
        return { content: 'a garden '.repeat(300) };
      });
    await ask();
    assert.equal(await ask({ tools: [waits(301_000)] }), 'pause');
    assert.equal(await ask({ tools: [waits(1_000)] }), undefined);
    assert.equal(await ask({ tools: [waits(0)] }), 'dropped');
  });

  it('P6: says that it does not know where neither anything has changed nor the API can tell', async () => {
    for (let turn = 0; turn < 3; turn++) await ask();
    standIn.reset();
    assert.equal(await ask(), 'unknown');
  });

  it('P6: a fresh conversation finds tools and instructions, and does not blame turns that it has not', async () => {
    for (let turn = 0; turn < 3; turn++) await ask();
    await memory.forConversation('workspace').clear();
    assert.equal(await ask(), undefined);
    await memory.forConversation('workspace').clear();
    standIn.dropCache();
    assert.equal(await ask(), 'dropped');
  });

  it('P6: an endpoint without diagnostics gets its answers, and our own reasons', async () => {
    standIn.lacks('diagnostics');
    for (let turn = 0; turn < 3; turn++) await ask();
    standIn.dropCache();
    assert.equal(await ask(), 'unknown');
    assert.equal(await ask(changes['tools']), 'tools');
  });

  it('P6: stands in the ledger and on the usage page, as a row of its own and in the table', async () => {
    await ask();
    await ask(changes['tools']);
    const record = decodeRecord(JSON.parse(JSON.stringify(records.at(-1))));
    assert.ok(record);
    const wording = { nameOfModel: String, formats: { number: String, time: String, day: String } };
    assert.match(ledgerReport(record, [record], wording), /\| Cache missed \| other tools on offer \|/);
    const { scopes, labels } = usageView({ id: 'workspace', turns: [] }, [record], wording);
    const row = scopes[1]?.rows[0];
    assert.ok(row?.kind === 'answer');
    assert.match(row.summary, /cache missed: other tools on offer$/);
    assert.equal(row.cells[labels.columns.indexOf('Cache missed')], 'other tools on offer');
  });
});
