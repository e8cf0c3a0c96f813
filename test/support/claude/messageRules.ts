import type { ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';
import { blocksOf, type Block, type ClaudeRequest } from './request';
import { isServerBlock } from './serverBlocks';
import { first } from './shape';

/** Who speaks when, and that nothing said is empty. */
export function checkMessages(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const { messages } = request;
  if (messages.length === 0) return invalid('messages', 'at least one message is required');
  if (messages.length > 100_000) return invalid('messages', 'too many messages: the maximum is 100000');
  return (
    checkRoles(messages, model) ??
    first(messages, (message, index) => checkContent(request, message, index)) ??
    checkSystemText(request) ??
    checkToolsAreDefined(request) ??
    checkPrefill(messages, model)
  );
}

function checkRoles(messages: ClaudeRequest['messages'], model: ModelFacts): ApiProblem | undefined {
  if (messages[0]?.role === 'system') {
    return invalid('messages.0', "use the top-level 'system' parameter for the initial system prompt");
  }
  if (messages[0]?.role !== 'user') {
    return invalid('messages', 'first message must use the "user" role');
  }
  return first(messages, ({ role }, index) => {
    if (role !== 'system') return undefined;
    const path = `messages.${index}`;
    if (!model.systemMessages) return invalid(path, "role 'system' is not supported on this model");
    const next = messages[index + 1]?.role;
    if (messages[index - 1]?.role !== 'user' || (next !== undefined && next !== 'assistant')) {
      return invalid(
        path,
        "a message with role 'system' must follow a 'user' message and be last or precede an 'assistant' message",
      );
    }
    return undefined;
  });
}

function checkContent(
  request: ClaudeRequest,
  message: ClaudeRequest['messages'][number],
  index: number,
): ApiProblem | undefined {
  const isLast = index === request.messages.length - 1;
  if (message.content.length === 0) {
    return isLast && message.role === 'assistant'
      ? undefined
      : invalid(
          `messages.${index}`,
          'all messages must have non-empty content except for the optional final assistant message',
        );
  }
  const blocks = blocksOf(message.content);
  const problem = first(blocks, (block, position) =>
    checkBlock(block, message.role, `messages.${index}.content.${position}`),
  );
  if (problem) return problem;
  const last = blocks.at(-1)?.type;
  return last === 'thinking' || last === 'redacted_thinking'
    ? invalid(`messages.${index}`, `The final block in an assistant message cannot be \`${last}\`.`)
    : undefined;
}

const rolesOf: Partial<Record<Block['type'], 'user' | 'assistant'>> = {
  image: 'user',
  document: 'user',
  search_result: 'user',
  tool_result: 'user',
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  server_tool_use: 'assistant',
  web_search_tool_result: 'assistant',
  web_fetch_tool_result: 'assistant',
  tool_search_tool_result: 'assistant',
};

function checkBlock(block: Block, role: string, path: string): ApiProblem | undefined {
  const allowed = rolesOf[block.type];
  if (allowed !== undefined && allowed !== role) {
    return invalid(path, `\`${block.type}\` blocks can only be in \`${allowed}\` messages`);
  }
  if (block.type === 'text') {
    if (role === 'user' && (block.citations?.length ?? 0) > 0) {
      return invalid(`${path}.text.citations`, 'citations are not permitted on text in user messages');
    }
    return checkText(block.text, 'messages');
  }
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return undefined;
  if (block.is_error === true && block.content.some(({ type }) => type !== 'text')) {
    return invalid(`${path}.tool_result`, 'all content must be type "text" if "is_error" is true');
  }
  return first(block.content, (inner) =>
    inner.type === 'text' ? checkText(inner.text, 'messages') : undefined,
  );
}

function checkText(text: string, path: string): ApiProblem | undefined {
  if (text === '') return invalid(path, 'text content blocks must be non-empty');
  return text.trim() === ''
    ? invalid(path, 'text content blocks must contain non-whitespace text')
    : undefined;
}

function checkSystemText({ system }: ClaudeRequest): ApiProblem | undefined {
  if (typeof system !== 'object') return undefined;
  return first(system, ({ text }) => checkText(text, 'system'));
}

function checkToolsAreDefined(request: ClaudeRequest): ApiProblem | undefined {
  if ((request.tools ?? []).length > 0) return undefined;
  const usesTools = request.messages.some(
    ({ content }) =>
      typeof content !== 'string' &&
      content.some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
  return usesTools
    ? invalid('', 'Requests which include `tool_use` or `tool_result` blocks must define tools.')
    : undefined;
}

/** Claude goes on where it paused: in the midst of what the server does. */
function isPaused(content: ClaudeRequest['messages'][number]['content']): boolean {
  const block = blocksOf(content).at(-1);
  return block !== undefined && isServerBlock(block);
}

function checkPrefill(messages: ClaudeRequest['messages'], model: ModelFacts): ApiProblem | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || isPaused(last.content)) return undefined;
  if (!model.prefill) {
    return invalid(
      '',
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  const block = blocksOf(last.content).at(-1);
  return block?.type === 'text' && block.text !== block.text.trimEnd()
    ? invalid('messages', 'final assistant content cannot end with trailing whitespace')
    : undefined;
}
