import assert from 'node:assert/strict';
import { talkIn } from '../support/window/talk';
import { withWindow } from '../support/window/withWindow';
import { isWritten } from '../support/window/writtenChats';

describe('what the panel shows is what is sent, where proposed API is open', () => {
  const { standIn, window } = withWindow({
    gate: 'open',
    settings: { 'chat.restoreLastPanelSession': true },
  });
  const { ask, asking } = talkIn(standIn, window);

  before(() => window.panel.ready());
  beforeEach(async () => {
    await window.panel.newChat();
    await window.panel.ask('/clear');
  });

  it('M13, M14: after a Retry, the same message again, an edited one, and a Retry that is the first thing after a reload', async () => {
    await window.panel.send('good morning', 'clerk');
    await window.panel.lastAnswer.getByText('Proposed API is open.').waitFor();

    await ask('echo');
    assert.deepEqual(await ask('echo'), ['echo']);
    assert.deepEqual(await asking(() => window.panel.retry()), ['echo']);
    assert.deepEqual(await ask('shout'), ['echo', 'echo']);
    assert.deepEqual(await asking(() => window.panel.edit('shout', 'whisper')), ['echo', 'echo']);

    await isWritten(window, await window.panel.answerText());
    await window.reload();
    await window.panel.shows('whisper');
    assert.deepEqual(await asking(() => window.panel.retry()), ['echo', 'echo']);
    assert.deepEqual(await ask('sing'), ['echo', 'echo', 'whisper']);
  });
});
