import assert from 'node:assert/strict';
import type { ArchivedConversation } from '../../../../../src/core/conversation/archive/archive';
import {
  archiveReport,
  contentCount,
  describeLeft,
  emptyArchive,
} from '../../../../../src/core/conversation/reports/archiveReport';
import type { Conversation } from '../../../../../src/core/conversation/turn';
import { aConversation, aTurn } from '../../../../support/conversation/stored';

describe('the report of the archive', () => {
  it('P4: lists what can be resumed with age, size, how it ended, and where the words stand', () => {
    const hour = 60 * 60 * 1000;
    const found = [
      { archived: archived('Fix *it*', { kind: 'ended' }, hour) },
      { archived: archived('Other', { kind: 'left' }, 0), found: { excerpt: '…a <b> c' } },
      { archived: archived('Third', { kind: 'branch', firstCut: 'a' }, 0) },
    ];
    assert.equal(
      archiveReport(found, { isSearch: false, now: 3 * hour, linkTo: (id) => `resume:${id.length}` }),
      [
        'Choose the conversation to resume, the newest first:\n',
        '- [Fix \\*it\\*](resume:8) — 2 h ago · 1 turn · expired',
        '- [Other](resume:5) — 3 h ago · 1 turn · left for another  \n  *…a \\<b\\> c*',
        '- [Third](resume:5) — 3 h ago · 1 turn · cut by a rewind',
      ].join('\n'),
    );
  });

  it('M20: counts what a conversation holds, in words', () => {
    const { conversation } = archived('Other', { kind: 'left' }, 0);
    const written = (...names: readonly string[]) => names.map((name) => ({ name, value: 'v', at: 1 }));
    const counts = [written(), written('a'), written('a', 'b')].map((params) =>
      contentCount({ ...conversation, params }),
    );
    assert.deepEqual(counts, ['1 turn', '1 turn and 1 remembered value', '1 turn and 2 remembered values']);
    const summarized = { ...conversation, turns: [], summarized: conversation.turns };
    assert.equal(contentCount(summarized), '1 turn');
    assert.equal(contentCount({ ...conversation, turns: [], params: written('a') }), '1 remembered value');
  });

  it('M15, M20: starting fresh says what was left, and never that values were nothing', () => {
    const { conversation } = archived('Other', { kind: 'left' }, 0);
    const values = { ...conversation, turns: [], params: [{ name: 'a', value: 'v', at: 1 }] };
    const nothing = 'Nothing older is remembered: your next message starts a fresh conversation anyway.';
    const says = (left: Conversation | undefined, archivedAs?: string) => describeLeft({ left, archivedAs });
    assert.equal(says(undefined), nothing);
    assert.equal(says({ ...conversation, turns: [] }), nothing);
    assert.match(says(conversation, 'id'), /The one before \(1 turn\) is in the archive/);
    assert.match(says(conversation), /The one before \(1 turn\) is erased/);
    assert.match(says(values), /What was left of the one before \(1 remembered value\) is forgotten/);
  });

  it('M20: an archive without an entry says when there will be one', () => {
    assert.match(emptyArchive(false), /One comes here when it expires/);
    assert.match(emptyArchive(true), /the archive is off.*assistant\.archiveSize/);
  });
});

function archived(
  title: string,
  ending: ArchivedConversation['ending'],
  endedAt: number,
): ArchivedConversation {
  const conversation = aConversation('w', { lastActive: endedAt, turns: [aTurn('a')] });
  return { id: title, conversationId: 'w', ending, title, endedAt, turns: 1, conversation };
}
