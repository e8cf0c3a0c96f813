import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as fc from 'fast-check';
import { createClaude } from '../../src/claude/client';
import type { AgentEvent } from '../../src/core/agent/events';
import { createAssistant } from '../../src/core/assistant';
import { gatewayWays, throughGateway } from '../support/claude/gateway';
import { findModel } from '../support/claude/models';
import { renderReply } from '../support/claude/renderReply';
import type { ClaudeRequest } from '../support/claude/request';
import {
  foreignBlock,
  ping,
  rawStream,
  refusal,
  reply,
  stop,
  text,
  thinking,
  toolUse,
  type Part,
  type Reply,
} from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { wireForm, type Step, type WireEvent } from '../support/claude/wire';
import { TestWorkspace, type TestWindow } from '../support/conversation/testWorkspace';
import { tool } from '../support/turns';
import { byteChange, changeBytes, changeValue, splitBytes, splits, valueChange } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** The real SDK reads streams that were cut, doubled, shuffled, split and filled with garbage on their way. */
export async function streamTarget(): Promise<FuzzTarget> {
  const standIn = await startStandIn();
  return fuzzTarget({
    name: 'stream',
    share: 15,
    input: fc.array(damagedAnswer, { minLength: 1, maxLength: 3 }),
    holds: (answers) => surviveStreams(standIn, answers),
    close: () => standIn.close(),
  });
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc
    .array(fc.string({ unit: 'grapheme', maxLength: 6 }), { minLength: 1, maxLength: 3 })
    .map((pieces) => text(...pieces)),
  fc.constant(thinking('Let me ', 'see.')),
  fc
    .constantFrom('a', 'b', 'b')
    .map((id) => toolUse('read_file', { path: `src/${id}.ts` }, { id: `toolu_${id}` })),
  fc.constantFrom(ping(), foreignBlock({ type: 'hologram' }), stop('max_tokens'), stop('sunset')),
  fc.constant(refusal('No.')),
);

/** What happens to whole events: their data changes, and they get lost, come twice or trade places. */
const eventChange = fc.oneof(
  fc.record({ does: fc.constant('data'), at: fc.nat(), change: valueChange }),
  fc.record({ does: fc.constantFrom('lose', 'double', 'swap'), at: fc.nat() }),
);
type EventChange = typeof eventChange extends fc.Arbitrary<infer T> ? T : never;

/** A stream that stands still is given up soon; a whole one has all the time that a busy machine takes. */
const [shortMs, patientMs] = [30, 10_000];

const damagedAnswer = fc.record({
  parts: fc.array(part, { maxLength: 4 }),
  ways: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...gatewayWays]) },
  ),
  events: fc.array(eventChange, { maxLength: 3 }),
  bytes: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(byteChange, { maxLength: 3 }) },
  ),
  splits,
  end: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('end', 'end', 'drop') },
    { weight: 1, arbitrary: fc.constant('stall') },
  ),
});
type DamagedAnswer = typeof damagedAnswer extends fc.Arbitrary<infer T> ? T : never;

async function surviveStreams(standIn: StandIn, answers: readonly DamagedAnswer[]): Promise<void> {
  const workspace = new TestWorkspace();
  const window = workspace.open();
  try {
    await surviveIn(workspace, window, standIn, answers);
  } finally {
    // Ten thousand open databases are more files than a process may have.
    window.close();
    rmSync(workspace.folder, { recursive: true, force: true });
  }
}

