import { readConversation } from './mindConversation';
import { nextMove } from './mindRules';
import type { ClaudeRequest } from './request';
import { reply, text, toolUse, wait, type Part, type Piece, type Reply } from './script';

export interface MindOptions {
  /** Between two pieces of text, so that it can be seen to stream. */
  readonly delayMs?: number;
}

const notice =
  'This is the offline stand-in and not Claude, because ANTHROPIC_API_KEY is not set. ' +
  'It follows a few simple rules, but the tools it calls and what they return are real. ' +
  'Say “help” to see what it can do.\n\n';

/** Answers in place of Claude by a few rules: looks at the workspace with our tools and says what it found. */
export function createMind(options: MindOptions = {}): (request: ClaudeRequest) => Reply {
  const delayMs = options.delayMs ?? 25;
  return (request) => {
    const conversation = readConversation(request);
    const move = nextMove(conversation);
    // Not before a tool call: VS Code folds away what is said there.
    const said = (conversation.isFirstTurn && !move.call ? notice : '') + move.say;
    return reply(paced(said, delayMs), ...(move.call ? [toolUse(move.call.tool, move.call.input)] : []));
  };
}

/** Three words at a time, which is about how Claude's own stream arrives. */
function paced(said: string, delayMs: number): Part {
  const chunks = said.match(/(?:\S+\s*){1,3}/g) ?? [];
  if (delayMs === 0) return text(...chunks);
  return text(...chunks.flatMap((chunk): readonly Piece[] => [chunk, wait(delayMs)]));
}
