import { createClaude } from '../../src/claude/client';
import { summarizeTurns } from '../../src/core/agent/summarizeTurns';
import { createSystemPrompt } from '../../src/core/agent/systemPrompt';
import type { MemoryLimits } from '../../src/core/conversation/view';
import { addUsage, noUsage, type Usage } from '../../src/core/messages';
import type { JournalEntry } from './claude/journal';
import type { ClaudeRequest } from './claude/request';
import { reply, text, thinking, toolUse, type Scripted } from './claude/script';
import type { StandIn } from './claude/standIn';
import { patientWait, summarizingAssistant } from './conversation/summaries';
import { TestWorkspace, type TestWindow } from './conversation/testWorkspace';
import { tool } from './turns';

export interface LongSession {
  readonly window: TestWindow;
  /** What each turn took, with the summary that was made for it. */
  readonly usages: readonly Usage[];
  /** What each turn found of the history in its first request, in reported tokens. */
  readonly historyTokens: readonly number[];
  readonly folds: readonly JournalEntry[];
  readonly cost: number;
}

/** A working session over HTTP with the real memory: each turn reads a large file and answers. */
export async function runLongSession(
  standIn: StandIn,
  options: {
    readonly turns: number;
    readonly limits: Partial<MemoryLimits>;
    readonly resultChars: (turn: number) => number;
    /** Summarizes turn by turn, as soon as one is over the limits: for comparison. */
    readonly summarizesSingly?: boolean;
  },
): Promise<LongSession> {
  const workspace = new TestWorkspace();
  workspace.limits = { ...workspace.limits, ...options.limits };
  const window = await workspace.reopen();
  const ask = summarizingAssistant(workspace, window);
  const model = createClaude({ apiKey: () => Promise.resolve('sk-ant-long'), baseUrl: standIn.url });
  standIn.mind(readsThenAnswers);
  const usages: Usage[] = [];
  const historyTokens: number[] = [];
  let alone = 0;
  let extra = noUsage;
  for (let turn = 1; turn <= options.turns; turn++) {
    const evicted = window.chat.evicted();
    if (options.summarizesSingly && evicted.length > 0) {
      const summarizing = summarizeTurns(
        window.chat,
        evicted,
        {
          model,
          modelId: 'claude-haiku-5-5',
          fallbackModelId: 'claude-sonnet-5-5',
          limits: workspace.limits,
          wait: patientWait,
          random: () => 0,
        },
        new AbortController().signal,
      );
      for (let step = await summarizing.next(); ; step = await summarizing.next()) {
        if (!step.done) continue;
        extra = addUsage(extra, step.value.usage);
        break;
      }
    }
    const before = standIn.journal.messages.length;
    const events = await ask(model, {
      // Always as long, so that what is left of a request's tokens is its history.
      userContent: `Question ${String(turn).padStart(3, '0')}: what does this part of the shop do?`,
      system: createSystemPrompt({ folders: ['shop'], platform: 'linux' }),
      tools: [
        tool('read_file', () => ({
          content: `part ${turn} `.repeat(Math.ceil(options.resultChars(turn) / 7)),
        })),
      ],
    });
    const end = events.at(-1);
    if (end?.type !== 'turn-end' || end.end.reason !== 'answered')
      throw new Error(`turn ${turn} ended as ${JSON.stringify(end)}`);
    usages.push(end.usage);
    const first = standIn.journal.messages.slice(before).find((entry) => !isFold(entry));
    const tokens = inputTokens(first);
    if (turn === 1) alone = tokens;
    historyTokens.push(tokens - alone);
  }
  const cost = usages.reduce(addUsage, extra).cost ?? 0;
  return { window, usages, historyTokens, folds: standIn.journal.messages.filter(isFold), cost };
}

/** What a summary says in these sessions. */
export const sessionSummary = `They talked about parts of the shop. ${'Part n takes orders. '.repeat(40)}`;

const readsThenAnswers: Scripted = (request) => {
  if (isSummary(request)) return reply(text(sessionSummary));
  const last = request.messages.at(-1)?.content;
  const hasResult = typeof last === 'object' && last.some(({ type }) => type === 'tool_result');
  return hasResult
    ? reply(thinking('That is enough.'), text('This part takes orders and hands them on. '.repeat(12)))
    : reply(thinking('A closer look.'), toolUse('read_file', { path: 'part.ts' }));
};

function isFold({ body }: JournalEntry): boolean {
  return isSummary(body as ClaudeRequest);
}

function isSummary({ system }: ClaudeRequest): boolean {
  return JSON.stringify(system ?? '').includes('running summary');
}

export function inputTokens(entry: JournalEntry | undefined): number {
  const usage = entry?.outcome.usage;
  if (!usage) throw new Error('There was no such request, or it was not answered.');
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}
