import assert from 'node:assert/strict';
import { ModelError } from '../../src/core/errors';

describe('ModelError', () => {
  it('is not retried unless said so', () => {
    assert.equal(new ModelError('rejected-key', 'invalid x-api-key').isRetryable, false);
  });
});
