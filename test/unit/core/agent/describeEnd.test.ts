import assert from 'node:assert/strict';
import {
  closingSentence,
  describeEnd,
  describeError,
  describeWait,
} from '../../../../src/core/agent/describeEnd';
import type { TurnEnd } from '../../../../src/core/agent/events';
import { ModelError, type ModelErrorKind } from '../../../../src/core/errors';
import { inLanguage } from '../../../support/inLanguage';

const kinds: readonly ModelErrorKind[] = [
  'no-key',
  'rejected-key',
  'forbidden',
  'no-credit',
  'unknown-model',
  'unreachable',
  'not-claude',
  'rate-limited',
  'overloaded',
  'server-error',
  'dropped',
  'stalled',
  'too-long',
  'too-large',
  'bad-request',
  'unexpected',
];

describe('describeError', () => {
  it('L8: has its own sentence for each kind of failure', () => {
    const sentences = kinds.map((kind) => describeError(new ModelError(kind, 'words of the API')).text);
    assert.equal(new Set(sentences).size, kinds.length);
  });

  it('L8: offers the button that helps', () => {
    const remedies = kinds.map((kind) => describeError(new ModelError(kind, '')).remedy);
    assert.deepEqual(remedies, [
      'set-api-key',
      'set-api-key',
      'set-api-key',
      'set-api-key',
      'choose-model',
      'open-settings',
      'open-settings',
      'retry',
      'retry',
      'retry',
      'retry',
      'retry',
      'choose-model',
      undefined,
      'show-log',
      'show-log',
    ]);
  });

  it('L7: adds the request id, and how long to wait', () => {
    const error = new ModelError('rate-limited', '', { retryAfterMs: 600_000, requestId: 'req_1' });
    assert.equal(
      describeError(error).text,
      'The rate limit of this API key is reached. Try again in 10 min. (Request req_1)',
    );
  });

  it('L8: has no request id where nobody but the person has to do something', () => {
    const error = new ModelError('rejected-key', '', { requestId: 'req_1' });
    assert.equal(describeError(error).text, 'Claude rejected the API key. Set a valid one, then ask again.');
  });

  it('L8: adds what a gateway said, and does not call it Claude', () => {
    const said = { gatewayMessage: 'No route to [key]', status: 502, requestId: 'req_1' };
    assert.equal(
      describeError(new ModelError('server-error', '', said)).text,
      'A gateway or proxy failed. Try again. It answered with status 502: “No route to [key]” (Request req_1)',
    );
    assert.equal(
      describeError(new ModelError('not-claude', '', { ...said, status: 400 })).text,
      'Something other than Claude answered. Check assistant.baseUrl and the proxy. ' +
        'It answered with status 400: “No route to [key]” (Request req_1)',
    );
    assert.equal(
      describeWait(new ModelError('server-error', '', said), 1_000),
      'A gateway or proxy failed. It answered with status 502: “No route to [key]” Asking again in 1 s…',
    );
    const silent = { gatewayMessage: '', status: 502 };
    assert.equal(
      describeError(new ModelError('server-error', '', silent)).text,
      'A gateway or proxy failed. Try again. It answered with status 502.',
    );
  });

  it('P8: speaks the language of the person', () => {
    const english = describeError(new ModelError('rejected-key', '')).text;
    const german = { [english]: 'Schlüssel abgelehnt.' };
    const said = inLanguage(german, () => describeError(new ModelError('rejected-key', '')).text);
    assert.equal(said, 'Schlüssel abgelehnt.');
  });
});

describe('describeEnd', () => {
  it('says nothing where the answer or the person says it', () => {
    const quiet: readonly TurnEnd[] = [
      { reason: 'answered' },
      { reason: 'cancelled' },
      { reason: 'yielded' },
    ];
    assert.deepEqual(
      quiet.map((end) => describeEnd(end)),
      [undefined, undefined, undefined],
    );
  });

  it('L5: offers to go on after a bound', () => {
    const bounds: readonly TurnEnd[] = [
      { reason: 'round-limit', rounds: 25 },
      { reason: 'loop', tool: 'read_file' },
      { reason: 'output-limit' },
    ];
    assert.deepEqual(
      bounds.map((end) => describeEnd(end)),
      [
        { text: 'Stopped after 25 tool rounds (assistant.maxRounds).', remedy: 'continue' },
        {
          text: 'Stopped, because read_file was called three times in a row with the same result.',
          remedy: 'continue',
        },
        {
          text: 'The answer reached the output limit. assistant.maxOutputTokens can be raised.',
          remedy: 'continue',
        },
      ],
    );
  });

  it('L14: says what was spent of which limit, and offers to go beyond it', () => {
    const stop = { amount: 5, spent: 0.25, spentToday: 4.9, next: 0.125, likely: 0.12 };
    const ends: readonly TurnEnd[] = [
      { reason: 'budget', isHeld: false, stop: { ...stop, limit: 'turn' } },
      { reason: 'budget', isHeld: false, stop: { ...stop, limit: 'day' } },
      { reason: 'budget', isHeld: true, stop: { ...stop, spent: 0, limit: 'day', likely: 0.02 } },
      { reason: 'budget', isHeld: true, stop: { ...stop, limit: 'turn' } },
    ];
    assert.deepEqual(
      ends.map((end) => describeEnd(end)),
      [
        {
          text: 'Stopped after $0.2500: the next request can take $0.1250 or more, and one turn may take $5.00 (assistant.budget.turn). Continue goes beyond it, this once.',
          remedy: 'continue-beyond',
        },
        {
          text: 'Stopped after $0.2500: the next request can take $0.1250 or more, and of the $5.00 for a day in this workspace $4.90 are spent or held (assistant.budget.day). Continue goes beyond it, this once.',
          remedy: 'continue-beyond',
        },
        {
          text: 'Not sent: this can take $0.1250 or more, and of the $5.00 for a day in this workspace $4.90 are spent or held (assistant.budget.day). With what should be cached it is about $0.0200, but the cache can be gone. Continue sends it anyway, this once.',
          remedy: 'retry-beyond',
        },
        {
          text: 'Stopped after $0.2500: the next request can take $0.1250 or more, and one turn may take $5.00 (assistant.budget.turn). Continue sends it anyway, this once.',
          remedy: 'retry-beyond',
        },
      ],
    );
  });

  it('F12: says a refusal and an empty answer plainly', () => {
    assert.equal(
      describeEnd({ reason: 'refused', explanation: 'Too risky.' })?.text,
      'Claude declined to answer this: Too risky.',
    );
    assert.equal(
      describeEnd({ reason: 'refused' })?.text,
      'Claude declined to answer this. Another model, or other words, may help.',
    );
    assert.equal(describeEnd({ reason: 'empty' })?.text, 'Claude sent an empty answer.');
  });

  it('M7: has a closing sentence for every end short of an answer', () => {
    const error = new ModelError('dropped', '');
    const ends: readonly TurnEnd[] = [
      { reason: 'cancelled' },
      { reason: 'yielded' },
      { reason: 'round-limit', rounds: 2 },
      { reason: 'loop', tool: 'x' },
      { reason: 'output-limit' },
      {
        reason: 'budget',
        isHeld: false,
        stop: { limit: 'day', amount: 5, spent: 1, spentToday: 4.5, next: 1, likely: 1 },
      },
      { reason: 'refused' },
      { reason: 'empty' },
      { reason: 'failed', error },
    ];
    assert.equal(new Set(ends.map(closingSentence)).size, ends.length);
  });
});
