import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { validateRequest } from '../../../support/claude/validateRequest';

describe('validateRequest', () => {
  it('accepts a plain question', () => {
    const body = {
      model: 'claude-opus-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
    };
    assert.equal(validateRequest(body), undefined);
  });

  it('refuses what the API does not know, by its place', () => {
    const body = {
      model: 'claude-opus-5-5',
      max_tokens: 100,
      temperature: 1,
      messages: [{ role: 'user', content: 'Hello' }],
    };
    assert.deepEqual(validateRequest(body), {
      status: 400,
      type: 'invalid_request_error',
      message: 'temperature: Extra inputs are not permitted',
    });
  });

  it('has an opinion on whatever it is given, and never fails itself', () => {
    const odd = fc.jsonValue({ maxDepth: 3 });
    const block = fc.record(
      {
        type: fc.constantFrom('text', 'image', 'tool_use', 'tool_result', 'thinking', 'document', 'odd'),
        text: odd,
        id: odd,
        tool_use_id: odd,
        content: odd,
        input: odd,
        source: odd,
        signature: fc.string(),
        thinking: fc.string(),
        cache_control: odd,
      },
      { requiredKeys: ['type'] },
    );
    const request = fc.record(
      {
        model: fc.constantFrom('claude-opus-5-5', 'claude-haiku-4-5', 'nobody'),
        max_tokens: fc.oneof(fc.integer(), odd),
        messages: fc.array(
          fc.record({
            role: fc.constantFrom('user', 'assistant', 'system'),
            content: fc.oneof(fc.string(), fc.array(block), odd),
          }),
        ),
        tools: fc.oneof(fc.array(fc.record({ name: fc.string(), input_schema: odd })), odd),
        system: odd,
        thinking: odd,
      },
      { requiredKeys: ['model', 'max_tokens', 'messages'] },
    );
    fc.assert(
      fc.property(fc.oneof(odd, request), (body) => {
        const problem = validateRequest(body);
        assert.ok(problem === undefined || (problem.status >= 400 && problem.message.length > 0));
      }),
      { numRuns: 500 },
    );
  });
});
