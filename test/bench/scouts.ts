import { createClaude } from '../../src/claude/client';
import { detailsOf } from '../../src/claude/models';
import { createCachePace } from '../../src/core/agent/cachePace';
import { createExplore } from '../../src/core/agent/explore';
import { createScoutPrompt, createSystemPrompt } from '../../src/core/agent/systemPrompt';
import type { Message } from '../../src/core/messages';
import type { Model } from '../../src/core/ports';
import { costOf } from '../../src/core/price';
import { jsonBytes } from '../../src/core/text/json';
import type { Tool } from '../../src/core/tools/tool';
import { withoutQuestions } from '../../src/core/tools/unattended';
import { reply, text, toolSearch, toolUse, type Part, type Reply } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { createInMemoryWorkspace } from '../support/inMemoryWorkspace';
import { seededRandom } from '../support/random';
import { sessionTools } from '../support/session';
import { createToolHarness } from '../support/toolHarness';
import { ranTurn, tool } from '../support/turns';
import type { Pauses } from './cost';

const turns = 30;
const usual = { pauses: () => 90_000, keptTurns: 10 };
const main = 'claude-sonnet-5-5';

/** What a session took: dollars for input, and bytes of what is remembered at its end. */
interface Session {
  readonly cost: number;
  readonly history: number;
}

/** Rounds of searching and reading for each question, in this order again and again. */
const rounds = [3, 6, 4, 8, 5];

/**
 * 30 questions about a repository of 5,000 files: what finding the answers costs when Claude searches by itself, and
 * when it sends a scout that makes the very same calls. The workspace and the tools are real, Claude is scripted.
 */
export async function measureScouts(): Promise<{
  readonly cost: number;
  readonly sameModel: number;
  readonly history: number;
}> {
  const { all } = createToolHarness(createInMemoryWorkspace({ files: repository(5_000) }));
  const reading = withoutQuestions(
    all.filter(({ effect }) => effect === 'reads'),
    () => ({ mode: 'ask', rules: [] }),
  );
  const alone = await runQuestions(reading, undefined);
  const cheap = await runQuestions(reading, 'claude-haiku-5-5');
  const same = await runQuestions(reading, main);
  return {
    cost: cheap.cost / alone.cost,
    sameModel: same.cost / alone.cost,
    history: cheap.history / alone.history,
  };
}

/** What 100 foreign tools of 500 tokens each cost when they are deferred, over having them all in sight. */
export interface DeferralFigures {
  readonly deferred: number;
  /** The same session without any foreign tool: it cannot be cheaper than this. */
  readonly floor: number;
}

export interface ForeignSession {
  readonly reads: number;
  readonly pauses: Pauses;
  readonly keptTurns: number;
}

/** By what else is in the session: reports of scouts, or two files that Claude reads for each question. */
export async function measureDeferral(session: ForeignSession): Promise<DeferralFigures> {
  const [deferred, loaded, none] = await Promise.all(
    (['deferred', 'loaded', 'none'] as const).map((how) => runForeign(how, session)),
  );
  return { deferred: over(deferred, loaded), floor: over(none, loaded) };
}

function over(session: Session | undefined, base: Session | undefined): number {
  return (session?.cost ?? Number.NaN) / (base?.cost ?? Number.NaN);
}

function repository(count: number): Record<string, string> {
  const line = (file: number, at: number) =>
    `  const part${at} = await shop.take(order, ${file * at}); // step ${at}`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, file) => [
      `src/area${file % 50}/part${file}.ts`,
      [
        `export async function feature${file % 250}_${file}(shop: Shop): Promise<void> {`,
        ...Array.from({ length: 40 }, (_each, at) => line(file, at)),
        '}',
      ].join('\n'),
    ]),
  );
}

/** One call a part: first searches, then files that they found. */
function searching(question: number): readonly (readonly Part[])[] {
  const length = rounds[question % rounds.length] ?? 1;
  const path = (index: number) => {
    const file = question + 250 * (index % 20);
    return `src/area${file % 50}/part${file}.ts`;
  };
  return Array.from({ length }, (_, round) =>
    round === 0
      ? [
          toolUse('search_text', { pattern: `feature${question}_` }),
          toolUse('find_files', { pattern: `src/area${question}/**` }),
        ]
      : [0, 1].map((call) => toolUse('read_file', { path: path(2 * round + call) })),
  );
}

