import assert from 'node:assert/strict';
import { describeRules } from './describeRules';

const useAdaptive = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

describeRules('models', ({ accepts, refuses, ask }) => {
  it('does not find a model that does not exist, or no longer', async () => {
    assert.equal(await ask({ model: 'claude-9' }), '404 not_found_error: model: claude-9');
    assert.equal(await ask({ model: 'claude-opus-4-1' }), '404 not_found_error: model: claude-opus-4-1');
  });
  accepts('the largest answer', { max_tokens: 128_000 });
  refuses(
    'a larger one',
    { max_tokens: 128_001 },
    'max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-5-5',
  );
  refuses(
    'none at all in a stream',
    { max_tokens: 0 },
    'max_tokens: Input should be greater than or equal to 1',
  );
  refuses(
    'thinking switched off where it is always on',
    { thinking: { type: 'disabled' } },
    `"thinking.type.disabled" is not supported for this model. ${useAdaptive}`,
  );
  refuses(
    'thinking switched off on Sonnet 5.5',
    { model: 'claude-sonnet-5-5', thinking: { type: 'disabled' } },
    `"thinking.type.disabled" is not supported for this model. ${useAdaptive}`,
  );
  accepts('thinking between tools on Sonnet 5.5', {
    model: 'claude-sonnet-5-5',
    thinking: { type: 'between_tools' },
  });
  accepts('thinking switched off on Haiku 5.5', {
    model: 'claude-haiku-5-5',
    thinking: { type: 'disabled' },
  });
  refuses(
    'thinking on a budget',
    { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    `"thinking.type.enabled" is not supported for this model. ${useAdaptive}`,
  );
  accepts('thinking on a budget on 4.5', {
    model: 'claude-haiku-4-5',
    max_tokens: 4000,
    thinking: { type: 'enabled', budget_tokens: 2000 },
  });
  refuses(
    'adaptive thinking on 4.5',
    { model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } },
    'adaptive thinking is not supported on this model',
  );
  refuses(
    'an effort that the model does not know',
    { model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } },
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
  );
  accepts('an effort that it knows', { model: 'claude-opus-4-7', output_config: { effort: 'xhigh' } });
  refuses(
    'high effort without thinking on Opus 5',
    { model: 'claude-opus-5', thinking: { type: 'disabled' }, output_config: { effort: 'max' } },
    `"thinking.type.disabled" is not supported with effort level 'max' on this model.`,
  );
  refuses(
    'high effort without thinking on Haiku 5.5',
    { model: 'claude-haiku-5-5', thinking: { type: 'disabled' }, output_config: { effort: 'xhigh' } },
    `"thinking.type.disabled" is not supported with effort level 'xhigh' on this model.`,
  );
  refuses(
    'high effort with thinking between tools only',
    { model: 'claude-sonnet-5-5', thinking: { type: 'between_tools' }, output_config: { effort: 'max' } },
    `"thinking.type.between_tools" is not supported with effort level 'max' on this model.`,
  );
  refuses(
    'a prompt over the window',
    { model: 'claude-haiku-4-5', messages: [{ role: 'user', content: 'x'.repeat(800_004) }] },
    'prompt is too long: 200001 tokens > 200000 maximum',
  );
  accepts('a prompt that fills it', {
    model: 'claude-haiku-4-5',
    messages: [{ role: 'user', content: 'x'.repeat(800_000) }],
  });
});
