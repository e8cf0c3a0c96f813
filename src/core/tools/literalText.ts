/** More than this is not read in a card; the card then says where the whole is. */
const blockLimit = 20_000;
const blankRun = 5;

/** Text as literal inline code of Markdown, whatever it holds. */
export function codeSpan(text: string): string {
  const shown = visibleLine(text);
  const ticks = fenceFor(shown, 1);
  const padding = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${padding}${shown}${padding}${ticks}`;
}

/** Text as a literal code block of Markdown: nothing in it can end the block, hide, or push the rest out of sight. */
export function codeBlock(language: string, text: string): string {
  const shown = squeezeBlankLines(visible(text)).replace(wideGap, (gap) => ` ⟨${gap.length} blanks⟩ `);
  const end = shown.length > blockLimit ? shown.lastIndexOf('\n', blockLimit) : shown.length;
  const body = shown.slice(0, end > 0 ? end : blockLimit);
  const fence = fenceFor(body, 3);
  const hidden = shown.slice(body.length).split('\n').length - 1;
  const rest =
    body.length === shown.length
      ? ''
      : `\n\n⚠️ **${Math.max(hidden, 1)} more lines are not shown here. The whole stands in the input below.**`;
  return `${fence}${language}\n${body}\n${fence}${rest}`;
}

/** Makes characters visible that change what the eye sees without being seen: control, bidi, zero-width, tags. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
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
    return `${all.slice(0, blankRun).join('\n')}\n⟨${all.length - blankRun} more blank lines⟩\n`;
  });
}

function fenceFor(text: string, least: number): string {
  let length = least;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return '`'.repeat(length);
}
