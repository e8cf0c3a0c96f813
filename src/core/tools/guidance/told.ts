import { blocksOf, resultText, type Message } from '../../messages';
import { hashText } from '../../text/hashText';
import { sendableText, truncate } from '../truncate';
import type { GuidanceFile } from './shelf';

/** What went with a result: by this it is known later what is in sight, and as it was (T1). */
export interface ToldFile {
  readonly path: string;
  readonly version: string;
  readonly chars: number;
}

const tag = 'team-instructions';

/** At the end of a result, below what the tool returned. */
export function tellFile({ path, text }: GuidanceFile, maxChars: number): string {
  const body = truncate(text.trim(), maxChars, `Read ${path} for the rest.`);
  return `<${tag} path="${attribute(path)}" version="${hashText(text)}">\n${unmarked(body)}\n</${tag}>`;
}

/** Text of a tool, in which nothing looks like the team's words: no file and no server can speak for the team. */
export function unmarked(text: string): string {
  return text.replaceAll(/<(?=\s*(?:\/\s*)?team-instructions\b)/gi, '&lt;');
}

/** What went with the results in these messages. What was cut off since is not in sight. */
export function toldIn(messages: readonly Message[]): readonly ToldFile[] {
  return messages.flatMap((message) =>
    blocksOf(message).flatMap((block) => (block.type === 'tool_result' ? toldInText(resultText(block)) : [])),
  );
}

const told = new RegExp(`^<${tag} path="([^"\\n]*)" version="([^"\\n]*)">\\n([^]*?)\\n</${tag}>$`, 'gm');

function toldInText(text: string): readonly ToldFile[] {
  if (!text.includes(`<${tag} `)) return [];
  return [...text.matchAll(told)].map(([, path = '', version = '', body = '']) => ({
    path: unescaped(path),
    version,
    chars: body.length,
  }));
}

/** Whether a file is in sight: as it is now in earlier turns, or in whatever state in this one. */
export function createToldCheck(
  history: readonly Message[],
  turn: readonly Message[],
): (file: GuidanceFile) => boolean {
  const before = new Set(toldIn(history).map(({ path, version }) => JSON.stringify([path, version])));
  const now = new Set(toldIn(turn).map(({ path }) => path));
  return ({ path: given, text }) => {
    // As it was written down: not every character of a path can stand there.
    const path = unescaped(attribute(given));
    return now.has(path) || before.has(JSON.stringify([path, hashText(text)]));
  };
}

function attribute(path: string): string {
  const line = sendableText(path).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  return line.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function unescaped(path: string): string {
  return path.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