async function surviveIn(
  workspace: TestWorkspace,
  { memory }: TestWindow,
  standIn: StandIn,
  answers: readonly DamagedAnswer[],
): Promise<void> {
  standIn.reset();
  standIn.script(...answers.map((answer) => (request: ClaudeRequest) => damage(request, answer)));
  standIn.mind(reply(text('Whole again.')));
  const logged: string[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    // That a turn failed is no failure of ours.
    error: (line: string) => !line.startsWith('failed kind=') && logged.push(line),
  };
  const assistant = createAssistant({ memory, clock: () => workspace.now, ids: counter(), log });

  const ask = async (question: string, idleTimeoutMs: number): Promise<AgentEvent[]> => {
    const { events } = assistant.answer(
      {
        conversationId: 'workspace',
        model: createClaude({ apiKey: async () => 'sk-ant-fuzz', baseUrl: standIn.url, idleTimeoutMs }),
        modelId: 'claude-sonnet-5-5',
        system: [{ type: 'text', text: 'Be kind.' }],
        tools: [tool('read_file', () => ({ content: 'read' }))],
        userContent: question,
        maxRounds: 4,
        yieldRequested: () => false,
        wait: async () => undefined,
        random: () => 0,
      },
      new AbortController().signal,
    );
    const all: AgentEvent[] = [];
    for await (const event of events) all.push(event);
    return all;
  };

  const events = await ask('first?', shortMs);
  const last = events.at(-1);
  assert.equal(last?.type, 'turn-end', 'a turn ends with its end');
  if (last.end.reason === 'failed') {
    const { kind, message } = last.end.error;
    assert.notEqual(kind, 'unexpected', `a bug of ours: ${message}`);
    assert.doesNotMatch(
      message,
      /Cannot read|not a function|not iterable|not a constructor/,
      'words for people',
    );
  }
  // Ours decide, the SDK retries nothing: four rounds, each with a few tries.
  assert.ok(standIn.journal.messages.length <= 20, `${standIn.journal.messages.length} requests`);
  assertOnlyThinkingRefused(standIn);
  assert.deepEqual(logged, []);

  const isKept = last.messages.length > 0;
  const history = memory.forConversation('workspace').history();
  assert.equal(history.length > 0, isKept, 'what is reported is what is remembered');
  standIn.reset();
  const next = (await ask('second?', patientMs)).at(-1);
  assert.ok(next?.type === 'turn-end');
  assert.deepEqual([next.end.reason, standIn.journal.messages.length], ['answered', 1], 'the next turn');
  assert.deepEqual(
    workspace.logged.filter((line) => line.includes('failed')),
    [],
  );
}

/** Thinking that was damaged on its way cannot be told from whole thinking, except by the API: then it leaves. */
function assertOnlyThinkingRefused({ journal }: StandIn): void {
  const problems = journal.refused.map(({ outcome }) => outcome.problem?.message ?? 'unexpected');
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('thinking')),
    [],
  );
}

function damage(request: ClaudeRequest, answer: DamagedAnswer): Reply {
  const { parts, ways, events, bytes, splits: places, end } = answer;
  const model = findModel(request.model);
  assert.ok(model);
  const usage = { input: 10, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  const steps = [...renderReply({ request, model, usage, parts, id: 'msg_fuzz', diagnostics: null })];
  const whole = steps.filter((step): step is WireEvent => step.kind === 'event');
  const wire = [...throughGateway(changeEvents(whole, events), ways)].map(wireBytes).join('');
  return rawStream(splitBytes(changeBytes(new TextEncoder().encode(wire), bytes), places), end);
}

function wireBytes(step: Step): string {
  if (step.kind === 'event') return wireForm(step);
  return step.kind === 'raw' ? String(step.bytes) : '';
}

function changeEvents(events: readonly WireEvent[], changes: readonly EventChange[]): readonly WireEvent[] {
  let changed = [...events];
  for (const change of changes) {
    const at = change.at % Math.max(1, changed.length);
    const event = changed[at];
    if (!event) continue;
    if (change.does === 'data')
      changed = changed.with(at, { ...event, data: changeValue(event.data, [change.change]) });
    if (change.does === 'lose') changed = changed.toSpliced(at, 1);
    if (change.does === 'double') changed = changed.toSpliced(at, 0, event);
    const other = changed[at + 1];
    if (change.does === 'swap' && other) changed = changed.with(at, other).with(at + 1, event);
  }
  return changed;
}

function counter(): () => string {
  let count = 0;
  return () => `turn-${++count}`;
}
