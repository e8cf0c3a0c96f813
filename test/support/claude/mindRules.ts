import type { Conversation } from './mindConversation';
import { memoryRules } from './mindMemoryRules';
import type { Move } from './mindMove';
import { firstLines } from './mindProse';
import { workspaceRules } from './mindWorkspaceRules';

/** The first rule that fits decides. */
export function nextMove(conversation: Conversation): Move {
  const failed = conversation.calls.at(-1);
  if (failed?.isError === true) {
    return { say: `\`${failed.tool}\` did not work: ${firstLines(failed.output, 3)} I leave it at that.` };
  }
  for (const rule of [...memoryRules, ...workspaceRules]) {
    const move = rule(conversation);
    if (move) return move;
  }
  return { say: whatICanDo(conversation) };
}

function whatICanDo({ tools }: Conversation): string {
  if (tools.size === 0) {
    return 'Hello! No tools were offered to me with this message, so I can only talk: I cannot look at any file.';
  }
  return (
    'Hello! Ask me for example “What is in this workspace?”, “Where is `greet`?”, “Read README.md”, ' +
    '“My name is …” and later “What is my name?”, or “What did I ask before?”. ' +
    `I have ${tools.size} tools to find out with.`
  );
}
