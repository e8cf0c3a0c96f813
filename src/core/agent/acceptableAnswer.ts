import type Anthropic from '@anthropic-ai/sdk';
import { plainJson, wellFormed } from '../json';
import { blocksOf, type Message } from '../messages';
import type { ModelAnswer } from '../ports';

/**
 * An answer as it can be sent back. What stands between us and Claude may name its calls as the API never would: the
 * same ids in every answer, or signs in them that the API refuses. An id or a name that will not do is changed here,
 * before anything is run for it; so is text with half a character in it, as a stream that was cut leaves it.
 */
export function acceptableAnswer(answer: ModelAnswer, sent: readonly Message[]): ModelAnswer {
  const usedIds = new Set(sent.flatMap((message) => blocksOf(message).flatMap(toolUseId)));
  const broken = new Set(answer.brokenToolUses);
  const content = answer.content.map((block): Anthropic.ContentBlock => {
    if (block.type === 'text') return { ...block, text: wellFormed(block.text) };
    if (block.type !== 'tool_use') return block;
    const id = freeId(block.id, usedIds);
    usedIds.add(id);
    if (broken.has(block.id)) broken.add(id);
    return { ...block, id, name: acceptableName(block.name), input: plainJson(block.input) };
  });
  return { ...answer, content, ...(broken.size > 0 && { brokenToolUses: [...broken] }) };
}

function toolUseId(block: { readonly type: string; readonly id?: string }): readonly string[] {
  return block.type === 'tool_use' && block.id !== undefined ? [block.id] : [];
}

function freeId(given: string, usedIds: ReadonlySet<string>): string {
  const id = acceptableId(given);
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? id : `${id}_${copy}`;
    if (!usedIds.has(candidate)) return candidate;
  }
}

export function acceptableId(given: string): string {
  return given.replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}

export function acceptableName(given: string): string {
  return given.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed';
}
