import * as l10n from '@vscode/l10n';
import { showCode } from '../plainText';

/** More than this is not read in a card, and more than that not in a dialog. */
const cardLimit = { chars: 20_000, lines: 1_000 };
const dialogLimit = { chars: 3_000, lines: 40 };
const blankRun = 5;

/** Text as literal inline code of Markdown, whatever it holds. */
export function codeSpan(text: string): string {
  const shown = visibleLine(text);
  const ticks = fenceFor(shown, 1);
  const padding = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${padding}${shown}${padding}${ticks}`;
}

/** A text as people are shown it before they agree; what is left out is counted in its last line. */
export interface Shown {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Text as a literal code block of Markdown: nothing in it can end the block, hide, or push the rest out of sight. */
export function codeBlock(language: string, text: string): Shown {
  const { kept, leftOut } = cut(squeezed(text), cardLimit);
  const fence = fenceFor(kept, 3);
  const rest = leftOut === undefined ? '' : `\n\n⚠️ **${leftOut}**`;
  return { text: `${fence}${language}\n${kept}\n${fence}${rest}`, isWhole: leftOut === undefined };
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
  const kept = start.slice(0, /[\uDC00-\uDFFF]/.test(start.charAt(end)) ? end - 1 : end);
  const missing = lines.length - kept.split('\n').length;
  const leftOut =
    missing > 0
      ? missing === 1
        ? l10n.t('1 more line is not shown here.')
        : l10n.t('{0} more lines are not shown here.', missing)
      : l10n.t('{0} more characters are not shown here.', text.length - kept.length);
  return { kept, leftOut };
}

/** Makes characters visible that change what the eye sees without being seen: control, bidi, zero-width, tags. */
export function visible(text: string): string {
  return text.replace(invisible, showCode);
}

/** The same in one line: what follows a line break would look like words of VS Code's, not like part of a name. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '⏎');
}

/** All of Cc and Cf, separators of lines, lone surrogates and what Unicode lets renderers ignore; not tab and newline. */
const invisible = /[\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![\t\n])\p{Cc}|(?! )\p{Zs}/gu;

/** Enough to push what follows out of sight to the right. */
const wideGap = /(?<=\S)[ \t]{60,}(?=\S)|^[ +-]?[ \t]{120,}(?=\S)/gm;

function squeezeBlankLines(text: string): string {
  const run = new RegExp(`(?:^[ +-]?[ \\t]*\\n){${blankRun + 1},}`, 'gm');
  return text.replace(run, (lines) => {
    const all = lines.split('\n').slice(0, -1);
    return `${all.slice(0, blankRun).join('\n')}\n${l10n.t('⟨{0} more blank lines⟩', all.length - blankRun)}\n`;
  });
}

function fenceFor(text: string, least: number): string {
  let length = least;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return '`'.repeat(length);
}
