import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { NotFoundError } from '@anthropic-ai/sdk';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf } from './client';

describe('the models of the stand-in', () => {
  let standIn: StandIn;
  let client: Anthropic;

  before(async () => {
    standIn = await startStandIn();
    client = clientOf(standIn);
  });
  after(() => standIn.close());

  const idsOf = async (params: Anthropic.ModelListParams): Promise<readonly string[]> => {
    const ids: string[] = [];
    for await (const { id } of client.models.list(params)) ids.push(id);
    return ids;
  };

  it('lists them page by page, newest first, without the retired ones', async () => {
    const all = await idsOf({});
    assert.deepEqual(await idsOf({ limit: 2 }), all);
    assert.ok(all.includes('claude-opus-5-5') && all.includes('claude-sonnet-4-5-20250929'));
    assert.ok(!all.includes('claude-opus-4-1-20250805'));
    const { data } = await client.models.list({ limit: 1000 });
    const dates = data.map(({ created_at: date }) => date);
    assert.deepEqual(dates, dates.toSorted().toReversed());
  });

  it('lists nothing but the free one when it answers in place of Claude', async () => {
    const offline = await startStandIn({ isOffline: true });
    const { data } = await clientOf(offline).models.list();
    await offline.close();
    assert.deepEqual(
      data.map(({ id }) => id),
      ['offline-stand-in:free'],
    );
  });

  it('pages backwards too', async () => {
    const all = await idsOf({});
    const page = await client.models.list({ before_id: all[3]!, limit: 2 });
    assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [all.slice(1, 3), true]);
  });

  it('filters by lifecycle', async () => {
    assert.deepEqual(await idsOf({ lifecycle: ['retired'] }), ['claude-opus-4-1-20250805']);
    assert.deepEqual(await idsOf({ lifecycle: ['deprecated', 'retired'] }), [
      'claude-sonnet-4-5-20250929',
      'claude-opus-4-1-20250805',
    ]);
  });

  it('describes a model, by id or alias', async () => {
    const model = await client.models.retrieve('claude-sonnet-4-5');
    assert.deepEqual(
      [model.id, model.lifecycle, model.retires_at, model.max_input_tokens, model.max_tokens],
      ['claude-sonnet-4-5-20250929', 'deprecated', '2026-11-30T00:00:00Z', 200_000, 64_000],
    );
    assert.deepEqual((await client.models.retrieve('claude-sonnet-5-5')).capabilities?.thinking.types, {
      adaptive: { supported: true },
      between_tools: { supported: true },
      disabled: { supported: false },
      enabled: { supported: false },
    });
  });

  it('does not find what does not exist', async () => {
    await assert.rejects(client.models.retrieve('claude-9'), NotFoundError);
  });
});
