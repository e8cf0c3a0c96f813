import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fromPortable, type Imported } from '../../src/core/conversation/archive/fromPortable';
import { toPortable } from '../../src/core/conversation/archive/portable';
import type { Conversation } from '../../src/core/conversation/turn';
import { flatHistory, historyOf } from '../../src/core/conversation/view';
import { UserError } from '../../src/core/errors';
import type { Message } from '../../src/core/messages';
import { refusal } from '../support/conversation/accepted';
import { validTurn } from '../support/conversation/storedMessages';
import { byteChange, changeBytes, changeValue, oddValue, valueChange } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Files that people import: exports that were edited, cut, merged by hand, or something else altogether. */
export function importedFileTarget(): FuzzTarget {
  return fuzzTarget({ name: 'imported file', share: 10, input: file, holds: take });
}

const exported = fc
  .record({ turns: fc.array(validTurn, { minLength: 1, maxLength: 4 }), hasSummary: fc.boolean() })
  .map(({ turns, hasSummary }) =>
    toPortable(conversationOf(turns, hasSummary), { withValues: true, secrets: [] }),
  );

const file = fc.oneof(
  fc
    .tuple(exported, fc.array(valueChange, { maxLength: 5 }))
    .map(([json, changes]) => JSON.stringify(changeValue(JSON.parse(json), changes)) ?? ''),
  fc
    .tuple(exported, fc.array(byteChange, { minLength: 1, maxLength: 4 }))
    .map(([json, changes]) => Buffer.from(changeBytes(Buffer.from(json), changes)).toString('utf8')),
  oddValue.map((value) => JSON.stringify(value) ?? ''),
);

async function take(text: string): Promise<void> {
  const imported = importOrRefuse(text);
  if (!imported) return;
  const { conversation } = imported;
  assert.ok(conversation.turns.length > 0);
  assert.equal(
    new Set(conversation.turns.map(({ id }) => id)).size,
    conversation.turns.length,
    'ids are unique',
  );
  const orders = conversation.turns.map(({ order }) => order);
  assert.deepEqual(
    orders,
    orders.toSorted((a, b) => a - b),
    'in the order of the file',
  );
  assert.equal(refusal(flatHistory(historyOf(conversation))), undefined);
  const again = importOrRefuse(toPortable(conversation, { withValues: true, secrets: [] }));
  assert.deepEqual(again?.notes, [], 'what was taken is whole: taken again, it needs no repair');
  assert.deepEqual(again.conversation, conversation);
}

function importOrRefuse(text: string): Imported | undefined {
  let count = 0;
  try {
    return fromPortable(text, { now: 1_000_000, ids: () => `imported-${++count}` });
  } catch (error) {
    assert.ok(error instanceof UserError, `not a sentence for the person: ${String(error)}`);
    return undefined;
  }
}

function conversationOf(turns: readonly (readonly unknown[])[], hasSummary: boolean): Conversation {
  return {
    id: 'workspace',
    lastActive: 9_000,
    turns: turns.map((messages, at) => ({
      id: `t${at}`,
      order: 1_000 + at,
      startedAt: 1_000 + at,
      endedAt: 1_001 + at,
      outcome: at % 2 === 0 ? 'finished' : 'interrupted',
      messages: messages as Message[],
      model: 'claude-sonnet-5-5',
      usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, cost: 0.5 },
      tokens: 10,
    })),
    summarized: [],
    params: [{ name: 'order', value: 'O-1', at: 1_000, turnId: 't0' }],
    ...(hasSummary && { summary: { text: 'Earlier: a lot.', at: 900, turns: 3 } }),
  };
}
