import type { ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';
import { blocksOf, type Block, type ClaudeRequest } from './request';

/** Remembers which tool uses came with thinking, so that a tool loop cannot go on without it. */
export interface ThoughtLedger {
  note(model: ModelFacts, content: readonly Block[]): void;
  check(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined;
}

export function createThoughtLedger(): ThoughtLedger {
  const thoughts = new Map<string, { readonly model: string; readonly signatures: readonly string[] }>();
  return {
    note(model, content) {
      const signatures = signaturesIn(content);
      if (signatures.length === 0) return;
      for (const block of content) {
        if (block.type === 'tool_use') thoughts.set(block.id, { model: model.id, signatures });
      }
    },
    check(request, model) {
      if (request.thinking?.type === 'disabled') return undefined;
      for (const index of currentLoop(request)) {
        const content = blocksOf(request.messages[index]?.content ?? []);
        const toolUse = content.find((block) => block.type === 'tool_use');
        const expected = toolUse && thoughts.get(toolUse.id);
        if (!expected || expected.model !== model.id) continue;
        const found = signaturesIn(content);
        if (found.length === 0) return missing(index, content);
        if (found.join() !== expected.signatures.join()) return modified(index, content);
      }
      return undefined;
    },
  };
}

/** The assistant messages since the person last spoke, the newest first. */
function currentLoop({ messages }: ClaudeRequest): readonly number[] {
  const loop: number[] = [];
  for (let index = messages.length - 1; index > 0; index -= 2) {
    const isResult = blocksOf(messages[index]?.content ?? [])[0]?.type === 'tool_result';
    if (!isResult || messages[index - 1]?.role !== 'assistant') break;
    loop.push(index - 1);
  }
  return loop;
}

function signaturesIn(content: readonly Block[]): readonly string[] {
  return content.filter((block) => block.type === 'thinking').map(({ signature }) => signature);
}

function missing(index: number, content: readonly Block[]): ApiProblem {
  return invalid(
    `messages.${index}.content.0.type`,
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${content[0]?.type ?? 'nothing'}\`. ` +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block ' +
      '(preceeding the lastmost set of `tool_use` and `tool_result` blocks). ' +
      'We recommend you include thinking blocks from previous turns. ' +
      'To avoid this requirement, disable `thinking`.',
  );
}

function modified(index: number, content: readonly Block[]): ApiProblem {
  const position = content.findIndex(({ type }) => type === 'thinking');
  return invalid(
    `messages.${index}.content.${position}`,
    '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
      'These blocks must remain as they were in the original response.',
  );
}