async function runQuestions(tools: readonly Tool[], scoutModel: string | undefined): Promise<Session> {
  const report = (question: number) =>
    text(
      `Feature ${question} begins in src/area${question}/part${question}.ts:1 and takes orders. `.repeat(10),
    );
  const answer = (question: number) =>
    reply(text(`Feature ${question} takes orders and hands them on. `.repeat(20)));
  const script = (question: number): Reply[] => {
    const work = searching(question).map((parts) => reply(...parts));
    if (scoutModel === undefined) return [...work, answer(question)];
    const send = toolUse('explore', {
      questions: [`How does feature ${question} work, and where does it begin?`],
    });
    return [reply(send), ...work, reply(report(question)), answer(question)];
  };
  return runSession(script, (model) => {
    const explore = createExplore({
      model,
      modelId: scoutModel ?? main,
      fallbackModelId: main,
      system: createScoutPrompt({ folders: ['shop'], platform: 'linux' }),
      tools,
      wait: () => Promise.resolve(),
      random: () => 0,
    });
    // Both have the same on offer, but for the scouts.
    const others = sessionTools.filter(({ name }) => !tools.some((own) => own.name === name));
    return [...tools, ...others, ...(scoutModel === undefined ? [] : [explore])];
  });
}

/** 500 tokens of the newer models. */
const toolChars = 1_540;

/** In every fifth turn one of three tools is used. Where nothing is read, scouts have done that: their reports are short. */
async function runForeign(
  how: 'deferred' | 'loaded' | 'none',
  { reads, pauses, keptTurns }: ForeignSession,
): Promise<Session> {
  const foreign = Array.from({ length: how === 'none' ? 0 : 100 }, (_, index) =>
    tool(`mcp_server_${index}`, () => ({ content: 'done' }), {
      description: `Does thing${index} with a ticket. `.padEnd(
        toolChars - 100,
        'It takes a name and a state. ',
      ),
      ...(how === 'deferred' && { deferral: 'other' as const }),
    }),
  );
  const report = tool('explore', () => ({
    content: 'It begins in src/a.ts:1 and takes orders. '.repeat(30),
  }));
  const script = (question: number): Reply[] => {
    const paths = Array.from({ length: reads }, (_, index) => `src/part${question}/${index}.ts`);
    const look = reads === 0 ? [toolUse('explore', {})] : paths.map((path) => toolUse('read_file', { path }));
    const search = how === 'deferred' ? [toolSearch(`thing${question % 3}`)] : [];
    const isUsed = question % 5 === 0 && how !== 'none';
    const use = isUsed ? [reply(...search, toolUse(`mcp_server_${question % 3}`, { question }))] : [];
    return [reply(...look), ...use, reply(text('It takes orders and hands them on. '.repeat(20)))];
  };
  return runSession(script, () => [...sessionTools, report, ...foreign], { pauses, keptTurns });
}

/** Runs the questions over HTTP with the last ten turns remembered; a minute and a half apart, where nothing is said. */
async function runSession(
  script: (question: number) => readonly Reply[],
  toolsFor: (model: Model) => readonly Tool[],
  { pauses, keptTurns }: Pick<ForeignSession, 'pauses' | 'keptTurns'> = usual,
): Promise<Session> {
  const random = seededRandom(5);
  let now = 0;
  const standIn = await startStandIn({ clock: () => now });
  try {
    let cost = 0;
    const model = counting(standIn, (dollars) => {
      cost += dollars;
      now += 10_000;
    });
    const tools = toolsFor(model);
    const cachePace = createCachePace(() => now);
    let kept: (readonly Message[])[] = [];
    for (let question = 1; question <= turns; question++) {
      standIn.script(...script(question));
      const { end } = await ranTurn({
        model,
        modelId: main,
        system: createSystemPrompt({ folders: ['shop'], platform: 'linux', canRecall: true }),
        tools,
        cachePace,
        history: kept.flat(),
        userContent: `How does feature ${question} of the shop work, and where does it begin?`,
      });
      if (JSON.stringify(end.messages).includes('"is_error":true'))
        throw new Error('A call of the script failed.');
      if (end.end.reason !== 'answered' || standIn.remaining > 0)
        throw new Error(`question ${question} ended as ${JSON.stringify(end.end)}`);
      kept = [...kept, end.messages].slice(-keptTurns);
      now += pauses(random, question);
    }
    if (standIn.journal.refused.length > 0) throw new Error('A request of the session was refused.');
    return { cost, history: jsonBytes(kept.flat()) };
  } finally {
    await standIn.close();
  }
}

function counting(standIn: StandIn, onInput: (dollars: number) => void): Model {
  const model = createClaude({ apiKey: () => Promise.resolve('sk-ant-bench'), baseUrl: standIn.url });
  return {
    async *stream(request, signal) {
      const { price } = detailsOf(request.model);
      if (!price) throw new Error(`${request.model} has no price.`);
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'answer')
          onInput(costOf({ ...event.answer.usage, output: 0, cacheWriteHour: 0 }, price));
        yield event;
      }
    },
  };
}
