import type Anthropic from '@anthropic-ai/sdk';
import { blocksOf, callsIn, type Message } from '../messages';
import type { ModelAnswer } from '../ports';
import { plainJson, wellFormed } from '../text/json';

/**
 * An answer as it can be sent back. Gateways may use the same call ids in every answer, or characters in them that the
 * API refuses. Such ids and names are changed here, before anything is run for them; so is text with half a character
 * in it, as a cut stream leaves it.
 */
export function sanitizeAnswer(answer: ModelAnswer, sent: readonly Message[]): ModelAnswer {
  const usedIds = new Set(sent.flatMap((message) => callsIn(blocksOf(message)).map(({ id }) => id)));
  const broken = new Set(answer.brokenToolUses);
  const content = answer.content.map((block): Anthropic.ContentBlock => {
    if (block.type === 'text') return { ...block, text: wellFormed(block.text) };
    if (block.type !== 'tool_use') return block;
    const id = freeId(block.id, usedIds);
    usedIds.add(id);
    if (broken.has(block.id)) broken.add(id);
    return { ...block, id, name: sanitizeName(block.name), input: plainJson(block.input) };
  });
  return { ...answer, content, ...(broken.size > 0 && { brokenToolUses: [...broken] }) };
}

function freeId(given: string, usedIds: ReadonlySet<string>): string {
  const id = sanitizeId(given);
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? id : `${id}_${copy}`;
    if (!usedIds.has(candidate)) return candidate;
  }
}

export function sanitizeId(given: string): string {
  return given.replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}

export function sanitizeName(given: string): string {
  return given.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed';
}
