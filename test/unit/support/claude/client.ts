import Anthropic from '@anthropic-ai/sdk';
import type { StandIn } from '../../../support/claude/standIn';

/** The real SDK, talking to the stand-in, with nothing that would hide a failure. */
export function clientOf(standIn: Pick<StandIn, 'url'>, apiKey = 'sk-ant-test-0123456789'): Anthropic {
  return new Anthropic({ baseURL: standIn.url, apiKey, maxRetries: 0, openTelemetry: false });
}

/** A small question, to be spread into a request. */
export const hello = {
  model: 'claude-opus-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Hello' }],
} satisfies Anthropic.MessageCreateParamsNonStreaming;

export const readFileTool = {
  name: 'read_file',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
} satisfies Anthropic.Tool;
