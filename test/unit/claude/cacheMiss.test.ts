import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { createAssistant, type Assistant, type AssistantRequest } from '../../../src/core/assistant';
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
  let records: AnswerRecord[];
  let assistant: Assistant;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    standIn = await startStandIn({ clock: () => workspace.now });
    const { memory } = await workspace.reopen();
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

  it('P6: says that it does not know where nothing has changed', async () => {
    for (let turn = 0; turn < 3; turn++) await ask();
    standIn.reset();
    assert.equal(await ask(), 'unknown');
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
