import assert from 'node:assert/strict';
import { builtInModels, detailsOf, fittingEffort, toDetails } from '../../../src/claude/models';
import { costOf, type Price } from '../../../src/core/price';
import { settingRules } from '../../../src/core/settings';
import { models as standInModels } from '../../support/claude/models';

const usage = { input: 1_000_000, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 };

function support(supported: boolean): { supported: boolean } {
  return { supported };
}

function priceOf(id: string): Price {
  return detailsOf(id).price!;
}

/** As the API lists it. */
const listed = {
  id: 'claude-next-6',
  type: 'model',
  display_name: 'Claude Next 6',
  created_at: '2027-01-01T00:00:00Z',
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
  line: null,
  max_input_tokens: 2_000_000,
  max_tokens: 256_000,
  capabilities: null,
};

describe('models', () => {
  it('knows the default model, dated versions, and is careful with what nobody knows', () => {
    assert.equal(detailsOf(settingRules().model.fallback).name, 'Claude Sonnet 5.5');
    assert.equal(detailsOf('claude-haiku-4-5-20251001').name, 'Claude Haiku 4.5');
    const { thinking, efforts, price } = detailsOf('llama-9');
    assert.deepEqual([thinking, efforts, price], ['none', [], undefined]);
  });

  it('counts nothing for a model that its gateway marks as free', () => {
    const free = { input: 0, output: 0, cacheRead: 0 };
    assert.deepEqual(detailsOf('vendor/llama-9:free').price, free);
    assert.deepEqual(toDetails({ ...listed, id: 'claude-sonnet-5-5:free' })?.price, free);
  });

  it('has a price for every built-in model', () => {
    for (const { id, price } of builtInModels) assert.ok(price && price.output > price.input, id);
  });

  it('takes limits and capabilities from the API, and prices from the built-in list', () => {
    const unknown = toDetails(listed)!;
    assert.deepEqual(
      [unknown.contextTokens, unknown.maxOutputTokens, unknown.thinking],
      [2_000_000, 256_000, 'none'],
    );
    const types = {
      adaptive: support(true),
      between_tools: support(false),
      disabled: support(false),
      enabled: support(false),
    };
    const none = support(false);
    const known = toDetails({
      ...listed,
      id: 'claude-sonnet-5-5',
      capabilities: {
        batch: none,
        citations: none,
        code_execution: none,
        context_management: {
          supported: false,
          clear_thinking_20251015: null,
          clear_tool_uses_20250919: null,
          compact_20260112: null,
        },
        effort: {
          supported: true,
          low: support(true),
          medium: support(true),
          high: support(true),
          xhigh: null,
          max: support(true),
        },
        image_input: none,
        pdf_input: none,
        server_tools: { supported: false, code_execution: none, web_search: none },
        structured_outputs: none,
        thinking: { supported: true, types },
      },
    })!;
    assert.deepEqual(
      [known.thinking, known.canSkipThinking, known.efforts, known.takesImages, known.price?.input],
      ['adaptive', false, ['low', 'medium', 'high', 'max'], false, 2],
    );
  });

  it('falls back to the next lower effort', () => {
    assert.equal(fittingEffort('xhigh', detailsOf('claude-sonnet-4-6')), 'high');
    assert.equal(fittingEffort('max', detailsOf('claude-sonnet-4-6')), 'max');
    assert.equal(fittingEffort('low', detailsOf('claude-haiku-4-5')), undefined);
  });

  it('agrees with the stand-in, whose table was written apart, on what each model takes', () => {
    for (const { id, window, maxOutput, thinking, efforts } of standInModels) {
      const facts = detailsOf(id);
      assert.deepEqual([facts.contextTokens, facts.maxOutputTokens], [window, maxOutput], id);
      assert.equal(facts.thinking === 'adaptive', thinking.includes('adaptive'), id);
      const canSkip = thinking.includes('adaptive') && thinking.includes('disabled');
      assert.equal(facts.canSkipThinking ?? false, canSkip, id);
      assert.deepEqual(
        facts.efforts.filter((effort) => !efforts.includes(effort)),
        [],
        id,
      );
    }
  });
});

describe('costOf', () => {
  it('counts input, output, cache writes and reads at their prices', () => {
    const million = 1_000_000;
    const all = { ...usage, cacheRead: million, cacheWrite: million, output: million };
    assert.equal(costOf(all, priceOf('claude-sonnet-5-5')), 2 + 0.1 + 2.5 + 10);
    assert.equal(costOf(all, priceOf('claude-opus-5-5')), 4 + 0.2 + 5 + 20);
  });

  it('counts twice the input for what is kept for an hour', () => {
    const written = { ...usage, input: 0, cacheWrite: 1_000_000, cacheWriteHour: 400_000 };
    assert.equal(costOf(written, priceOf('claude-sonnet-5-5')), 0.6 * 2.5 + 0.4 * 4);
    assert.equal(costOf(written, priceOf('claude-haiku-5-5')), 0.6 * 0.625 + 0.4 * 1);
  });

  it('takes the higher tier of Haiku 5.5 for long prompts, cached or not', () => {
    const haiku = priceOf('claude-haiku-5-5');
    assert.equal(costOf({ ...usage, input: 100_000 }, haiku), 0.01);
    assert.equal(
      costOf({ ...usage, input: 1, cacheRead: 100_000 }, haiku),
      (0.5 + 100_000 * 0.05) / 1_000_000,
    );
  });
});
