import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import { createSystemPrompt } from '../../../src/core/agent/systemPrompt';
import { createAssistant } from '../../../src/core/assistant';
import type { AnswerRecord } from '../../../src/core/ledger/record';
import type { Usage } from '../../../src/core/messages';
import { skillsSection } from '../../../src/core/tools/guidance/skills';
import type { ClaudeRequest } from '../../support/claude/request';
import { reply, text, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import { guidanceOver } from '../../support/guidance';
import { createInMemoryWorkspace } from '../../support/inMemoryWorkspace';
import { createToolHarness } from '../../support/toolHarness';

const { signal } = new AbortController();

describe('the team’s own words over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  /** A conversation about a monorepo; each message reads these files, one a round. */
  async function conversation() {
    const files = createInMemoryWorkspace({
      files: {
        'CLAUDE.md': 'Use tabs. '.repeat(50),
        '.claude/skills/review/SKILL.md': '---\nname: review\ndescription: Looks at changes.\n---\nLook.',
        'packages/api/CLAUDE.md': 'Use four spaces. '.repeat(50),
        'packages/api/a.ts': 'const a = 1;\n'.repeat(100),
        'packages/api/b.ts': 'const b = 1;\n'.repeat(100),
        'README.md': 'Hello.\n'.repeat(200),
      },
    });
    const guidance = guidanceOver(files);
    const workspace = new TestWorkspace();
    const { memory, chat } = await workspace.reopen();
    const records: AnswerRecord[] = [];
    let ids = 0;
    const assistant = createAssistant({
      memory,
      clock: () => workspace.now,
      ids: () => `turn-${++ids}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ledger: { add: (record) => void records.push(record) },
    });
    const model = createClaude({ apiKey: async () => 'sk-ant-words', baseUrl: standIn.url });
    const tools = createToolHarness(files).all;
    async function ask(...paths: readonly string[]): Promise<readonly Usage[]> {
      const from = standIn.journal.messages.length;
      standIn.script(
        ...paths.map((path) => reply(toolUse('read_file', { path }))),
        reply(text('It takes orders and hands them on. '.repeat(12))),
      );
      const instructions = await guidance.instructions(signal);
      const turn = assistant.answer(
        {
          conversationId: 'workspace',
          model,
          modelId: 'claude-sonnet-5-5',
          system: createSystemPrompt({
            folders: ['shop'],
            platform: 'linux',
            instructionFiles: instructions.always,
            skills: skillsSection(await guidance.skills(signal)),
          }),
          instructions,
          guidance: [{ kind: 'instructions', path: 'CLAUDE.md', chars: 500 }],
          tools,
          userContent: `Question ${ids}: how does this part of the shop work?`,
          maxRounds: 25,
          yieldRequested: () => false,
          wait: () => Promise.resolve(),
          random: () => 0,
        },
        signal,
      );
      const usages: Usage[] = [];
      for await (const event of turn.events) if (event.type === 'request-end') usages.push(event.usage);
      assert.equal(standIn.journal.messages.length - from, paths.length + 1);
      return usages;
    }
    return { files, chat, ask, records };
  }

  const requests = () => standIn.journal.messages.map(({ body }) => body as ClaudeRequest);
  const told = (request: ClaudeRequest) =>
    [...JSON.stringify(request.messages).matchAll(/<team-instructions path=\\"([^"\\]*)/g)].map(
      ([, path]) => path,
    );
  const bare = (value: unknown) =>
    JSON.stringify(value, (key, part: unknown) => (key === 'cache_control' ? undefined : part));

  it('T1, L9: when a nested file joins, system, tools and history keep their bytes and are read from the cache', async () => {
    const { ask } = await conversation();
    const usages = [
      ...(await ask('README.md')),
      ...(await ask('README.md', 'packages/api/a.ts')),
      ...(await ask('packages/api/b.ts')),
    ];
    const sent = requests();
    assert.deepEqual(
      sent.map((request) => told(request).length),
      [0, 0, 0, 0, 1, 1, 1],
    );
    for (const [at, request] of sent.slice(1).entries()) {
      const before = sent[at]!;
      assert.equal(bare([request.system, request.tools]), bare([before.system, before.tools]));
      const shared = before.messages.length;
      assert.equal(bare(request.messages.slice(0, shared)), bare(before.messages), `request ${at + 2}`);
    }
    const whole = usages.map(({ cacheRead, cacheWrite }) => cacheRead + cacheWrite);
    assert.deepEqual(
      usages.slice(1).map(({ cacheRead }) => cacheRead),
      whole.slice(0, -1),
    );
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('T1: told again when its turn was forgotten, and not while it is remembered', async () => {
    const { ask, chat } = await conversation();
    await ask('packages/api/a.ts');
    await ask('packages/api/b.ts');
    assert.equal(told(requests().at(-1)!).length, 1);
    await chat.forget({ turns: ['turn-1'] });
    await ask('packages/api/b.ts');
    const results = JSON.stringify(requests().at(-1)!.messages.slice(-1));
    assert.match(results, /<team-instructions path=/);
    assert.deepEqual(standIn.journal.refused, []);
  });

  it('T1: a root file that changes is in the next request, which writes the prefix once', async () => {
    const { ask, files } = await conversation();
    await ask('README.md');
    files.files.set('/work/app/CLAUDE.md', 'Use spaces. '.repeat(50));
    const [changed] = await ask();
    const [after] = await ask();
    assert.equal(changed?.cacheRead, 0);
    assert.equal(after?.cacheRead, changed.cacheRead + changed.cacheWrite);
    assert.match(JSON.stringify(requests().at(-1)!.system), /Use spaces\./);
  });

  it('T5: the ledger has what counted, with path and size and without a word of it', async () => {
    const { ask, records } = await conversation();
    await ask('packages/api/a.ts');
    await ask();
    const root = { kind: 'instructions', path: 'CLAUDE.md', chars: 500 };
    assert.deepEqual(
      records.map(({ guidance }) => guidance),
      [
        [root, { kind: 'instructions', path: 'packages/api/CLAUDE.md', chars: 850 }],
        [root, { kind: 'instructions', path: 'packages/api/CLAUDE.md', chars: 849, isEarlier: true }],
      ],
    );
    assert.doesNotMatch(JSON.stringify(records), /spaces/);
  });
});
