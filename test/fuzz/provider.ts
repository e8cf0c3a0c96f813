import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { providerAnswer, createThinkingCache } from '../../src/core/agent/providerAnswer';
import { toBase64 } from '../../src/core/media';
import type { ContentBlock, ImageBlock, Message, TextBlock } from '../../src/core/messages';
import { png } from '../support/claude/sampleImages';
import { tool } from '../support/turns';
import { strictModel } from './strictModel';
import { fuzzTarget, type FuzzTarget } from './target';

/** Histories of VS Code's agent and of other extensions: cut anywhere, with calls and results that do not fit. */
export function providerTarget(): FuzzTarget {
  return fuzzTarget({ name: 'provider', share: 10, input: request, holds: answer });
}

const text = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('', ' ', '\n', '\ud800', 'words'))
  .map((value): TextBlock => ({ type: 'text', text: value }));

const image = fc
  .constantFrom(toBase64(png(3, 2)), toBase64(png(2500, 1)), 'AAAA', '')
  .map((data): ImageBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/gif', data } }));

/** Few, so that they meet. */
const id = fc.constantFrom('a', 'b', 'c', 'd');

const call = fc
  .record({ id, input: fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })) })
  .map(({ id: of, input }): ContentBlock => ({ type: 'tool_use', id: of, name: 'look', input }));

const result = fc
  .record({ id, content: fc.array(fc.oneof(text, image), { maxLength: 3 }) })
  .map(({ id: of, content }): ContentBlock => ({ type: 'tool_result', tool_use_id: of, content }));

const message = fc
  .record({
    role: fc.constantFrom('user', 'assistant'),
    content: fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.array(fc.oneof(text, image, call, result), { maxLength: 6 }),
    ),
  })
  .map((entry): Message => entry);

const request = fc.record({
  messages: fc.array(message, { maxLength: 12 }),
  hasTools: fc.boolean(),
});

async function answer({
  messages,
  hasTools,
}: {
  messages: readonly Message[];
  hasTools: boolean;
}): Promise<void> {
  const model = strictModel();
  const options = {
    model,
    thinking: createThinkingCache(),
    wait: () => Promise.resolve(),
    random: () => 0,
  };
  const tools = hasTools ? [tool('look', () => ({ content: '' }))] : [];
  const asked = { modelId: 'claude-sonnet-5-5', system: [], tools, messages };
  let said = '';
  for await (const event of providerAnswer(asked, options, new AbortController().signal)) {
    if (event.type === 'text-delta') said += event.text;
  }
  assert.deepEqual(model.refusals, []);
  assert.equal(said, 'Done.');
}
