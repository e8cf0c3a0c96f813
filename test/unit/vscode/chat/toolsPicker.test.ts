import assert from 'node:assert/strict';
import type { ChatRequest } from 'vscode';
import { attachedToolsNote, switchedOffTools } from '../../../../src/vscode/chat/toolsPicker';

describe('the tools picker', () => {
  const requestWith = (tools: unknown): ChatRequest =>
    ({ tools, toolReferences: [] }) as unknown as ChatRequest;

  it('switches off what the person switched off, and nothing else', () => {
    const picked = new Map<unknown, unknown>([
      [{ name: 'delete_file' }, false],
      [{ name: 'read_file' }, true],
      ['run_in_terminal', false],
      [{ name: 'new_state' }, 'unknown'],
      [undefined, false],
    ]);
    assert.deepEqual(switchedOffTools(requestWith(picked)), ['delete_file', 'run_in_terminal']);
  });

  it('switches off nothing where VS Code does not hand it over, or in another form', () => {
    assert.deepEqual(switchedOffTools({ toolReferences: [] } as unknown as ChatRequest), []);
    assert.deepEqual(switchedOffTools(requestWith([['delete_file', false]])), []);
  });

  it('tells Claude which tools were attached', () => {
    assert.equal(attachedToolsNote(requestWith(undefined)), '');
    const toolReferences = [{ name: 'shop_stock' }, { name: 'runTests' }];
    assert.match(
      attachedToolsNote({ toolReferences } as unknown as ChatRequest),
      /preferred .*: shop_stock, runTests\./,
    );
  });
});
