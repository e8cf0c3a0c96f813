import assert from 'node:assert/strict';
import { parseSettings } from '../../../../src/core/settings';
import { toAssistantRequest } from '../../../../src/vscode/chat/turnRequest';
import { guidanceOver, personalFolder } from '../../../support/guidance';
import { createInMemoryWorkspace } from '../../../support/inMemoryWorkspace';
import { createTestNotes } from '../../../support/notes';
import { scriptedModel } from '../../../support/scriptedModel';

describe('what goes with a request', () => {
  async function notesSent({ isTrusted = true, isStateless = false }): Promise<readonly string[]> {
    const workspace = { ...createInMemoryWorkspace(), isTrusted: () => isTrusted };
    const notes = createTestNotes();
    await notes.add('We use tabs.', { isAskedFor: true, after: [] });
    const request = await toAssistantRequest(
      {
        settings: parseSettings(() => undefined).settings,
        conversationId: 'workspace',
        model: scriptedModel(),
        modelId: 'scripted',
        userContent: 'hello',
        tools: [],
        isStateless,
        yieldRequested: () => false,
      },
      {
        tools: { workspace, guidance: guidanceOver(workspace, personalFolder({})) },
        notes,
      },
      new AbortController().signal,
    );
    return (request.notes ?? []).map(({ text }) => text);
  }

  it('M28, M12, S3: the notes of a trusted workspace, unless memory is not to be read', async () => {
    assert.deepEqual(await notesSent({}), ['We use tabs.']);
    assert.deepEqual(await notesSent({ isStateless: true }), []);
    assert.deepEqual(await notesSent({ isTrusted: false }), []);
  });
});
