import assert from 'node:assert/strict';
import { lostNotice, threadNotice } from '../../../../../src/core/conversation/threads/threadNotices';

const now = 10_000_000;
const ago = (minutes: number) => now - minutes * 60_000;

describe('the line below the first answer of a thread', () => {
  it('M11: says what a new chat continues', () => {
    const continues = { turns: 6, lastActive: ago(12), isFromBefore: false };
    assert.deepEqual(threadNotice({ thread: 't', continues }, now), {
      text: 'Continues a conversation of 6 turns, last active 12 min ago.',
      action: { kind: 'start-fresh', keepThread: 't' },
    });
  });

  it('M11: says so of a restarted window', () => {
    const continues = { turns: 1, lastActive: ago(3), isFromBefore: true };
    assert.equal(
      threadNotice({ thread: 't', continues }, now)?.text,
      'Continues the conversation of 1 turn from before the restart, last active 3 min ago.',
    );
  });

  it('M20: says what ended, and where it is', () => {
    const ended = { turns: 6, endedAt: ago(40), archiveId: 'x' };
    assert.deepEqual(threadNotice({ thread: 't', ended }, now), {
      text: 'An older conversation of 6 turns ended 40 min ago.',
      action: { kind: 'continue-ended', archiveId: 'x' },
    });
  });

  it('says nothing where there is nothing to say', () => {
    assert.equal(threadNotice({ thread: 't' }, now), undefined);
  });

  it('M13: says what VS Code lost and Claude still knows', () => {
    assert.match(lostNotice(1), /your last message from before the reload\. Claude still knows it\.$/);
    assert.match(lostNotice(3), /your last 3 messages from before the reload\. Claude still knows them\.$/);
  });
});
