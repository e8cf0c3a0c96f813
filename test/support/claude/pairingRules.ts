import { invalid, type ApiProblem } from './problem';
import { blocksOf, type ClaudeRequest } from './request';
import { first } from './shape';

/** Every tool use is answered once, at the head of the very next message, and nothing else is answered. */
export function checkPairing({ messages }: ClaudeRequest): ApiProblem | undefined {
  const seen = new Set<string>();
  return first(messages, (message, index) => {
    const path = `messages.${index}`;
    return (
      checkUnique(message, path, seen) ??
      checkAnswered(message, messages[index + 1], path) ??
      checkResults(message, messages[index - 1], path)
    );
  });
}

type Message = ClaudeRequest['messages'][number];

function checkUnique(message: Message, path: string, seen: Set<string>): ApiProblem | undefined {
  return first(blocksOf(message.content), (block, position) => {
    if (block.type !== 'tool_use') return undefined;
    if (seen.has(block.id)) return invalid(`${path}.content.${position}`, '`tool_use` ids must be unique');
    seen.add(block.id);
    return undefined;
  });
}

function checkAnswered(message: Message, next: Message | undefined, path: string): ApiProblem | undefined {
  const answered = new Set<string>();
  if (next?.role === 'user') {
    // Results count only as long as nothing else came before them.
    for (const block of blocksOf(next.content)) {
      if (block.type !== 'tool_result') break;
      answered.add(block.tool_use_id);
    }
  }
  const open = toolUseIds(message).filter((id) => !answered.has(id));
  return open.length > 0
    ? invalid(
        path,
        `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. ` +
          'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      )
    : undefined;
}

function checkResults(message: Message, previous: Message | undefined, path: string): ApiProblem | undefined {
  const expected = new Set(previous?.role === 'assistant' ? toolUseIds(previous) : []);
  const found = new Set<string>();
  return first(blocksOf(message.content), (block, position) => {
    if (block.type !== 'tool_result') return undefined;
    const id = block.tool_use_id;
    if (!expected.has(id)) {
      return invalid(
        `${path}.content.${position}`,
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      );
    }
    if (found.has(id)) {
      return invalid(
        `${path}.content.${position}`,
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    found.add(id);
    return undefined;
  });
}

function toolUseIds(message: Message): readonly string[] {
  return blocksOf(message.content)
    .filter((block) => block.type === 'tool_use')
    .map(({ id }) => id);
}
