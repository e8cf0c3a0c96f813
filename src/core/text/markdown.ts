import * as l10n from '@vscode/l10n';
import { cutText } from './cutText';
import { visible, visibleLine } from './plainText';

/** Text that shows as it is written, whatever it holds: words of the API or of a file are not ours to format. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&');
}

/** Text as literal inline code, whatever it holds. */
export function codeSpan(text: string): string {
  const shown = visibleLine(text);
  const ticks = fenceFor(shown, 1);
  // A space keeps a backtick at either end apart from the ticks; the reader does not see it.
  const padding = /^`|`$|^$/.test(shown) ? ' ' : '';
  return `${ticks}${padding}${shown}${padding}${ticks}`;
}

/** Text as it is, in a fence that nothing inside can close. */
export function fenced(text: string, language = 'text'): string {
  const lines = normalized(text);
  const fence = fenceFor(lines, 3);
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** Words inside one of our lines. Only what could mean something there is escaped, for those who read the source. */
export function inline(text: string): string {
  return normalized(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>&~$|#]/g, '\\$&');
}

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, heading.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Every line end that Markdown knows as `\n`, and nothing that a terminal would obey. */
export function normalized(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what has to go
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\uFFFD');
}

function fenceFor(text: string, least: number): string {
  let length = least;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return '`'.repeat(length);
}

/** More than this is not read in a card, and more than that not in a dialog. */
const cardLimit = { chars: 20_000, lines: 1_000 };
const dialogLimit = { chars: 3_000, lines: 40 };
const blankRun = 5;

/** A text as people are shown it before they agree; what is left out is counted in its last line. */
export interface Shown {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Text as a literal code block of Markdown: nothing in it can end the block, hide, or push the rest out of sight. */
export function codeBlock(language: string, text: string): Shown {
  const { kept, leftOut } = cut(squeezed(text), cardLimit);
  const rest = leftOut === undefined ? '' : `\n\n⚠️ **${leftOut}**`;
  return { text: `${fenced(kept, language)}${rest}`, isWhole: leftOut === undefined };
}

/** The same for a dialog, which knows no Markdown and has little room. */
export function plainBlock(text: string): Shown {
  const { kept, leftOut } = cut(squeezed(text), dialogLimit);
  return { text: leftOut === undefined ? kept : `${kept}\n\n⚠️ ${leftOut}`, isWhole: leftOut === undefined };
}

function squeezed(text: string): string {
  return squeezeBlankLines(visible(text)).replace(
    wideGap,
    (gap) => ` ${l10n.t('⟨{0} blanks⟩', gap.length)} `,
  );
}

/** After a whole line where that leaves most of it, and never inside a character. */
function cut(text: string, limit: { readonly chars: number; readonly lines: number }) {
  const lines = text.split('\n');
  const start = lines.slice(0, limit.lines).join('\n');
  if (start.length === text.length && text.length <= limit.chars) return { kept: text, leftOut: undefined };
  const lineEnd = start.length <= limit.chars ? start.length : start.lastIndexOf('\n', limit.chars);
  const end = lineEnd > limit.chars / 2 || start.length <= limit.chars ? lineEnd : limit.chars;
  const kept = cutText(start, end);
  const missing = lines.length - kept.split('\n').length;
  const leftOut =
    missing > 0
      ? missing === 1
        ? l10n.t('1 more line is not shown here.')
        : l10n.t('{0} more lines are not shown here.', missing)
      : l10n.t('{0} more characters are not shown here.', text.length - kept.length);
  return { kept, leftOut };
}

/** Enough to push what follows out of sight to the right. */
const wideGap = /(?<=\S)[ \t]{60,}(?=\S)|^[ +-]?[ \t]{120,}(?=\S)/gm;

function squeezeBlankLines(text: string): string {
  const run = new RegExp(`(?:^[ +-]?[ \\t]*\\n){${blankRun + 1},}`, 'gm');
  return text.replace(run, (lines) => {
    const all = lines.split('\n').slice(0, -1);
    return `${all.slice(0, blankRun).join('\n')}\n${l10n.t('⟨{0} more blank lines⟩', all.length - blankRun)}\n`;
  });
}
