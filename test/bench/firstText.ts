import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { createClaude } from '../../src/claude/client';
import { createSystemPrompt } from '../../src/core/agent/systemPrompt';
import { createAssistant, type AssistantRequest } from '../../src/core/assistant';
import type { ConversationMemory } from '../../src/core/conversation/memory/memory';
import { reply, text } from '../support/claude/script';
import { startStandIn } from '../support/claude/standIn';
import { sessionTools } from '../support/session';
import { benchConversation, createBenchWorkspace, silent } from './benchWorkspace';
import { median } from './median';

/** Milliseconds until the first text is out. On a busy machine the medians are mostly those of the other processes. */
export interface FirstTextTimes {
  /** So long Claude takes by itself. */
  readonly waitMs: number;
  readonly best: { readonly bare: number; readonly ours: number };
  readonly median: { readonly bare: number; readonly ours: number };
}

/** Runs that only load and warm the code of both sides. */
const warmUps = 5;

/**
 * Our whole path, from the person's message through memory, prompt, SDK and HTTP to the first text event, against the
 * SDK's bare event stream with the very same request: ten remembered turns and all tools. The sides take turns.
 */
export async function measureFirstText(waitMs: number, runs: number): Promise<FirstTextTimes> {
  const standIn = await startStandIn({
    mind: async () => {
      if (waitMs > 0) await sleep(waitMs);
      return reply(text('Here ', 'it ', 'is.'));
    },
  });
  const workspace = createBenchWorkspace();
  try {
    const window = workspace.open();
    for (let turn = 1; turn <= 10; turn++) await window.save(`turn-${turn}`);
    const ours = ourSide(standIn.url, window.memory, workspace.clock);
    await ours();
    const [first] = standIn.journal.messages;
    const bare = bareSide(standIn.url, first?.body as Anthropic.MessageCreateParamsStreaming);
    const times: { bare: number[]; ours: number[] } = { bare: [], ours: [] };
    for (let run = -warmUps; run < runs; run++) {
      const spent = { bare: await bare(), ours: await ours() };
      if (run < 0) continue;
      times.bare.push(spent.bare);
      times.ours.push(spent.ours);
    }
    for (const { bodyText } of standIn.journal.messages) assert.equal(bodyText, first?.bodyText);
    return {
      waitMs,
      best: { bare: Math.min(...times.bare), ours: Math.min(...times.ours) },
      median: { bare: median(times.bare), ours: median(times.ours) },
    };
  } finally {
    workspace.remove();
    await standIn.close();
  }
}

/** Each leaves at its first text and gives the time until then; a turn that is left there changes no memory. */
type Side = () => Promise<number>;

function ourSide(baseUrl: string, memory: ConversationMemory, clock: () => number): Side {
  const model = createClaude({ apiKey: () => Promise.resolve('sk-ant-bench'), baseUrl });
  const assistant = createAssistant({ memory, clock, ids: () => `turn-${clock()}`, log: silent });
  return async () => {
    const start = performance.now();
    const request: AssistantRequest = {
      conversationId: benchConversation,
      model,
      modelId: 'claude-sonnet-5-5',
      system: createSystemPrompt({ folders: ['shop'], platform: 'linux' }),
      tools: sessionTools,
      userContent: 'How does the shop work?',
      maxRounds: 25,
      yieldRequested: () => false,
      wait: () => Promise.resolve(),
      random: () => 0,
    };
    for await (const event of assistant.answer(request, new AbortController().signal).events) {
      if (event.type === 'text-delta') return performance.now() - start;
    }
    throw new Error('no text came');
  };
}

function bareSide(baseURL: string, request: Anthropic.MessageCreateParamsStreaming): Side {
  const client = new Anthropic({ authToken: 'sk-ant-bench', apiKey: null, baseURL, maxRetries: 0 });
  return async () => {
    const start = performance.now();
    for await (const event of await client.messages.create(request)) {
      if (event.type === 'content_block_delta') return performance.now() - start;
    }
    throw new Error('no text came');
  };
}
