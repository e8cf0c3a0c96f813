import assert from 'node:assert/strict';
import type { ChatResponseStream } from 'vscode';
import type { AgentEvent } from '../../../../src/core/agent/events';
import { noUsage } from '../../../../src/core/messages';
import { AnswerRenderer } from '../../../../src/vscode/chat/answerRenderer';

describe('what the panel shows of a turn', () => {
  /** All Markdown of these events, part by part. */
  function shown(events: readonly AgentEvent[], fetchesPictures: boolean): readonly string[] {
    const parts: string[] = [];
    const stream = {
      markdown: (text: string) => void parts.push(text),
      progress: () => undefined,
      button: () => undefined,
    };
    const renderer = new AnswerRenderer(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of it that a renderer uses
      stream as unknown as ChatResponseStream,
      { openWhole: { command: 'open', title: 'Open' }, fetchesPictures },
    );
    for (const event of events) renderer.render(event);
    renderer.dispose();
    return parts;
  }

  it('S6, M16: the question that ends a turn fetches no picture', () => {
    const ended: AgentEvent = {
      type: 'turn-end',
      end: {
        reason: 'asked',
        toolUse: { type: 'tool_use', id: 'toolu_1', name: 'ask_user', input: {} },
        question: { param: 'port', question: 'Which port? ![x](https://e.example/?d=1)' },
        results: [],
        sent: [],
      },
      messages: [],
      usage: noUsage,
      model: 'claude',
      contextTokens: 0,
    };
    assert.deepEqual(shown([ended], true), ['\n\nWhich port? &#33;[x](https://e.example/?d=1)']);
    assert.deepEqual(shown([ended], false), ['\n\nWhich port? ![x](https://e.example/?d=1)']);
  });
});
