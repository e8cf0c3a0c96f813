import { createClaude } from '../../src/claude/client';
import { createCachePace } from '../../src/core/agent/cachePace';
import type { SentWith } from '../../src/core/agent/meter';
import { createSystemPrompt } from '../../src/core/agent/systemPrompt';
import type { CacheTtl } from '../../src/core/cacheTtl';
import type { Message, Usage } from '../../src/core/messages';
import type { Clock, Model } from '../../src/core/ports';
import { createRecallTool } from '../../src/core/tools/recall';
import type { Tool } from '../../src/core/tools/tool';
import { reply, text, thinking, toolUse, type Reply } from './claude/script';
import type { StandIn } from './claude/standIn';
import { ranTurn, tool } from './turns';

export interface SessionOptions {
  readonly turns: number;
  /** Rounds of tool calls in each turn; of a list one after another, again and again. */
  readonly rounds: number | readonly number[];
  /** Tool calls in each round. */
  readonly calls?: number;
  readonly keptTurns: number;
  readonly eviction: 'oldest' | 'half';
  readonly context?: string;
  readonly isThinking?: boolean;
  /** Claude may look into earlier conversations. */
  readonly canRecall?: boolean;
}

/** How time passes in a session: between its requests, and while the person is about something else. */
export interface SessionTime {
  readonly now: Clock;
  round(): void;
  pause(): void;
}

/** Looks on at a session. */
export interface SessionWatcher {
  readonly watch: (model: Model) => Model;
  /** What the next message stands after, and how long tools and system would be kept; then what it is sent with. */
  readonly beforeTurn: (history: readonly Message[], sent: SentWith, systemTtl: CacheTtl) => void;
}

/** After so long without a message the conversation has ended (M2). */
const conversationTimeoutMs = 1_800_000;
const noTime: SessionTime = { now: () => 0, round: () => undefined, pause: () => undefined };

/** The usage of every request, by turn. */
export type SessionUsage = readonly (readonly Usage[])[];

/** A scripted working session over HTTP: each turn reads a few files, thinks and answers; memory keeps whole turns. */
export async function runSession(
  standIn: StandIn,
  options: SessionOptions,
  time: SessionTime = noTime,
  watcher?: SessionWatcher,
): Promise<SessionUsage> {
  const claude = createClaude({ apiKey: () => Promise.resolve('sk-ant-session'), baseUrl: standIn.url });
  const model = watcher?.watch(claude) ?? claude;
  const cachePace = createCachePace(time.now);
  const session: Usage[][] = [];
  let kept: (readonly Message[])[] = [];
  for (let turn = 1; turn <= options.turns; turn++) {
    const lastActive = time.now();
    if (turn > 1) time.pause();
    if (time.now() - lastActive > conversationTimeoutMs) kept = [];
    standIn.script(...turnScript(turn, options));
    const usages: Usage[] = [];
    const context = options.context ? `${options.context} ${turn}` : undefined;
    const sent = {
      modelId: 'claude-sonnet-5-5',
      system: createSystemPrompt({
        folders: ['shop'],
        platform: 'linux',
        canRecall: options.canRecall ?? true,
      }),
      tools: options.canRecall === false ? sessionTools : [...sessionTools, recall],
    };
    const history = kept.flat();
    watcher?.beforeTurn(
      history,
      { ...sent, context, notes: undefined, plan: undefined },
      cachePace.peekTtl(),
    );
    const { end } = await ranTurn({
      ...sent,
      model: noting(model, usages, time),
      cachePace,
      history,
      userContent: `Question ${turn}: how does part ${turn} of the shop work, and what would you change about it?`,
      ...(context !== undefined && { context }),
    });
    if (end.end.reason !== 'answered') throw new Error(`turn ${turn} ended as ${JSON.stringify(end.end)}`);
    session.push(usages);
    kept = evict([...kept, end.messages], options);
  }
  return session;
}

/** How much of the input was read from the cache, and what it cost against no cache at all. */
export function cacheFigures(usages: readonly Usage[]): {
  readonly readShare: number;
  readonly costRatio: number;
} {
  let [read, write, plain] = [0, 0, 0];
  for (const usage of usages) {
    read += usage.cacheRead;
    write += usage.cacheWrite;
    plain += usage.input;
  }
  const total = read + write + plain;
  return { readShare: read / total, costRatio: (plain + 1.25 * write + 0.1 * read) / total };
}

function evict(
  turns: (readonly Message[])[],
  { keptTurns, eviction }: SessionOptions,
): (readonly Message[])[] {
  if (turns.length <= keptTurns) return turns;
  return eviction === 'oldest' ? turns.slice(-keptTurns) : turns.slice(-Math.ceil(keptTurns / 2));
}

function turnScript(turn: number, options: SessionOptions): Reply[] {
  const { rounds, calls = 2, isThinking = true } = options;
  const thoughts = (thought: string) => (isThinking ? [thinking(thought)] : []);
  const length = typeof rounds === 'number' ? rounds : (rounds[turn % rounds.length] ?? 0);
  const working = Array.from({ length }, (_, round) =>
    reply(
      ...thoughts(`Part ${turn} needs a closer look, step ${round}.`),
      ...Array.from({ length: calls }, (_each, call) =>
        toolUse('read_file', { path: `part${turn}/${round}-${call}.ts` }),
      ),
    ),
  );
  const answer = `Part ${turn} takes orders and hands them on. `.repeat(12);
  return [...working, reply(...thoughts('That is enough.'), text(answer))];
}

function noting(model: Model, usages: Usage[], time: SessionTime): Model {
  return {
    async *stream(request, signal) {
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'answer') usages.push(event.answer.usage);
        yield event;
      }
      time.round();
    },
  };
}

const names = [
  'read_file',
  'list_directory',
  'find_files',
  'search_text',
  'get_diagnostics',
  'get_symbols',
  'get_changes',
  'edit_file',
  'create_file',
  'rename_file',
  'delete_file',
  'ask_user',
  'remember',
  'forget',
];

const recall = createRecallTool({ find: async () => [], whole: async () => '' });

/** As many as the extension has, with descriptions as long as theirs. */
export const sessionTools: readonly Tool[] = names.map((name) =>
  tool(
    name,
    ({ input }) => ({
      content: `${JSON.stringify(input)}\n${'const order = await shop.take(basket);\n'.repeat(40)}`,
    }),
    {
      description: `${name} works on the files of the workspace. `.repeat(12),
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Relative to the workspace folder, with forward slashes.' },
        },
        required: ['path'],
      },
    },
  ),
);
