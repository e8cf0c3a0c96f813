import assert from 'node:assert/strict';
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
});
