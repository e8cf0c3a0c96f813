import type { ImageBlock, TextBlock } from '../messages';
import { cutText } from '../text/cutText';
import type { ToolOutput } from './tool';

/** What one result may have (L11). */
export const maxResultChars = 30_000;

/** Cuts text to a length, never inside a character, and says so in a last line with `hint` on how to get the rest. */
export function truncate(text: string, maxChars: number, hint: string): string {
  if (text.length <= maxChars) return sendableText(text);
  // The rest can be huge, so it is cut off before anything looks at every character.
  const kept = sendableText(cutText(text, maxChars));
  return `${kept}\n[${text.length - kept.length} of ${text.length} characters left out. ${hint}]`;
}

/** What the API takes as text: no NUL and no half characters; what looks like binary data is only described. */
export function sendableText(text: string): string {
  const clean = text.toWellFormed();
  if (!hasControls(clean)) return clean;
  const controls = clean.match(controlCharacters)?.length ?? 0;
  if (controls > clean.length / 10) return `[Binary data, ${text.length} characters, not shown.]`;
  return clean.replace(controlCharacters, '\uFFFD');
}

const hint = 'Ask for a smaller part, for example with a range, a filter or a narrower search.';

/**
 * A tool's output as it may enter a request: capped over all its texts together, well-formed, never empty, and text
 * only when it is an error (the API refuses images there).
 */
export function limitOutput(output: ToolOutput, maxChars: number): ToolOutput {
  const blocks = typeof output.content === 'string' ? [textBlock(output.content)] : output.content;
  const limited: (TextBlock | ImageBlock)[] = [];
  let left = maxChars;
  let omitted = 0;
  for (const block of blocks) {
    if (block.type === 'image') {
      if (!output.isError) limited.push(block);
      continue;
    }
    if (block.text.trim() === '') continue;
    if (left > 0) limited.push(textBlock(truncate(block.text, left, hint)));
    else omitted += block.text.length;
    left -= block.text.length;
  }
  if (omitted > 0) limited.push(textBlock(`[${omitted} more characters left out. ${hint}]`));
  const [only] = limited;
  const isOneText = limited.length === 1 && only?.type === 'text';
  const content = only === undefined ? '(no output)' : isOneText ? only.text : limited;
  return {
    content,
    ...(output.isError && { isError: true }),
    ...(output.files && { files: output.files }),
    ...(output.sources && { sources: output.sources }),
    ...(output.guidance && { guidance: output.guidance }),
    ...(output.unasked && { unasked: output.unasked }),
    ...(output.question && { question: output.question }),
    ...(output.aftermath && { aftermath: output.aftermath }),
  };
}

/** The same output with another paragraph. */
export function withText(output: ToolOutput, text: string): ToolOutput {
  const { content } = output;
  return {
    ...output,
    content: typeof content === 'string' ? `${content}\n\n${text}` : [...content, textBlock(text)],
  };
}

// Tab, line feed and carriage return are text; ESC stands in terminal output and is harmless.
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F]/g;

function hasControls(text: string): boolean {
  return text.search(controlCharacters) >= 0;
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}
