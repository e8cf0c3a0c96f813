import { describeEnd } from '../../core/agent/describeEnd';
import { answerText } from '../../core/answerText';
import type { AskOptions } from '../../core/api';
import type { Assistant } from '../../core/assistant';
import type { ConversationId } from '../../core/conversation/turn';
import { UserError } from '../../core/errors';
import type { Log, Model } from '../../core/ports';
import type { Settings } from '../../core/settings';
import type { Tool } from '../../core/tools/tool';
import { toAssistantRequest } from './turnRequest';

/** `ask` for other extensions: one turn without the panel, so without tools that would have to be confirmed there. */
export function createAsk(options: {
  readonly assistant: Assistant;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  readonly tools: readonly Tool[];
  readonly conversationId: () => ConversationId;
  readonly log: Log;
}): (prompt: string, options: AskOptions) => Promise<string> {
  const { assistant, readSettings, connect, tools, conversationId } = options;
  return async (prompt, { stateless = false, signal = new AbortController().signal }) => {
    const settings = readSettings();
    const request = await toAssistantRequest(
      {
        settings,
        conversationId: conversationId(),
        isStateless: stateless,
        userContent: prompt,
        tools,
        isUnattended: true,
        yieldRequested: () => false,
      },
      { model: connect(settings), log: options.log },
      signal,
    );
    for await (const event of assistant.answer(request, signal).events) {
      if (event.type !== 'turn-end') continue;
      signal.throwIfAborted();
      const problem = describeEnd(event.end);
      if (problem) throw new UserError(problem.text);
      // Not what was streamed: an answer that broke off and came again would be in it twice.
      return answerText(event.messages);
    }
    throw new Error('The turn ended without saying how.');
  };
}
