import type { AgentEvent } from '../../../src/core/agent/events';
import { createAssistant, type AssistantRequest } from '../../../src/core/assistant';
import type { Model, ModelRequest, Wait } from '../../../src/core/ports';
import type { TestWindow, TestWorkspace } from './testWorkspace';

/** Retries come at once, but nothing ever takes too long. */
export const patientWait: Wait = (ms, signal) =>
  ms < 60_000
    ? Promise.resolve()
    : new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });

/** The assistant on a window of a test, with summaries. */
export function summarizingAssistant(workspace: TestWorkspace, { memory }: TestWindow) {
  let ids = 0;
  const assistant = createAssistant({
    memory,
    clock: () => workspace.now,
    ids: () => `turn-${++ids}`,
    log: {
      info: (line) => workspace.logged.push(line),
      warn: (line) => workspace.logged.push(line),
      error: (line) => workspace.logged.push(line),
    },
    summaries: { limits: () => workspace.limits, modelId: 'claude-haiku-5-5' },
  });
  return async (
    model: Model,
    more: Partial<AssistantRequest> = {},
    signal = new AbortController().signal,
  ): Promise<readonly AgentEvent[]> => {
    workspace.now += 1_000;
    const request: AssistantRequest = {
      conversationId: 'workspace',
      model,
      modelId: 'claude-sonnet-5-5',
      system: [],
      tools: [],
      userContent: `question ${ids + 1}`,
      maxRounds: 25,
      yieldRequested: () => false,
      wait: patientWait,
      random: () => 0,
      ...more,
    };
    const events: AgentEvent[] = [];
    for await (const event of assistant.answer(request, signal).events) events.push(event);
    return events;
  };
}

/** Whether a request is the one that summarizes. */
export function isSummaryRequest({ system }: Pick<ModelRequest, 'system'>): boolean {
  return system.some(({ text }) => text.includes('running summary'));
}

/** The one message of a request that summarizes. */
export function toldIn(request: ModelRequest | undefined): string {
  const content = request?.messages.length === 1 ? request.messages[0]?.content : undefined;
  if (typeof content !== 'string') throw new Error('This is no request for a summary.');
  return content;
}
