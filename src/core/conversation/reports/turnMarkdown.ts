import * as l10n from '@vscode/l10n';
import {
  blocksOf,
  resultText,
  textsIn,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../messages';
import { cutText } from '../../text/cutText';
import { fenced } from '../../text/markdown';
import type { StoredTurn } from '../turn';

/** At most this much of an attachment, a tool's input or its result is shown: this is for reading, not for keeping. */
const maxShownChars = 2_000;

/** A turn as a document to read: what was asked, what was done for it, and the answer. */
export function turnMarkdown({ messages }: Pick<StoredTurn, 'messages'>): string {
  const results = new Map(
    messages
      .flatMap(blocksOf)
      .flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [])),
  );
  const sections: string[] = [];
  let speaking: Message['role'] | undefined;
  for (const message of messages) {
    const parts = message.role === 'user' ? userParts(message) : claudeParts(message, results);
    // Between the rounds of an answer stand results only: it is one answer.
    if (parts.length === 0) continue;
    if (message.role !== speaking)
      sections.push(`## ${message.role === 'user' ? l10n.t('You') : l10n.t('Claude')}`);
    speaking = message.role;
    sections.push(...parts);
  }
  return `${sections.join('\n\n')}\n`;
}

/** The last text is the user's own; before it stands what was attached. */
function userParts(message: Message): readonly string[] {
  const texts = textsIn(blocksOf(message)).map((text) => text.trim());
  return texts.map((text, index) => (index < texts.length - 1 ? shortened(text, 'text') : text));
}

function claudeParts(message: Message, results: ReadonlyMap<string, ToolResultBlock>): readonly string[] {
  return blocksOf(message).flatMap((block) => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [block.text.trim()];
    return block.type === 'tool_use' ? callParts(block, results.get(block.id)) : [];
  });
}

function callParts({ name, input }: ToolUseBlock, result: ToolResultBlock | undefined): readonly string[] {
  const title = result?.is_error ? l10n.t('{0} failed', `\`${name}\``) : `\`${name}\``;
  const output = result ? resultText(result).trim() : '';
  return [
    `**${title}**`,
    shortened(inputJson(input), 'json'),
    ...(output === '' ? [] : [shortened(output, 'text')]),
  ];
}

/** In one line while that can be read. */
function inputJson(input: unknown): string {
  const line = JSON.stringify(input);
  return line.length <= 100 ? line : JSON.stringify(input, undefined, 2);
}

function shortened(text: string, language: string): string {
  const kept = cutText(text, maxShownChars);
  const rest = text.length - kept.length;
  const note = rest > 0 ? `\n\n*${l10n.t('{0} more characters are not shown here.', rest)}*` : '';
  return `${fenced(kept.trimEnd(), language)}${note}`;
}
