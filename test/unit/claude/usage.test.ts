import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { createAssistant } from '../../../src/core/assistant';
import { rememberedIn } from '../../../src/core/ledger/conversationRecords';
import { createLedger, type Ledger } from '../../../src/core/ledger/ledger';
import { usageReport } from '../../../src/core/ledger/usageReport';
import { usageView } from '../../../src/core/ledger/usageView';
import { dollars } from '../../../src/core/receipt';
import { createLedgerTable } from '../../../src/storage/ledgerTable';
import { Sqlite } from '../../../src/storage/sqlite';
import { apiError, reply, streamError, text, toolUse, type Reply } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';
import { tool } from '../../support/turns';

describe('what a conversation cost', () => {
  let standIn: StandIn;
  let workspace: TestWorkspace;
  let window: TestWindow;
  let ledger: Ledger;
  let sqlite: Sqlite;
  /** What the receipts of all answers said, in dollars. */
  let receipts: number;

  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());
  beforeEach(async () => {
    standIn.reset();
    workspace = new TestWorkspace();
    window = await workspace.reopen();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    sqlite = await Sqlite.open(workspace.file);
    ledger = createLedger({ table: async () => createLedgerTable(sqlite), log });
    receipts = 0;
  });
  afterEach(() => {
    sqlite.close();
    assert.equal(standIn.remaining, 0);
  });

  /** Asks, and stops the answer at its first text if it is to. */
  async function ask(script: readonly Reply[], { isStopped = false } = {}): Promise<string> {
    standIn.script(...script);
    workspace.now += 1000;
    const assistant = createAssistant({
      memory: window.memory,
      clock: () => workspace.now,
      ids: () => `turn-${workspace.now}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ledger,
    });
    const stop = new AbortController();
    const turn = assistant.answer(
      {
        conversationId: 'workspace',
        model: createClaude({ apiKey: () => Promise.resolve('sk-ant-test'), baseUrl: standIn.url }),
        modelId: 'claude-sonnet-5-5',
        system: [{ type: 'text', text: 'Be kind.' }],
        tools: [tool('look', () => ({ content: 'a garden' }))],
        userContent: `question ${workspace.now}`,
        maxRounds: 25,
        yieldRequested: () => false,
        wait: () => Promise.resolve(),
        random: () => 0,
      },
      stop.signal,
    );
    for await (const event of turn.events) {
      if (event.type === 'text-delta' && isStopped) stop.abort();
      if (event.type === 'turn-end') receipts += event.usage.cost ?? 0;
    }
    return turn.id;
  }

  /** The sum as `/usage` and the usage page tell it. */
  async function told(): Promise<readonly (string | undefined)[]> {
    const conversation = rememberedIn('workspace', window.chat.snapshot());
    const records = await ledger.records();
    const formats = { number: String, time: String, day: String };
    const report = usageReport(conversation, records, { nameOfModel: String, formats });
    const { scopes } = usageView(conversation, records, {
      nameOfModel: String,
      formats,
    });
    return [/ · \\(\$\d+\\\.\d+) · /.exec(report)?.[1]?.replace('\\', ''), scopes[0]?.cost];
  }
  const agrees = async () => assert.deepEqual(await told(), [dollars(receipts), dollars(receipts)]);
  const answer = [reply(text('Here.'))];
  const looks = reply(toolUse('look', {}));

  it('P4: is the sum of its receipts, whatever became of the turns', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 3 };
    await ask(answer);
    const forgotten = await ask(answer);
    await ask([looks, apiError(400)]);
    await ask([looks, reply(text('It is'), streamError('invalid_request_error'))]);
    await agrees();
    await ask([looks, reply(text('It', ' is'))], { isStopped: true });
    await ask([reply(text('Only', ' this'))], { isStopped: true });
    await window.chat.forget({ turns: [forgotten] });
    await ask(answer);
    assert.equal(window.chat.snapshot()?.turns.length, 3);
    await agrees();
    assert.ok(receipts > 0);
  });

  it('P4: begins anew with the conversation, and is whole again when that comes back', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await ask(answer);
    await ask(answer);
    const clear = async () => {
      workspace.now += 1000;
      return window.chat.clear();
    };
    const erased = await clear();
    const before = receipts;
    receipts = 0;
    await ask(answer);
    await agrees();
    await clear();
    await window.chat.restore(erased!);
    receipts = before;
    await agrees();
  });
});
